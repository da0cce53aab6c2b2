package import RunRecords
package import WorkloadInterface

/// Writes figures for people: `1.23 ms`, `4.5 s`, `12,345`, `64 KiB`, `40/s`. Three significant figures, never
/// NaN, and nothing above zero is written as zero.
package enum MetricFormat {
  /// A figure with its unit.
  package static func text(_ value: MetricValue, unit: MetricDeclaration.Unit) -> String {
    guard value.double.isFinite else { return "n/a" }
    return switch unit {
    case .nanoseconds: duration(value.double)
    case .bytes: size(value.double)
    case .perSecond: number(value) + "/s"
    case .count, .ratio: number(value)
    }
  }

  /// A duration of so many ns: `850 ns`, `12.3 µs`, `1.23 ms`, `4.5 s`, `3 min 20 s`, `2 h 5 min`.
  package static func duration(_ nanoseconds: Double) -> String {
    guard nanoseconds.isFinite else { return "n/a" }
    if nanoseconds < 0 { return "-" + duration(-nanoseconds) }
    let seconds = (nanoseconds / 1e9).rounded()
    if seconds >= 7_200, seconds < 1e15 { return pair(Int64((seconds / 60).rounded()), 60, "h", "min") }
    if seconds >= 180, seconds < 1e15 { return pair(Int64(seconds), 60, "min", "s") }
    return scaled(nanoseconds, [("ns", 1), ("µs", 1e3), ("ms", 1e6), ("s", 1e9)])
  }

  /// A size of so many bytes: `512 B`, `1.5 KiB`, `64 MiB`.
  package static func size(_ bytes: Double) -> String {
    guard bytes.isFinite else { return "n/a" }
    if bytes < 0 { return "-" + size(-bytes) }
    return scaled(bytes, [("B", 1), ("KiB", 1024), ("MiB", 1_048_576), ("GiB", 1_073_741_824)])
  }

  /// A plain number: whole ones with all digits in groups of three, others to three significant figures.
  package static func number(_ value: MetricValue) -> String {
    switch value {
    case .integer(let whole): grouped(whole)
    case .real(let real): significant(real)
    }
  }

  /// A share as a percentage: `3.2 %`.
  package static func percentage(_ share: Double) -> String {
    share.isFinite ? significant(share * 100) + " %" : "n/a"
  }

  /// A multiple of the first strategy's figure: `×0.21`; `n/a` where there is none.
  package static func ratio(_ ratio: Double?) -> String {
    guard let ratio, ratio.isFinite else { return "n/a" }
    if ratio > 0, ratio < 0.001 { return "×<0.001" }
    if ratio < 0 || ratio >= 9.995 { return "×" + significant(ratio) }
    return "×" + decimals(ratio, ratio > 0 && ratio < 0.0995 ? 3 : 2, keepsZeros: true)
  }

  /// How far inside or outside its limit a gate's figure lies.
  package static func margin(_ margin: Double?) -> String {
    guard let margin, margin.isFinite else { return "" }
    if margin == 0 { return "on the limit" }
    return percentage(abs(margin)) + (margin > 0 ? " inside" : " outside")
  }

  /// Digits in groups of three.
  static func grouped(_ value: Int64) -> String {
    let digits = String(value.magnitude)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return value < 0 ? "-" + text : text
  }

  /// Three significant figures, without trailing zeros; whole from 100 on.
  static func significant(_ value: Double) -> String {
    guard value.isFinite else { return "n/a" }
    if value < 0 { return "-" + significant(-value) }
    if value == 0 { return "0" }
    if value >= 99.95 {
      return value < 9e18 ? grouped(Int64(value.rounded())) : "\(value)"
    }
    if value < 0.000_001 { return "<0.000001" }
    var places = 2
    var bound = 9.995
    if value >= bound { places = 1 }
    while value < bound / 10, places < 8 {
      places += 1
      bound /= 10
    }
    return decimals(value, places)
  }

  /// A number of at least 0 with so many decimals, trailing zeros cut off unless they are to be kept.
  private static func decimals(_ value: Double, _ places: Int, keepsZeros: Bool = false) -> String {
    var scale: Int64 = 1
    for _ in 0..<places { scale *= 10 }
    let (whole, part) = Int64((value * Double(scale)).rounded()).quotientAndRemainder(dividingBy: scale)
    var text = String(scale + part).dropFirst()
    while !keepsZeros, text.last == "0" { text.removeLast() }
    return grouped(whole) + (text.isEmpty ? "" : "." + text)
  }

  private static func scaled(_ value: Double, _ units: [(String, Double)]) -> String {
    var index = 0
    // The next unit takes over where three figures would round up to it.
    while index + 1 < units.count, (value / units[index].1).rounded() >= (units[index + 1].1 / units[index].1)
    {
      index += 1
    }
    let inUnit = value / units[index].1
    return (index == 0 ? significant(inUnit.rounded()) : significant(inUnit)) + " " + units[index].0
  }

  private static func pair(_ value: Int64, _ base: Int64, _ large: String, _ small: String) -> String {
    let (whole, rest) = value.quotientAndRemainder(dividingBy: base)
    return "\(grouped(whole)) \(large)" + (rest == 0 ? "" : " \(rest) \(small)")
  }
}
