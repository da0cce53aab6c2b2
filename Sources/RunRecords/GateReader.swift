internal import WorkloadInterface

/// Reads the parts of a gate from left to right and knows where each begins.
struct GateReader {
  private let characters: [Character]
  private var position = 0

  init(_ text: String) { characters = Array(text) }

  /// The text with runs of blanks made one.
  var squeezed: String {
    String(characters).split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private static let form = "a gate reads: metric [/ metric] < | <= | > | >= | == | != value [for strategy]"

  mutating func take(_ character: Character) -> Bool {
    skipBlanks()
    guard position < characters.count, characters[position] == character else { return false }
    position += 1
    return true
  }

  mutating func metric(_ catalogue: MetricCatalogue) throws(GateSyntaxError) -> MetricCatalogue.Resolved {
    skipBlanks()
    let start = position
    var depth = 0
    while position < characters.count {
      let character = characters[position]
      if character == "{" { depth += 1 }
      if character == "}" { depth -= 1 }
      if depth <= 0, character.isWhitespace || "<>=!/".contains(character) { break }
      position += 1
    }
    let text = String(characters[start..<position])
    guard !text.isEmpty else {
      throw GateSyntaxError("a metric is missing; \(Self.form)", offset: start, nearest: nil)
    }
    do {
      return try catalogue.resolve(text)
    } catch {
      throw GateSyntaxError(error.message, offset: start, nearest: error.nearest)
    }
  }

  mutating func comparison() throws(GateSyntaxError) -> GateExpression.Comparison {
    skipBlanks()
    let start = position
    while position < characters.count, "<>=!~".contains(characters[position]) { position += 1 }
    let text = String(characters[start..<position])
    if let known = GateExpression.Comparison(rawValue: text) { return known }
    let seen = text.isEmpty ? "a comparison is missing" : "`\(text)` is no comparison"
    throw GateSyntaxError("\(seen); \(Self.form)", offset: start, nearest: text == "=" ? "==" : nil)
  }

  mutating func value(
    unit: MetricDeclaration.Unit, of metric: MetricCatalogue.Resolved
  ) throws(GateSyntaxError) -> MetricValue {
    skipBlanks()
    let start = position
    var text = word()
    // A unit may stand apart from its number: `100 ms`.
    let mark = position
    skipBlanks()
    let next = word()
    if UnitText.isUnit(next) { text += next } else { position = mark }
    guard !text.isEmpty else {
      throw GateSyntaxError("a value is missing; \(Self.form)", offset: start, nearest: nil)
    }
    if metric.name.statistic == "count" || unit == .count || unit == .ratio {
      if unit == .ratio, text.hasSuffix("%"), let share = UnitText.plainNumber(text.dropLast()) {
        return .real(share / 100)
      }
      if let whole = Int64(text) { return .integer(whole) }
      if let real = UnitText.plainNumber(text) { return .real(real) }
      throw GateSyntaxError("`\(text)` is no plain number", offset: start, nearest: nil)
    }
    do {
      return try UnitText.value(text, unit: unit)
    } catch {
      throw GateSyntaxError(error.message, offset: start, nearest: nil)
    }
  }

  mutating func strategy() throws(GateSyntaxError) -> String? {
    skipBlanks()
    guard position < characters.count else { return nil }
    let start = position
    guard word() == "for" else {
      throw GateSyntaxError("after the value only `for STRATEGY` may follow", offset: start, nearest: nil)
    }
    skipBlanks()
    let name = word()
    skipBlanks()
    guard !name.isEmpty, position == characters.count else {
      throw GateSyntaxError("after `for` comes one strategy's name", offset: start, nearest: nil)
    }
    return name
  }

  private mutating func word() -> String {
    let start = position
    while position < characters.count, !characters[position].isWhitespace { position += 1 }
    return String(characters[start..<position])
  }

  private mutating func skipBlanks() {
    while position < characters.count, characters[position].isWhitespace { position += 1 }
  }
}
