internal import RunRecords

/// Lines of a terminal, wrapped to its width, with colour if it has any.
struct TerminalPage {
  enum Tint: String {
    case good = "32"
    case bad = "31"
    case doubtful = "33"
    case faint = "2"
    case none = ""

    static func of(_ verdict: Verdict) -> Tint {
      switch verdict {
      case .passed: .good
      case .inconclusive, .noBaseline: .doubtful
      default: .bad
      }
    }
  }

  let style: TerminalStyle
  private(set) var text = ""

  init(style: TerminalStyle) { self.style = style }

  mutating func blank() { text += "\n" }

  mutating func line(_ line: String, tint: Tint = .none, isBold: Bool = false) {
    text += painted(line, tint, isBold) + "\n"
  }

  mutating func heading(_ name: String) {
    blank()
    line(name, isBold: true)
  }

  mutating func paragraph(_ words: String, tint: Tint = .none, isBold: Bool = false) {
    for part in wrapped(words, indent: 0, hanging: 2) { line(part, tint: tint, isBold: isBold) }
  }

  mutating func item(_ words: String, indent: Int = 2) {
    for part in wrapped(words, indent: indent, hanging: indent + 2) { line(part) }
  }

  mutating func pair(_ name: String, _ value: String) {
    let label = "  " + Self.padded(name, 22) + "  "
    for (index, part) in wrapped(value, indent: label.count, hanging: label.count).enumerated() {
      line(index == 0 ? label + part.dropFirst(label.count) : part)
    }
  }

  /// A list whose items are not broken: after its first words, wrapped between items.
  mutating func items(_ lead: String, _ items: [String], indent: Int = 2) {
    var current = String(repeating: " ", count: indent) + lead
    var isFirst = true
    for item in items.map(Self.clean) {
      let joint = isFirst ? (lead.isEmpty ? "" : " ") : " · "
      if !isFirst, current.count + joint.count + item.count > style.width {
        line(current + " ·")
        current = String(repeating: " ", count: indent + 2) + item
      } else {
        current += joint + item
      }
      isFirst = false
    }
    line(current)
  }

  /// A line with a verdict's word before it, wrapped.
  mutating func marked(_ verdict: Verdict, _ words: String, width: Int = 12) {
    let word = Self.word(verdict)
    let indent = 2 + width + 2
    for (index, part) in wrapped(words, indent: indent, hanging: indent).enumerated() {
      guard index == 0 else {
        line(part)
        continue
      }
      let gap = String(repeating: " ", count: max(1, indent - 2 - word.count))
      row("  " + painted(word, .of(verdict), verdict != .passed) + gap + part.dropFirst(indent))
    }
  }

  /// A verdict's word before a line of a list.
  static func word(_ verdict: Verdict) -> String {
    verdict == .passed ? "pass" : verdict == .failed ? "FAIL" : verdict.rawValue
  }

  /// A line made of parts that are painted and cleaned already.
  mutating func row(_ row: String, tint: Tint = .none) {
    if tint == .none { text += row.trimmedEnd + "\n" } else { line(row.trimmedEnd, tint: tint) }
  }

  /// The text, cut to so many columns.
  func cut(_ text: String, to width: Int) -> String {
    let text = Self.clean(text)
    return text.count <= width ? text : text.prefix(max(1, width - 1)) + "…"
  }

  static func padded(_ text: String, _ width: Int, isRight: Bool = false) -> String {
    let text = clean(text)
    let blanks = String(repeating: " ", count: max(0, width - text.count))
    return isRight ? blanks + text : text + blanks
  }

  /// The text with control characters made visible, so that a name cannot steer the terminal or break a line.
  static func clean(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      return text
    }
    var clean = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": clean.append(contentsOf: "\\n".unicodeScalars)
      case "\t": clean.append(" ")
      default: clean.append(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
      }
    }
    return String(clean)
  }

  func wrapped(_ words: String, indent: Int, hanging: Int) -> [String] {
    var lines: [String] = []
    var current = String(repeating: " ", count: indent)
    var isEmpty = true
    for word in Self.clean(words).split(separator: " ") {
      if !isEmpty, current.count + 1 + word.count > style.width {
        lines.append(current)
        current = String(repeating: " ", count: hanging)
        isEmpty = true
      }
      current += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    // A no-break space has kept words together; on the page it is a blank.
    return (lines + [current]).map { $0.replacing("\u{A0}", with: " ") }
  }

  /// The text in a colour, if there are colours.
  func painted(_ text: String, _ tint: Tint, _ isBold: Bool) -> String {
    let codes = [isBold ? "1" : "", tint.rawValue].filter { !$0.isEmpty }
    guard style.color, !codes.isEmpty else { return Self.clean(text) }
    return "\u{1B}[\(codes.joined(separator: ";"))m\(Self.clean(text))\u{1B}[0m"
  }
}

extension String {
  /// The text without blanks at its end.
  var trimmedEnd: String {
    var text = Substring(self)
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
