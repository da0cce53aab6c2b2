/// Figures over time in bounded memory: fixed intervals, which double (neighbours merged) whenever the
/// bound is reached. The same events give the same series.
public struct TimeSeries: Sendable, Hashable, Codable {
  /// What a point holds.
  public enum Kind: String, Sendable, Hashable, Codable {
    /// The amounts of its interval, added up.
    case count
    /// The last level of its interval, and the highest.
    case gauge
  }

  /// One interval.
  public struct Point: Sendable, Hashable, Codable {
    /// Counts: the sum. Gauges: the last level.
    public var value: Int64
    /// Counts: the largest amount of one event. Gauges: the highest level.
    public var highest: Int64
  }

  /// What is recorded.
  public let kind: Kind
  /// The width of one point in nanoseconds.
  public private(set) var interval: Int64
  /// The most points kept.
  public let bound: Int
  /// The points from time 0 on; `nil` where nothing happened.
  public private(set) var points: [Point?] = []

  /// An empty series. `interval` in nanoseconds (at least 1) and `bound` (at least 2) are raised to these.
  public init(_ kind: Kind, interval: Int64 = 100_000_000, bound: Int = 600) {
    self.kind = kind
    self.interval = max(1, interval)
    self.bound = max(2, bound)
  }

  /// Records an amount or a level at a time in nanoseconds since the start; times before 0 count as 0.
  public mutating func record(_ amount: Int64, at time: Int64) {
    let time = max(0, time)
    while time / interval >= Int64(bound) { double() }
    let place = Int(time / interval)
    while points.count <= place { points.append(nil) }
    points[place] = merge(points[place], Point(value: amount, highest: amount))
  }

  private func merge(_ earlier: Point?, _ later: Point?) -> Point? {
    guard let earlier, let later else { return earlier ?? later }
    let value = kind == .count ? earlier.value &+ later.value : later.value
    return Point(value: value, highest: max(earlier.highest, later.highest))
  }

  private mutating func double() {
    interval = interval > Int64.max / 2 ? .max : interval * 2
    points = stride(from: 0, to: points.count, by: 2).map {
      merge(points[$0], $0 + 1 < points.count ? points[$0 + 1] : nil)
    }
  }

  /// The sum of all points: the total of a count.
  public var total: Int64 { points.reduce(0) { $0 &+ ($1?.value ?? 0) } }

  /// A value for each point: empty intervals are 0 for counts, the level before for gauges (0 at first).
  public var values: [Int64] {
    var level: Int64 = 0
    return points.map { point in
      if kind == .count { return point?.value ?? 0 }
      level = point?.value ?? level
      return level
    }
  }
}
