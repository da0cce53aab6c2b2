package import WorkloadInterface

/// Reads and writes figures with units: `250ms`, `40/s`, `64KiB`, `5%`.
package enum UnitText {
  /// A text that carries no unit, the wrong one, or no number.
  package struct Failure: Error, Sendable {
    /// What is wrong and what is allowed.
    package let message: String

    package init(_ message: String) { self.message = message }
  }

  /// Units of time and their length in ns, the shortest first.
  static let times: [(String, Int64)] = [
    ("ns", 1), ("us", 1_000), ("µs", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000),
    ("min", 60_000_000_000), ("h", 3_600_000_000_000),
  ]
  static let sizes: [(String, Int64)] = [
    ("B", 1), ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("kB", 1_000), ("MB", 1_000_000),
    ("GB", 1_000_000_000),
  ]

  /// Whether a word is a unit alone, as in `100 ms` or `40 /s`.
  static func isUnit(_ word: String) -> Bool {
    let isTime = { (text: Substring) in times.contains { $0.0 == text } }
    return word == "%" || isTime(word[...]) || sizes.contains { $0.0 == word }
      || word.hasPrefix("/") && isTime(word.dropFirst())
  }

  /// A duration in ns: `250ms`, `1.5s`, `0s`; units ns, us, ms, s, min, h.
  package static func duration(_ text: String) throws(Failure) -> Int64 {
    let (number, unit) = split(text)
    guard let scale = times.first(where: { $0.0 == unit })?.1 else {
      throw Failure("`\(text)` is no duration: write a number with ns, us, ms, s, min or h, e.g. `250ms`")
    }
    return try scaled(number, by: scale, text: text, what: "duration")
  }

  /// A size in bytes: `64KiB`.
  package static func size(_ text: String) throws(Failure) -> Int64 {
    let (number, unit) = split(text)
    guard let scale = sizes.first(where: { $0.0 == unit })?.1 else {
      throw Failure("`\(text)` is no size: write a number with B, KiB, MiB, GiB, kB, MB or GB, e.g. `64KiB`")
    }
    return try scaled(number, by: scale, text: text, what: "size")
  }

  /// A rate: `40/s`, `0.4/s`, `2/min`, `1000/h`.
  package static func rate(_ text: String) throws(Failure) -> Rate {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let per = times.first(where: { $0.0 == parts[1] })?.1 else {
      throw Failure("`\(text)` is no rate: write a number of starts per time, e.g. `40/s` or `2/min`")
    }
    return Rate(millionths: try scaled(String(parts[0]), by: 1_000_000, text: text, what: "rate"), per: per)
  }

  /// A share from 0 to 1: `5%`.
  package static func share(_ text: String) throws(Failure) -> Double {
    guard text.hasSuffix("%"), let number = plainNumber(text.dropLast()), (0...100).contains(number)
    else { throw Failure("`\(text)` is no share: write a percentage from 0% to 100%") }
    return number / 100
  }

  /// A value in a metric's unit.
  package static func value(_ text: String, unit: MetricDeclaration.Unit) throws(Failure) -> MetricValue {
    switch unit {
    case .nanoseconds: return .integer(try duration(text))
    case .bytes: return .integer(try size(text))
    case .perSecond: return .real(try rate(text).perSecond)
    case .ratio where text.hasSuffix("%"): return .real(try share(text))
    case .ratio, .count:
      guard let number = plainNumber(text) else { throw Failure("`\(text)` is no number") }
      return Int64(text).map(MetricValue.integer) ?? .real(number)
    }
  }

  private static func split(_ text: String) -> (String, String) {
    let number = text.prefix { $0.isNumber || $0 == "." || $0 == "-" }
    return (String(number), String(text.dropFirst(number.count)))
  }

  /// A number in plain decimal digits, with a sign, a fraction or an exponent; nil for words (`nan`) and for
  /// hexadecimal, which the standard library would read.
  package static func plainNumber(_ text: some StringProtocol) -> Double? {
    guard text.utf8.first.map({ $0 != UInt8(ascii: "+") }) ?? false,
      text.utf8.allSatisfy({ "0123456789.-+eE".utf8.contains($0) }), let number = Double(text),
      number.isFinite
    else { return nil }
    return number
  }

  /// Multiplies a decimal text exactly; more digits than the scale can hold are refused, not rounded.
  private static func scaled(
    _ number: String, by scale: Int64, text: String, what: String
  ) throws(Failure) -> Int64 {
    if number.isEmpty { throw Failure("`\(text)` is no \(what): the number is missing") }
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count),
      parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } })
    else { throw Failure("`\(text)` is no \(what): the number is not a plain decimal of 0 or more") }
    guard let whole = Int64(parts[0]),
      case let (value, tooBig) = whole.multipliedReportingOverflow(by: scale), !tooBig
    else { throw Failure("`\(text)` is too large a \(what)") }
    guard parts.count == 2 else { return value }
    var digits = parts[1]
    while digits.last == "0" { digits.removeLast() }
    guard !digits.isEmpty else { return value }
    guard digits.utf8.count <= 18, let fraction = UInt64(digits) else {
      throw Failure("`\(text)` has more digits than a \(what) can hold")
    }
    let power = (0..<digits.utf8.count).reduce(UInt64(1)) { power, _ in power * 10 }
    let product = fraction.multipliedFullWidth(by: UInt64(scale))
    let (share, remainder) = power.dividingFullWidth(product)
    guard remainder == 0 else { throw Failure("`\(text)` has more digits than a \(what) can hold") }
    let (sum, overflow) = value.addingReportingOverflow(Int64(share))
    guard !overflow else { throw Failure("`\(text)` is too large a \(what)") }
    return sum
  }
}
