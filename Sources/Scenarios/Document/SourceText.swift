/// A text that is read, with the name that diagnostics call it by.
final class SourceText: Sendable {
  let name: String
  /// Lines without their ends; LF, CR LF and CR end a line, as in YAML.
  private let lines: [String]

  init(name: String, text: String) {
    self.name = name
    var rest = text.unicodeScalars[...]
    if rest.first == "\u{FEFF}" { rest.removeFirst() }
    var lines: [String] = []
    while let end = rest.firstIndex(where: { $0 == "\n" || $0 == "\r" }) {
      lines.append(String(rest[..<end]))
      let isPair = rest[end] == "\r" && rest[rest.index(after: end)...].first == "\n"
      rest = rest[rest.index(end, offsetBy: isPair ? 2 : 1)...]
    }
    lines.append(String(rest))
    self.lines = lines
  }

  /// Where the first tab stands that only blanks stand before; nil where there is none. From 1.
  var firstIndentingTab: (line: Int, column: Int)? {
    for (index, line) in lines.enumerated() {
      let blanks = line.prefix { $0 == " " }.count
      if line.dropFirst(blanks).first == "\t" { return (index + 1, blanks + 1) }
    }
    return nil
  }

  /// The line of that number, from 1.
  func line(_ number: Int) -> String? { lines.indices.contains(number - 1) ? lines[number - 1] : nil }
}

/// A place in a text; line and column from 1, the column in characters.
struct SourcePosition: Sendable {
  let source: SourceText
  var line: Int
  var column: Int

  /// The place so many characters further on in the same line.
  func advanced(by characters: Int) -> SourcePosition {
    SourcePosition(source: source, line: line, column: column + characters)
  }
}
