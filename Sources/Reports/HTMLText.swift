/// Builds HTML out of texts; every text that comes from a record is escaped here, once.
enum HTML {
  /// A text as it is to be shown, safe in content and in quoted attributes.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      case "\r": escaped += "&#13;"
      case "\t", "\n": escaped.unicodeScalars.append(scalar)
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// An element around markup that is already safe.
  static func element(_ name: String, _ attributes: [(String, String)] = [], _ markup: String) -> String {
    let head = attributes.map { " \($0.0)=\"\(escaped($0.1))\"" }.joined()
    return "<\(name)\(head)>\(markup)</\(name)>"
  }

  /// An element around a text.
  static func words(_ name: String, _ text: String, class: String = "") -> String {
    element(name, `class`.isEmpty ? [] : [("class", `class`)], escaped(text))
  }

  /// A sentence in which what stands between backticks is code.
  static func prose(_ text: String) -> String {
    let parts = text.split(separator: "`", omittingEmptySubsequences: false)
    // A backtick without its partner is one like any other sign.
    guard parts.count > 1, parts.count % 2 == 1 else { return escaped(text) }
    return parts.enumerated().map { $0 % 2 == 1 ? words("code", String($1)) : escaped(String($1)) }.joined()
  }

  /// A chain of calls, `in a() ← b() ← c()`: a line for each of its functions.
  static func chain(_ text: String) -> String {
    let frames = RunOutline.frames(text)
    return escaped(frames[0]) + frames.dropFirst().map { words("span", $0, class: "frame") }.joined()
  }

  /// A metric's name, or a gate with one, which may break after its dots and before its label.
  static func metric(_ name: String, title: String? = nil) -> String {
    // Not between the digits of `p99.9` or `0.25`.
    var breakable = ""
    var last: Character = " "
    for character in name {
      if character == "{" || (last == "." && !character.isNumber) { breakable += "<wbr>" }
      breakable += escaped(String(character))
      last = character
    }
    return element("code", title.map { [("title", $0)] } ?? [], breakable)
  }

  /// A section with a heading.
  static func section(_ id: String, _ title: String, _ markup: String) -> String {
    element("section", [("id", id)], "\n" + words("h2", title) + "\n" + markup) + "\n"
  }

  /// A table: the first cell of each row is its header. Cells are markup that is already safe. It stands in a frame that
  /// scrolls sideways, with a shadow where something is out of sight; of the class `stacked` it needs none on a phone:
  /// each row is a block there, and a cell whose head is in `labels` says it.
  static func table(
    caption: String? = nil, head: [String], rows: [[String]], class: String = "", numeric: Bool = true,
    labels: Set<String> = []
  ) -> String {
    let top = head.enumerated().map { index, name in
      element("th", [("scope", "col")] + (numeric && index > 0 ? [("class", "n")] : []), escaped(name))
    }
    let body = rows.map { row in
      let cells = row.enumerated().map { index, markup in
        index == 0
          ? element("th", [("scope", "row")], markup)
          : element(
            "td",
            (numeric ? [("class", "n")] : [])
              + (labels.contains(head[index]) ? [("data-label", head[index])] : []),
            markup)
      }
      return element("tr", [], cells.joined())
    }
    let table =
      (caption.map { words("caption", $0) } ?? "") + element("thead", [], element("tr", [], top.joined()))
      + "\n"
      + element("tbody", [], body.joined(separator: "\n"))
    let inner = element("table", `class`.isEmpty ? [] : [("class", `class`)], table)
    let attributes = [
      ("class", "scroll"), ("tabindex", "0"), ("role", "region"), ("aria-label", caption ?? head[0]),
    ]
    return element("div", attributes, inner) + "\n"
  }

  /// A part that opens on demand, without scripts.
  static func details(_ summary: String, _ markup: String) -> String {
    element("details", [], words("summary", summary) + "\n" + markup) + "\n"
  }

  /// A verdict's word with its colour's class.
  static func verdict(_ word: String) -> String {
    element("span", [("class", "v v-\(word.replacing(" ", with: "-"))")], escaped(word))
  }

  /// A bar of a share of the width; presentation attributes, so that it shows under a policy without styles.
  static func bar(_ share: Double) -> String {
    let width = (min(1, max(0, share.isFinite ? share : 0)) * 1_000).rounded() / 10
    return "<svg class=\"bar\" width=\"100%\" height=\"4\" aria-hidden=\"true\">"
      + "<rect width=\"\(width)%\" height=\"4\"/></svg>"
  }
}
