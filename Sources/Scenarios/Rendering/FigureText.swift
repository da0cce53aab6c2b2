internal import WorkloadInterface

/// Writes figures with units so that reading them gives the same value again.
enum FigureText {
  private static let times: [(String, Int64)] = [
    ("h", 3_600_000_000_000), ("min", 60_000_000_000), ("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000),
  ]

  /// A duration in the largest unit that divides it: `250ms`.
  static func duration(_ nanoseconds: Int64) -> String {
    if nanoseconds == 0 { return "0s" }
    for (unit, length) in times where nanoseconds % length == 0 { return "\(nanoseconds / length)\(unit)" }
    return "\(nanoseconds)ns"
  }

  /// A rate: `0.4/s`.
  static func rate(_ rate: Rate) -> String {
    let unit = times.first { $0.1 == rate.per }?.0 ?? "ns"
    return "\(decimal(rate.millionths, places: 6))/\(unit)"
  }

  /// A share as a percentage whose hundredth is exactly this double, where there is one.
  static func share(_ share: Double) -> String {
    var candidates = [share * 100]
    for _ in 0..<3 {
      candidates.append(candidates[candidates.count - 1].nextUp)
    }
    var down = share * 100
    for _ in 0..<3 {
      down = down.nextDown
      candidates.append(down)
    }
    // Of those that read back exactly the one that is shortest to write.
    let exact = candidates.filter { $0 >= 0 && $0 <= 100 && $0 / 100 == share }.map(plain)
    let best = exact.min { ($0.count, $0) < ($1.count, $1) }
    return (best ?? plain(share * 100)) + "%"
  }

  /// A whole number of 1/10^places as a decimal without trailing zeros.
  private static func decimal(_ value: Int64, places: Int) -> String {
    var scale: Int64 = 1
    for _ in 0..<places { scale *= 10 }
    guard value % scale != 0 else { return "\(value / scale)" }
    var digits = String(value % scale)
    digits = String(repeating: "0", count: places - digits.count) + digits
    while digits.last == "0" { digits.removeLast() }
    return "\(value / scale).\(digits)"
  }

  /// A double as the shortest decimal, never with an exponent that the reader would refuse.
  static func plain(_ value: Double) -> String {
    if value == value.rounded(), abs(value) < 1e15 { return String(Int64(value)) }
    let text = value.description
    guard let mark = text.firstIndex(of: "e"), let exponent = Int(text[text.index(after: mark)...]) else {
      return text
    }
    let mantissa = text[..<mark].filter { $0 != "." && $0 != "-" }
    guard exponent < 0 else { return text }
    let sign = value < 0 ? "-" : ""
    var digits = String(repeating: "0", count: -exponent - 1) + mantissa
    while digits.last == "0" { digits.removeLast() }
    return "\(sign)0.\(digits)"
  }
}
