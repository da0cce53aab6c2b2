/// A percentile, held as parts per 100,000 so that ranks are found in integer arithmetic.
///
/// p99.9 is 99,900 parts; p0 (the minimum) is 0 and p100 (the maximum) is 100,000.
public struct Percentile: Sendable, Hashable, Comparable, Codable, CustomStringConvertible {
  /// Parts per 100,000, from 0 to 100,000.
  public let parts: Int

  /// The parts of p100.
  public static let whole = 100_000

  /// A percentile of so many parts per 100,000, or `nil` outside 0...100,000.
  public init?(parts: Int) {
    guard (0...Self.whole).contains(parts) else { return nil }
    self.parts = parts
  }

  init(known parts: Int) { self.parts = parts }

  /// Reads `p99.9`, `99.9` or `p50`: at most three decimals; `nil` for anything else.
  public init?(_ text: some StringProtocol) {
    var digits = Substring(text)
    if digits.first == "p" { digits.removeFirst() }
    let pieces = digits.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(pieces.count), let units = Self.number(pieces[0], atMost: 3) else { return nil }
    var parts = units * 1_000
    if pieces.count == 2 {
      guard var decimals = Self.number(pieces[1], atMost: 3) else { return nil }
      for _ in pieces[1].utf8.count..<3 { decimals *= 10 }
      parts += decimals
    }
    self.init(parts: parts)
  }

  private static func number(_ text: Substring, atMost length: Int) -> Int? {
    guard (1...length).contains(text.utf8.count) else { return nil }
    guard text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int(text)
  }

  /// The label, such as `p99.9`.
  public var description: String {
    let decimals = parts % 1_000
    guard decimals > 0 else { return "p\(parts / 1_000)" }
    var tail = String(decimals + 1_000).dropFirst()
    while tail.last == "0" { tail.removeLast() }
    return "p\(parts / 1_000).\(tail)"
  }

  /// Orders by parts.
  public static func < (left: Percentile, right: Percentile) -> Bool { left.parts < right.parts }

  /// The nearest rank (1-based) of this percentile among `count` samples: the smallest rank that covers
  /// at least this share of them. `count` must be above 0.
  public func rank(of count: UInt64) -> UInt64 {
    let product = UInt64(parts).multipliedFullWidth(by: count)
    let (quotient, remainder) = UInt64(Self.whole).dividingFullWidth(product)
    return max(1, quotient + (remainder > 0 ? 1 : 0))
  }

  /// How many samples it takes before one of them is expected beyond this percentile (on its thinner
  /// side): 2 for p50, 100 for p99, 10,000 for p99.99, 1 for the minimum and the maximum.
  public var samplesNeeded: UInt64 {
    let tail = min(parts, Self.whole - parts)
    guard tail > 0 else { return 1 }
    return UInt64((Self.whole + tail - 1) / tail)
  }

  /// The minimum.
  public static let p0 = Percentile(known: 0)
  /// The median.
  public static let p50 = Percentile(known: 50_000)
  /// The 75th percentile.
  public static let p75 = Percentile(known: 75_000)
  /// The 90th percentile.
  public static let p90 = Percentile(known: 90_000)
  /// The 95th percentile.
  public static let p95 = Percentile(known: 95_000)
  /// The 99th percentile.
  public static let p99 = Percentile(known: 99_000)
  /// The 99.9th percentile.
  public static let p99_9 = Percentile(known: 99_900)
  /// The 99.99th percentile.
  public static let p99_99 = Percentile(known: 99_990)
  /// The maximum.
  public static let p100 = Percentile(known: 100_000)
}
