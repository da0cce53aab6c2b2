/// One point of a percentile curve.
public struct PercentilePoint: Sendable, Hashable {
  /// The percentile.
  public let percentile: Percentile
  /// The value there, in nanoseconds.
  public let value: Int64
  /// Whether the true value is over the histogram's range, so that `value` is only a lower bound.
  public let isLowerBound: Bool

  /// Makes a point.
  public init(percentile: Percentile, value: Int64, isLowerBound: Bool) {
    self.percentile = percentile
    self.value = value
    self.isLowerBound = isLowerBound
  }
}

extension LatencyHistogram {
  /// The value at a percentile, in nanoseconds: nearest rank, the upper end of its bucket, never outside
  /// the exact minimum and maximum; `nil` without samples.
  ///
  /// Where that rank is among the values over range the answer is the range's end, a lower bound: see
  /// `point(at:)`. The last rank is the exact maximum in any case. Walks the buckets: microseconds.
  public func value(at percentile: Percentile) -> Int64? { point(at: percentile)?.value }

  /// The value at a percentile with the mark of a lower bound; `nil` without samples.
  public func point(at percentile: Percentile) -> PercentilePoint? { points(at: [percentile]).first }

  /// The points at several percentiles, in one walk of the buckets. `percentiles` must ascend; empty
  /// without samples.
  public func points(at percentiles: [Percentile]) -> [PercentilePoint] {
    guard !isEmpty else { return [] }
    var index = 0
    var covered: UInt64 = 0
    return percentiles.map { percentile in
      let rank = percentile.rank(of: count)
      if percentile.parts == 0 || rank == count || rank > inRange {
        return edge(percentile, rank: rank)
      }
      while covered < rank {
        covered += buckets[index]
        index += 1
      }
      let value = layout.values(at: index - 1).upperBound
      return PercentilePoint(
        percentile: percentile, value: min(max(value, lowestSeen), highestSeen), isLowerBound: false)
    }
  }

  private func edge(_ percentile: Percentile, rank: UInt64) -> PercentilePoint {
    if percentile.parts == 0 {
      return PercentilePoint(percentile: percentile, value: lowestSeen, isLowerBound: false)
    }
    if rank == count {
      return PercentilePoint(percentile: percentile, value: highestSeen, isLowerBound: false)
    }
    return PercentilePoint(percentile: percentile, value: layout.highest, isLowerBound: true)
  }

  /// Whether there are enough samples for this percentile to mean something: p50 takes 2, p99 takes 100,
  /// p99.99 takes 10,000.
  public func isResolved(_ percentile: Percentile) -> Bool { count >= percentile.samplesNeeded }

  /// The points of a percentile curve, denser towards the tail: `steps` points for each halving of what is
  /// left above, as far as the samples resolve it, then the maximum. Empty without samples.
  public func curve(stepsPerHalving steps: Int = 5) -> [PercentilePoint] {
    var ticks: [Percentile] = []
    var tail = Percentile.whole
    scan: while tail > 1 {
      for step in 0..<max(1, steps) {
        let parts = Percentile.whole - tail + tail / 2 * step / max(1, steps)
        guard let tick = Percentile(parts: parts), tick != ticks.last else { continue }
        if parts > 50_000, !isResolved(tick) { break scan }
        ticks.append(tick)
      }
      tail /= 2
    }
    return points(at: ticks + [.p100])
  }

  /// The buckets that hold anything, in ascending order.
  public var filledBuckets: [(index: Int, count: UInt64)] {
    buckets.indices.lazy.filter { buckets[$0] > 0 }.map { ($0, buckets[$0]) }
  }
}
