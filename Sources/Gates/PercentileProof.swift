internal import Measurement
internal import RunRecords

/// What proves that a gate on a percentile fails where there are too few samples for the percentile itself.
///
/// Were the true p99 below its limit, a sample would lie beyond the limit with a chance of at most 1 %. So many of few
/// samples may lie there that this cannot be: then the gate fails, however few they are. They never prove a pass.
struct PercentileProof {
  /// Samples that certainly lie beyond the limit.
  let beyond: UInt64
  /// All samples.
  let count: UInt64

  /// The failure counts as proved where chance alone would bring so many samples beyond the limit more rarely.
  private static let significance = 0.01

  /// The proof; nil where the samples prove nothing, and for ratios, `==` and `!=`.
  init?(_ gate: GateExpression, in cell: CellRecord) {
    guard gate.divisor == nil, let percentile = gate.metric.name.percentile,
      let count = cell.samples(of: gate.metric.name), count > 0
    else { return nil }
    let side: Side
    switch gate.comparison {
    case .less: side = Side(isAbove: true, isInclusive: true, limit: gate.limit.double)
    case .lessOrEqual: side = Side(isAbove: true, isInclusive: false, limit: gate.limit.double)
    case .greater: side = Side(isAbove: false, isInclusive: true, limit: gate.limit.double)
    case .greaterOrEqual: side = Side(isAbove: false, isInclusive: false, limit: gate.limit.double)
    case .equal, .notEqual: return nil
    }
    self.count = count
    if let histogram = cell.histograms[gate.metric.name.series], histogram.count == count {
      beyond = side.count(in: histogram)
    } else {
      beyond = side.count(of: count, in: cell.metrics, series: gate.metric.name.series)
    }
    let parts = side.isAbove ? Percentile.whole - percentile.parts : percentile.parts
    guard Self.chance(of: beyond, of: count, parts: parts) < Self.significance else { return nil }
  }

  /// The reason in a gate's line.
  var reason: String { "\(beyond) of \(count) samples are beyond the limit" }

  /// The chance of `hits` or more among `count` samples where each hits with `parts` of 100,000.
  ///
  /// Sums the binomial distribution from its light end: there is no underflow below the number of samples that
  /// resolves the percentile.
  static func chance(of hits: UInt64, of count: UInt64, parts: Int) -> Double {
    guard hits > 0 else { return 1 }
    let chance = Double(parts) / Double(Percentile.whole)
    return chance <= 0.5
      ? max(0, 1 - atMost(hits - 1, of: count, chance)) : atMost(count - hits, of: count, 1 - chance)
  }

  /// The chance of no more than `hits`; `chance` is at most a half.
  private static func atMost(_ hits: UInt64, of count: UInt64, _ chance: Double) -> Double {
    var term = 1.0
    for _ in 0..<count { term *= 1 - chance }
    var sum = term
    for hit in 0..<hits {
      term *= Double(count - hit) / Double(hit + 1) * chance / (1 - chance)
      sum += term
    }
    return sum
  }
}

/// The side of a limit on which samples speak against a gate.
private struct Side {
  let isAbove: Bool
  /// Whether a sample on the limit lies beyond it.
  let isInclusive: Bool
  let limit: Double

  /// Whether all values from `least` to `most` lie beyond the limit.
  private func holds(_ least: Int64, _ most: Int64) -> Bool {
    let nearest = Double(isAbove ? least : most)
    if isInclusive, nearest == limit { return true }
    return isAbove ? nearest > limit : nearest < limit
  }

  /// The samples whose whole bucket lies beyond; minimum and maximum are exact.
  func count(in histogram: LatencyHistogram) -> UInt64 {
    guard let minimum = histogram.minimum, let maximum = histogram.maximum else { return 0 }
    var beyond: UInt64 = 0
    for (index, count) in histogram.filledBuckets {
      let values = histogram.layout.values(at: index)
      if holds(max(minimum, values.lowerBound), min(maximum, values.upperBound)) { beyond += count }
    }
    if histogram.overRange > 0, holds(max(minimum, histogram.layout.highest), maximum) {
      beyond += histogram.overRange
    }
    return max(beyond, holds(isAbove ? maximum : minimum, isAbove ? maximum : minimum) ? 1 : 0)
  }

  /// What the statistics of a record prove of `count` samples: a p50 beyond the limit means that half of them are.
  func count(of count: UInt64, in metrics: [String: MetricValue], series: String) -> UInt64 {
    var beyond: UInt64 = 0
    for statistic in MetricName.statistics {
      guard case .integer(let value)? = metrics["\(series).\(statistic)"] else { continue }
      let rank: UInt64
      var least = value
      switch statistic {
      case "min": rank = 1
      case "max": rank = count
      default:
        guard statistic.first == "p", let percentile = Percentile(statistic) else { continue }
        rank = percentile.rank(of: count)
        // A percentile is the upper end of its bucket: the samples there may be smaller.
        let layout = HistogramLayout.standard
        if rank < count, (0...layout.highest).contains(value) {
          least = layout.values(at: layout.index(of: value)).lowerBound
        }
      }
      if holds(least, value) { beyond = max(beyond, isAbove ? count - rank + 1 : rank) }
    }
    return beyond
  }
}
