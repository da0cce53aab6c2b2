/// One fault of a scenario file, with its place and what to do about it.
package struct ScenarioDiagnostic: Error, Sendable, Hashable {
  /// The file as it was given, or `--set`, `--seed`, `--strategy` for a fault of the command line.
  package var file: String
  /// From 1.
  package var line: Int
  /// From 1, in characters.
  package var column: Int
  /// What is wrong.
  package var message: String
  /// The offending text, cut when it is long; nil where a whole file is at fault.
  package var text: String?
  /// What is allowed there.
  package var allowed: String?
  /// The nearest name that would do.
  package var nearest: String?
  /// The line it stands in, for display; nil when there is none.
  package var sourceLine: String?

  /// Makes a diagnostic.
  package init(
    file: String, line: Int = 1, column: Int = 1, message: String, text: String? = nil,
    allowed: String? = nil, nearest: String? = nil, sourceLine: String? = nil
  ) {
    self.file = file
    self.line = line
    self.column = column
    self.message = message
    self.text = text
    self.allowed = allowed
    self.nearest = nearest
    self.sourceLine = sourceLine
  }
}

extension ScenarioDiagnostic: CustomStringConvertible {
  /// `file:line:column: error: message`, the line with a caret under the offending text, and hints.
  package var description: String {
    var rows = ["\(Self.printable(file)):\(line):\(column): error: \(Self.printable(message))"]
    if let sourceLine { rows += excerpt(sourceLine) }
    if let allowed { rows += Self.wrapped("  allowed: ", Self.printable(allowed)) }
    if let nearest { rows.append("  did you mean `\(Self.printable(nearest))`?") }
    return rows.joined(separator: "\n")
  }

  private static let widest = 100

  /// A long list goes on in lines of its own, so that a terminal does not break its words.
  private static func wrapped(_ lead: String, _ text: String) -> [String] {
    guard lead.count + text.count > widest else { return [lead + text] }
    let narrow = 80
    var rows: [String] = []
    var row = lead
    for word in text.split(separator: " ") {
      if row.count > lead.count, row.count + word.count >= narrow {
        rows.append(row)
        row = String(repeating: " ", count: lead.count)
      }
      row += (row.count > lead.count ? " " : "") + word
    }
    return rows + [row]
  }

  /// The part of the line around the column, and a row with the caret.
  private func excerpt(_ sourceLine: String) -> [String] {
    let scalars = Array(sourceLine.unicodeScalars)
    let place = min(max(column - 1, 0), scalars.count)
    let from = place > Self.widest * 3 / 4 ? place - Self.widest / 2 : 0
    let shown = scalars[from..<min(scalars.count, from + Self.widest)]
    let pad = scalars[from..<place].map { $0 == "\t" ? "\t" : " " }.joined()
    let width = max(1, min(text?.unicodeScalars.count ?? 1, shown.endIndex - place))
    var line = String.UnicodeScalarView()
    line.append(contentsOf: shown)
    let cutBefore = from > 0 ? "…" : ""
    let cutAfter = shown.endIndex < scalars.count ? "…" : ""
    return [
      "  " + cutBefore + Self.printable(String(line), keepingTabs: true) + cutAfter,
      "  " + (from > 0 ? " " : "") + pad + "^" + String(repeating: "~", count: width - 1),
    ]
  }

  /// Text without control characters, which could drive a terminal; each becomes one `�`.
  static func printable(_ text: String, keepingTabs: Bool = false) -> String {
    var clean = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isControl =
        scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
      clean.append(isControl && !(keepingTabs && scalar == "\t") ? "\u{FFFD}" : scalar)
    }
    return String(clean)
  }

  /// A text cut to a length that fits a message.
  static func short(_ text: String) -> String {
    text.unicodeScalars.count <= 60
      ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(57))) + "…"
  }
}

/// All faults that were found; nothing runs.
package struct ScenarioErrors: Error, Sendable, CustomStringConvertible {
  /// The faults, by file in the order read, then by place; never empty.
  package let diagnostics: [ScenarioDiagnostic]

  /// Holds the faults of one or of several files.
  package init(_ diagnostics: [ScenarioDiagnostic]) { self.diagnostics = diagnostics }

  package var description: String {
    let count = diagnostics.count == 1 ? "1 error" : "\(diagnostics.count) errors"
    return diagnostics.map(\.description).joined(separator: "\n") + "\n\(count); nothing was run"
  }
}
