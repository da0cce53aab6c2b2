/// A histogram of durations in integer nanoseconds, in constant memory.
///
/// Buckets follow `HistogramLayout`; the exact minimum, maximum, sum and count stand beside them, so that
/// no figure exceeds what was recorded. Nothing is clamped: values over the range and negative values are
/// counted apart, and values offered = `inRange` + `overRange` + `refusedNegative`.
///
/// Percentiles are nearest rank, in integer arithmetic. The buckets (270 KB in the standard layout) are
/// allocated by the first value recorded; after that `record` allocates nothing and takes a few
/// nanoseconds.
public struct LatencyHistogram: Sendable, Hashable {
  /// The range and precision.
  public let layout: HistogramLayout
  /// Values recorded within the range.
  public internal(set) var inRange: UInt64 = 0
  /// Values recorded above the range; they take part in `count`, `maximum`, `sum` and ranks.
  public internal(set) var overRange: UInt64 = 0
  /// Negative values, refused: they take part in nothing else.
  public internal(set) var refusedNegative: UInt64 = 0
  /// The sum of all values recorded, exact up to `UInt64.max` ns (584 years), where it stays.
  public internal(set) var sum: UInt64 = 0

  @usableFromInline var lowestSeen = Int64.max
  @usableFromInline var highestSeen = Int64.min
  @usableFromInline var buckets: [UInt64] = []

  /// An empty histogram.
  public init(layout: HistogramLayout = .standard) { self.layout = layout }

  /// Values recorded: `inRange + overRange`.
  public var count: UInt64 { inRange + overRange }
  /// Whether nothing was recorded.
  public var isEmpty: Bool { count == 0 }
  /// The exact smallest value recorded, in nanoseconds; `nil` without samples.
  public var minimum: Int64? { isEmpty ? nil : lowestSeen }
  /// The exact largest value recorded, in nanoseconds; `nil` without samples.
  public var maximum: Int64? { isEmpty ? nil : highestSeen }
  /// The exact mean in nanoseconds; `nil` without samples, and where the sum is larger than it can be held.
  public var mean: Double? { isEmpty || sum == .max ? nil : Double(sum) / Double(count) }

  /// Records one value in nanoseconds.
  @inline(__always)
  public mutating func record(_ value: Int64) { record(value, count: 1) }

  /// Records `count` equal values in nanoseconds.
  public mutating func record(_ value: Int64, count times: UInt64) {
    guard value >= 0 else {
      refusedNegative &+= times
      return
    }
    guard times > 0 else { return }
    let (product, tooMuch) = UInt64(bitPattern: value).multipliedReportingOverflow(by: times)
    addToSum(tooMuch ? .max : product)
    if value < lowestSeen { lowestSeen = value }
    if value > highestSeen { highestSeen = value }
    guard value <= layout.highest else {
      overRange &+= times
      return
    }
    inRange &+= times
    if buckets.isEmpty { allocate() }
    buckets[layout.index(of: value)] &+= times
  }

  @inline(__always)
  mutating func addToSum(_ amount: UInt64) {
    let (total, overflow) = sum.addingReportingOverflow(amount)
    sum = overflow ? .max : total
  }

  @inline(never)
  mutating func allocate() { buckets = [UInt64](repeating: 0, count: layout.length) }

  /// Adds what another histogram recorded. Throws `HistogramError.layoutsDiffer`.
  public mutating func merge(_ other: LatencyHistogram) throws(HistogramError) {
    guard other.layout == layout else { throw .layoutsDiffer }
    inRange += other.inRange
    overRange += other.overRange
    refusedNegative += other.refusedNegative
    addToSum(other.sum)
    lowestSeen = min(lowestSeen, other.lowestSeen)
    highestSeen = max(highestSeen, other.highestSeen)
    guard !other.buckets.isEmpty else { return }
    guard !buckets.isEmpty else {
      buckets = other.buckets
      return
    }
    for index in buckets.indices { buckets[index] &+= other.buckets[index] }
  }

  /// Equal layouts, counts and exact figures.
  public static func == (left: LatencyHistogram, right: LatencyHistogram) -> Bool {
    left.layout == right.layout && left.inRange == right.inRange && left.overRange == right.overRange
      && left.refusedNegative == right.refusedNegative && left.sum == right.sum
      && left.lowestSeen == right.lowestSeen && left.highestSeen == right.highestSeen
      && left.filledBuckets.elementsEqual(right.filledBuckets) {
        $0.index == $1.index && $0.count == $1.count
      }
  }

  /// Hashes the exact figures, not the buckets.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(layout)
    hasher.combine(inRange)
    hasher.combine(sum)
  }
}
