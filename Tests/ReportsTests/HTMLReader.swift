/// Reads HTML just well enough to check it: elements must nest, and texts come back as a browser shows them.
struct HTMLReader {
  struct Failure: Error { var message: String }

  /// Every opened element and its attributes as written.
  private(set) var opened: [(name: String, attributes: String)] = []
  /// For each table the texts of its rows.
  private(set) var tables: [[[String]]] = []
  /// The text of every element, inner ones included, with its attributes as written.
  private var texts: [(name: String, attributes: String, text: String)] = []
  /// All text outside scripts and styles.
  private(set) var text = ""
  /// The content of scripts.
  private(set) var scripts: [String] = []

  private static let void: Set = ["meta", "rect", "wbr", "br", "link"]

  init(_ source: String) throws {
    var rest = Substring(source)
    var stack: [String] = []
    var starts: [(attributes: String, offset: Int)] = []
    var cell: String?
    while let open = rest.firstIndex(of: "<") {
      let words = Self.unescaped(rest[..<open])
      text += words
      cell?.append(words)
      rest = rest[rest.index(after: open)...]
      guard let close = rest.firstIndex(of: ">") else { throw Failure(message: "a tag is not closed") }
      let tag = rest[..<close]
      rest = rest[rest.index(after: close)...]
      if tag.hasPrefix("!") { continue }
      if tag.hasPrefix("/") {
        let name = String(tag.dropFirst())
        guard stack.popLast() == name else { throw Failure(message: "</\(name)> closes another element") }
        let start = starts.removeLast()
        texts.append((name, start.attributes, String(text.dropFirst(start.offset))))
        if name == "td" || name == "th", let done = cell {
          tables[tables.count - 1][tables[tables.count - 1].count - 1].append(done)
          cell = nil
        }
        continue
      }
      let name = String(tag.prefix { !$0.isWhitespace && $0 != "/" })
      opened.append((name, String(tag.dropFirst(name.count))))
      if Self.void.contains(name) || tag.hasSuffix("/") { continue }
      if name == "script" || name == "style" {
        guard let end = rest.firstRange(of: "</\(name)>") else {
          throw Failure(message: "\(name) is not closed")
        }
        if name == "script" { scripts.append(String(rest[..<end.lowerBound])) }
        rest = rest[end.upperBound...]
        continue
      }
      stack.append(name)
      starts.append((String(tag.dropFirst(name.count)), text.count))
      if name == "table" { tables.append([]) }
      if name == "tr" { tables[tables.count - 1].append([]) }
      if name == "td" || name == "th" { cell = "" }
    }
    guard stack.isEmpty else { throw Failure(message: "\(stack) are not closed") }
  }

  /// The texts of all elements of a name whose attributes have `part` in them.
  func words(of name: String, with part: String = "") -> [String] {
    texts.filter { $0.name == name && (part.isEmpty || $0.attributes.contains(part)) }.map(\.text)
  }

  private static func unescaped(_ text: Substring) -> String {
    var plain = String(text)
    for (form, sign) in [
      ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&#13;", "\r"), ("&amp;", "&"),
    ] {
      plain = plain.replacing(form, with: sign)
    }
    return plain
  }
}
