import Measurement
import Testing

@Suite("Counts from many threads")
struct SharedCountsTests {
  @Test("Nothing is lost when eight tasks record at once")
  func histogram() async {
    let shared = SharedHistogram()
    let counter = Counter()
    let gauge = MaxGauge()
    await withTaskGroup { group in
      for task in 0..<8 {
        group.addTask {
          for step in 0..<5_000 {
            gauge.add(1)
            shared.record(Int64(task * 5_000 + step) * 1_000)
            counter.add()
            gauge.add(-1)
          }
          shared.record(-1)
          shared.record(.max)
        }
      }
    }
    var expected = LatencyHistogram()
    for value: Int64 in 0..<40_000 { expected.record(value * 1_000) }
    for _ in 0..<8 {
      expected.record(-1)
      expected.record(.max)
    }
    let snapshot = shared.snapshot()
    #expect(snapshot.count == 40_008)
    #expect(snapshot.refusedNegative == 8)
    #expect(snapshot.overRange == 8)
    #expect(snapshot.maximum == .max && snapshot.minimum == 0)
    #expect(snapshot.filledBuckets.map(\.count) == expected.filledBuckets.map(\.count))
    #expect(counter.value == 40_000)
    #expect(gauge.value == 0 && (1...8).contains(gauge.max))
  }

  @Test("A sum past its word stays at the end of it, and there is no mean then", arguments: [2, 3, 4, 5])
  func longSums(values: Int) {
    let shared = SharedHistogram()
    var plain = LatencyHistogram()
    for _ in 0..<values {
      shared.record(.max)
      plain.record(.max)
    }
    // Two of the largest values just fit; from the third on the sum would wrap.
    #expect(shared.snapshot().sum == plain.sum)
    #expect((plain.sum == .max) == (values > 2))
    #expect((shared.snapshot().mean == nil) == (values > 2))
    #expect(shared.snapshot().maximum == .max && shared.snapshot().count == UInt64(values))
  }

  @Test("A snapshot equals the plain histogram of the same values")
  func snapshot() {
    let shared = SharedHistogram()
    var plain = LatencyHistogram()
    for value: Int64 in 1...1_000 {
      shared.record(value * 7_919)
      plain.record(value * 7_919)
    }
    #expect(shared.snapshot() == plain)
    #expect(SharedHistogram().snapshot().isEmpty)
  }

  @Test("A gauge keeps its highest level")
  func gauge() {
    let gauge = MaxGauge()
    #expect(gauge.add(3) == 3)
    gauge.add(-2)
    gauge.set(2)
    #expect(gauge.value == 2)
    #expect(gauge.max == 3)
  }

  @Test("A count tells what it was before")
  func counter() {
    let counter = Counter()
    #expect(counter.next() == 0)
    #expect(counter.next(5) == 1)
    #expect(counter.value == 6)
  }
}
