import Foundation
import Measurement
import Testing

private let millisecond: Int64 = 1_000_000

private func histogram(_ values: some Sequence<Int64>) -> LatencyHistogram {
  var result = LatencyHistogram()
  for value in values { result.record(value) }
  return result
}

private func percentile(_ text: String) -> Percentile { Percentile(text)! }

@Suite("Latency histogram")
struct LatencyHistogramTests {
  @Test("No percentile leaves the exact minimum and maximum")
  func clamping() throws {
    let one = histogram([575])
    for text in ["p0", "p50", "p99", "p99.9", "p100"] { #expect(one.value(at: percentile(text)) == 575) }
    let odd = histogram([1_000_001])
    #expect(odd.value(at: .p100) == 1_000_001)
    #expect(odd.value(at: .p50) == 1_000_001)
    let equal = histogram(repeatElement(123_456_789, count: 1_000))
    for parts in stride(from: 0, through: 100_000, by: 1_000) {
      #expect(equal.value(at: Percentile(parts: parts)!) == 123_456_789)
    }
    let coarse = try HistogramLayout(highest: 3_600_000_000_000, digits: 2)
    #expect(coarse.values(at: coarse.index(of: 35_071)) == 34_816...35_071)
  }

  @Test("Values over range and negative ones are counted apart, nothing is lost or clamped")
  func overRange() throws {
    var result = LatencyHistogram(layout: try HistogramLayout(highest: 60_000 * millisecond))
    result.record(10 * millisecond, count: 1_000)
    for value in [61_000, 500_000, -3, 0] { result.record(Int64(value) * millisecond) }
    #expect(result.count == 1_003)
    #expect(result.inRange == 1_001)
    #expect(result.overRange == 2)
    #expect(result.refusedNegative == 1)
    #expect(result.maximum == 500_000 * millisecond)
    #expect(result.minimum == 0)
    #expect(
      result.point(at: .p99_9)
        == PercentilePoint(percentile: .p99_9, value: 60_000 * millisecond, isLowerBound: true))
    #expect(
      result.point(at: .p100)
        == PercentilePoint(percentile: .p100, value: 500_000 * millisecond, isLowerBound: false))
    #expect(result.sum == UInt64((10_000 + 561_000) * millisecond))
  }

  @Test("Ranks are nearest, in integers")
  func ranks() {
    var skewed = LatencyHistogram()
    skewed.record(millisecond, count: 1_000)
    skewed.record(10_000_000 * millisecond)
    #expect(skewed.value(at: .p95) == 1_000_447)
    #expect(skewed.value(at: .p99) == skewed.value(at: .p99_9))
    #expect(skewed.value(at: .p100) == 10_000_000 * millisecond)

    var small = LatencyHistogram()
    small.record(1, count: 1_000)
    small.record(10_000_000)
    for text in ["p95", "p99", "p99.9"] { #expect(small.value(at: percentile(text)) == 1) }
    #expect(small.value(at: .p100) == 10_000_000)

    var hundred = LatencyHistogram()
    hundred.record(1, count: 99)
    hundred.record(1_000)
    #expect(hundred.value(at: .p99) == 1)
    #expect(hundred.value(at: percentile("99.5")) == 1_000)

    #expect(histogram(1...100).value(at: .p95) == 95)
    #expect(histogram(1...1_000).value(at: .p99_9) == 999)
    #expect(Percentile.p99_9.rank(of: 1_000) == 999)
    #expect(Percentile.p99_9.rank(of: 10_000) == 9_990)
    let five = histogram([15, 20, 35, 40, 50])
    #expect(["10", "25", "50", "75", "90"].map { five.value(at: percentile($0)) } == [15, 20, 35, 40, 50])
  }

  @Test("A thin tail is told, and no samples give no value")
  func resolution() {
    let eight = histogram((1...8).map { $0 * 100 })
    #expect(eight.value(at: .p95) == 800)
    #expect(eight.value(at: .p99) == 800)
    #expect(!eight.isResolved(.p95))
    #expect(eight.isResolved(.p50))
    let none = LatencyHistogram()
    #expect(none.value(at: .p99) == nil)
    #expect(none.mean == nil && none.minimum == nil && none.maximum == nil)
    #expect(none.curve().isEmpty)
    let hundred = histogram(1...100)
    #expect(hundred.isResolved(.p99))
    #expect(!hundred.isResolved(.p99_99))
    #expect(Percentile.p99_99.samplesNeeded == 10_000)
    #expect(Percentile.p50.samplesNeeded == 2)
  }

  @Test("A frozen service: the figures of the intended start")
  func frozen() {
    // 100/s for 10 s, one worker, 1 ms service, frozen from 2 s to 8 s.
    var free: Int64 = 0
    var result = LatencyHistogram()
    for arrival in 0..<1_000 {
      let intended = Int64(arrival) * 10 * millisecond
      var start = max(intended, free)
      if (2_000 * millisecond..<8_000 * millisecond).contains(start) { start = 8_000 * millisecond }
      free = start + millisecond
      result.record(free - intended)
    }
    let expected: [(String, Int64)] = [
      ("p50", 1_501), ("p75", 3_751), ("p90", 5_101), ("p95", 5_551), ("p99", 5_911), ("p100", 6_001),
    ]
    for (text, value) in expected {
      let found = result.value(at: percentile(text)) ?? 0
      #expect(abs(found - value * millisecond) <= value * millisecond / 1_000, "\(text)")
    }
    #expect(result.maximum == 6_001 * millisecond)
  }

  @Test("Percentiles of random data are the sorted array's, within a bucket")
  func againstSorting() {
    var state: UInt64 = 42
    for round in 0..<8 {
      let values: [Int64] = (0..<(120 * (round + 1))).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int64(state >> (24 + state >> 60))
      }
      let sorted = values.sorted()
      let percentiles = stride(from: 0, through: 100_000, by: 53).compactMap { Percentile(parts: $0) }
      let result = histogram(values)
      let wrong = zip(percentiles, result.points(at: percentiles)).filter { percentile, point in
        let exact = sorted[Int(percentile.rank(of: UInt64(sorted.count))) - 1]
        return point.value < exact || point.value > min(exact + exact / 1_000 + 1, sorted.last!)
      }
      #expect(wrong.isEmpty)
      #expect(result.sum == values.reduce(0) { $0 + UInt64($1) })
    }
  }

  @Test("The curve ascends, ends at the maximum and goes no further than the samples")
  func curve() {
    let points = histogram(1...1_000).curve()
    #expect(
      zip(points, points.dropFirst()).allSatisfy { $0.percentile < $1.percentile && $0.value <= $1.value })
    #expect(points.first?.value == 1)
    #expect(points.last?.value == 1_000)
    #expect(points.dropLast().allSatisfy { $0.percentile <= .p99_9 })
    #expect(points.count > 40)
  }

  @Test("Merging is recording everything in one; other layouts are refused")
  func merging() throws {
    let whole = histogram((1...2_000).map { $0 * 1_001 } + [-1, 4_000_000_000_000])
    var parts = histogram((1...700).map { $0 * 1_001 })
    try parts.merge(histogram((701...2_000).map { $0 * 1_001 } + [-1, 4_000_000_000_000]))
    try parts.merge(LatencyHistogram())
    #expect(parts == whole)
    let other = LatencyHistogram(layout: try HistogramLayout(highest: 1_000))
    #expect(throws: HistogramError.layoutsDiffer) { try parts.merge(other) }
  }

  @Test("Every value lies in its own bucket and buckets follow one another", arguments: 1...5)
  func layout(digits: Int) throws {
    let layout = try HistogramLayout(highest: 3_600_000_000_000, digits: digits)
    // Three digits up to an hour: 270 KB.
    if digits == 3 { #expect(layout.length * 8 == 270_336) }
    for shift in 0..<42 {
      for offset: Int64 in [-1, 0, 1, 7] {
        let value = min(max(0, (Int64(1) << shift) + offset), layout.highest)
        let range = layout.values(at: layout.index(of: value))
        #expect(range.contains(value))
        #expect(
          layout.index(of: range.upperBound + 1) == layout.index(of: value) + 1 || value == layout.highest)
      }
    }
    #expect(layout.index(of: layout.highest) < layout.length)
  }

  @Test("Impossible layouts are refused")
  func badLayouts() {
    #expect(throws: HistogramError.self) { try HistogramLayout(highest: 1_000, digits: 6) }
    #expect(throws: HistogramError.self) { try HistogramLayout(highest: 1_000, digits: 0) }
    #expect(throws: HistogramError.self) { try HistogramLayout(lowest: 0, highest: 1_000) }
    #expect(throws: HistogramError.self) { try HistogramLayout(lowest: 10, highest: 19) }
  }

  @Test("Percentiles are read and written exactly")
  func labels() {
    #expect(Percentile("p99.9")?.parts == 99_900)
    #expect(Percentile("50")?.description == "p50")
    #expect(Percentile("p99.99")?.description == "p99.99")
    for text in ["p101", "p", "99.", "p99.9999", "-1", "p1e2", "100.001"] { #expect(Percentile(text) == nil) }
  }
}
