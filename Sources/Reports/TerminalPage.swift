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

  private let style: TerminalStyle
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

  mutating func marked(_ verdict: Verdict, _ words: String) {
    let word = verdict == .passed ? "pass" : verdict == .failed ? "FAIL" : verdict.rawValue
    let mark = "  " + painted(word, .of(verdict), verdict != .passed)
    text +=
      mark + String(repeating: " ", count: max(1, 14 - word.count)) + Self.clean(words).trimmedEnd + "\n"
  }

  /// A table of strategies; where it is wider than the terminal it is cut into several, each with the first.
  mutating func table(_ table: StrategyColumns) {
    guard !table.rows.isEmpty else { return item("no samples") }
    let metricWidth = table.rows.map(\.metric.count).max() ?? 0
    let widths = table.names.indices.map { column in
      let figures = table.rows.map { Self.cell($0.cells[column]).count }.max() ?? 0
      return max(Self.clean(table.names[column]).count, figures)
    }
    var start = 1
    repeat {
      var columns = [0]
      var used = 2 + metricWidth + 2 + widths[0]
      while start < table.names.count, columns.count == 1 || used + 2 + widths[start] <= style.width {
        used += 2 + widths[start]
        columns.append(start)
        start += 1
      }
      rows(of: table, columns: columns, widths: widths, metricWidth: metricWidth)
      if start < table.names.count { blank() }
    } while start < table.names.count
    if let footnote = table.footnote { item(footnote) }
  }

  private mutating func rows(of table: StrategyColumns, columns: [Int], widths: [Int], metricWidth: Int) {
    let head = columns.map { Self.padded(table.names[$0], widths[$0], isRight: true) }
    line("  " + Self.padded("", metricWidth) + "  " + head.joined(separator: "  "), tint: .faint)
    for row in table.rows {
      let cells = columns.map { Self.padded(Self.cell(row.cells[$0]), widths[$0], isRight: true) }
      line(("  " + Self.padded(row.metric, metricWidth) + "  " + cells.joined(separator: "  ")).trimmedEnd)
    }
  }

  private static func cell(_ cell: (value: String, ratio: String)) -> String {
    cell.ratio.isEmpty ? cell.value : "\(cell.value)  \(padded(cell.ratio, 6, isRight: true))"
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

  private func wrapped(_ words: String, indent: Int, hanging: Int) -> [String] {
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
    return lines + [current]
  }

  private func painted(_ text: String, _ tint: Tint, _ isBold: Bool) -> String {
    let codes = [isBold ? "1" : "", tint.rawValue].filter { !$0.isEmpty }
    guard style.color, !codes.isEmpty else { return Self.clean(text) }
    return "\u{1B}[\(codes.joined(separator: ";"))m\(Self.clean(text))\u{1B}[0m"
  }
}

extension String {
  fileprivate var trimmedEnd: String {
    var text = Substring(self)
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
