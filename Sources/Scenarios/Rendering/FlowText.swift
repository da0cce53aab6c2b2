internal import SeededDraws
internal import WorkloadInterface

/// Writes values as YAML in one line.
enum FlowText {
  /// `{ a: 1, b: 2 }`
  static func mapping(_ entries: [(String, String)]) -> String {
    entries.isEmpty ? "{}" : "{ " + entries.map { "\(key($0.0)): \($0.1)" }.joined(separator: ", ") + " }"
  }

  /// `[1, 2]`
  static func list(_ elements: [String]) -> String { "[" + elements.joined(separator: ", ") + "]" }

  /// A key, quoted where it must be.
  static func key(_ name: String) -> String { word(name) }

  /// A text without quotes where it reads back as itself, else quoted.
  static func word(_ text: String) -> String {
    let isPlain =
      text.utf8.first.map { (65...90).contains($0 & 0xDF) } ?? false
      && text.utf8.allSatisfy { byte in
        (48...57).contains(byte) || (65...90).contains(byte & 0xDF) || "._-".utf8.contains(byte)
      }
    return isPlain && !["null", "true", "false"].contains(text) ? text : quoted(text)
  }

  /// A text in double quotes, in one line.
  static func quoted(_ text: String) -> String {
    var out = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": out += "\\\""
      case "\\": out += "\\\\"
      case "\n": out += "\\n"
      case "\t": out += "\\t"
      default:
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
          let digits = String(scalar.value, radix: 16, uppercase: true)
          out += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
        default: out.unicodeScalars.append(scalar)
        }
      }
    }
    return out + "\""
  }

  static func distribution(_ distribution: Distribution) -> String { mapping([entry(of: distribution)]) }

  /// The kind of a distribution and its parameters.
  static func entry(of distribution: Distribution) -> (String, String) {
    func two(_ first: String, _ one: Int64, _ second: String, _ other: Int64) -> String {
      mapping([(first, FigureText.duration(one)), (second, FigureText.duration(other))])
    }
    switch distribution.shape {
    case .constant(let value): return ("constant", FigureText.duration(value))
    case .uniform(let from, let to): return ("uniform", two("from", from, "to", to))
    case .exponential(let mean): return ("exponential", mapping([("mean", FigureText.duration(mean))]))
    case .lognormal(let median, let p99): return ("lognormal", two("median", median, "p99", p99))
    case .pareto(let minimum, let p99): return ("pareto", two("minimum", minimum, "p99", p99))
    case .paretoShape(let minimum, let shape):
      return (
        "pareto", mapping([("minimum", FigureText.duration(minimum)), ("shape", FigureText.plain(shape))])
      )
    case .sequence(let values): return ("sequence", list(values.map(FigureText.duration)))
    }
  }

  static func value(_ value: ParameterValue, _ kind: ParameterDeclaration.Kind) -> String {
    switch value {
    case .integer(let value): return String(value)
    case .share(let share): return FigureText.share(share)
    case .duration(let value): return FigureText.duration(value)
    case .distribution(let value): return distribution(value)
    case .choice(let text): return word(text)
    case .boolean(let flag): return flag ? "true" : "false"
    case .record(let values):
      guard case .record(let declared) = kind else { return "{}" }
      return mapping(entries(values, declared))
    }
  }

  /// Values in the order they are declared in.
  static func entries(_ values: ParameterValues, _ declared: [ParameterDeclaration]) -> [(String, String)] {
    declared.compactMap { parameter in
      values.values[parameter.name].map { (parameter.name, value($0, parameter.kind)) }
    }
  }

  static func failure(_ failure: FailureScript) -> String {
    var entries = [("kind", failure.kind.rawValue)]
    switch failure.selector {
    case .share(let share): entries.append(("share", FigureText.share(share)))
    case .calls(let calls): entries.append(("calls", list(calls.map(String.init))))
    case .every(let number): entries.append(("every", String(number)))
    case .window(let from, let to):
      entries.append(("from", FigureText.duration(from)))
      entries.append(("to", FigureText.duration(to)))
    }
    if let after = failure.after { entries.append(("after", FigureText.duration(after))) }
    if let count = failure.afterTokens { entries.append(("after-tokens", String(count))) }
    return mapping(entries)
  }
}
