internal import Glibc

/// Help texts, made from the declarations of commands and options.
enum HelpText {
  /// What reads well, or the terminal's columns where those are fewer.
  private static var width: Int { min(100, StandardStreams.width(STDOUT_FILENO)) }

  /// What `weir help` prints.
  static func overview(_ commands: [CommandDeclaration]) -> String {
    var lines = [
      "Weir \(WeirVersion.current): load-tests and profiles Swift concurrency pipelines.", "",
      "Usage: weir COMMAND [OPTION…] …", "", "Commands:",
    ]
    lines += table(
      commands.map { ([$0.name, $0.operands].filter { !$0.isEmpty }.joined(separator: " "), $0.about) })
    lines += ["", "Options of every command:"]
    lines += table(CommandDeclaration.commonOptions.map(row))
    lines += ["", "`weir help COMMAND` says more. Exit codes: `weir explain exit-codes`."]
    return lines.joined(separator: "\n") + "\n"
  }

  /// What `weir` without a command prints.
  static func short(_ commands: [CommandDeclaration]) -> String {
    "Usage: weir COMMAND [OPTION…] …\n"
      + "Commands: \(commands.map(\.name).joined(separator: ", ")). `weir help` says more.\n"
  }

  /// What `weir help COMMAND` prints.
  static func command(_ command: CommandDeclaration) -> String {
    let operands = command.operands.isEmpty ? "" : " " + command.operands
    var lines = ["Usage: weir \(command.name)\(operands) [OPTION…]", ""] + wrap(command.about, indent: 0)
    if !command.details.isEmpty { lines += [""] + fitted(command.details) }
    lines += ["", "Options:"] + table(command.allOptions.map(row))
    return lines.joined(separator: "\n") + "\n"
  }

  /// Paragraphs as they are written, or wrapped anew where the page is narrower; what is indented stays as it is.
  private static func fitted(_ details: [String]) -> [String] {
    guard details.contains(where: { $0.count > width }) else { return details }
    var lines: [String] = []
    var paragraph: [String] = []
    for line in details + [""] {
      if line.isEmpty || line.first == " " {
        lines += wrap(paragraph.joined(separator: " "), indent: 0) + [line]
        paragraph = []
      } else {
        paragraph.append(line)
      }
    }
    return lines.dropLast()
  }

  private static func row(_ option: OptionDeclaration) -> (String, String) {
    ((option.short.map { "-\($0), " } ?? "    ") + option.synopsis, option.about)
  }

  /// Two columns; the second is wrapped.
  static func table(_ rows: [(String, String)]) -> [String] {
    let column = min(30, rows.map(\.0.count).max() ?? 0) + 4
    return rows.flatMap { name, about in
      let text = wrap(about, indent: column)
      let head = "  " + name
      guard head.count + 2 <= column, let first = text.first else { return [head] + text }
      let padding = String(repeating: " ", count: column - head.count)
      return [head + padding + first.drop { $0 == " " }] + text.dropFirst()
    }
  }

  /// Breaks a text at blanks so that each line, indented, fits the width.
  static func wrap(_ text: String, indent: Int) -> [String] {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, indent + line.count + 1 + word.count > width {
        lines.append(margin + line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return line.isEmpty ? lines : lines + [margin + line]
  }
}
