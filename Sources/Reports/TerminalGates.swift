internal import RunRecords

/// Gates on a terminal: those that did not pass first and in full, then the others, a line each.
extension TerminalPage {
  /// All gates of a run.
  mutating func gates(_ lines: [GateLine]) {
    let open = lines.filter { !$0.holds }
    let passed = lines.filter(\.holds)
    let all = Set(lines.map(\.gate)).count
    let unjudged = Set(lines.filter { !$0.isJudged }.map(\.gate)).count
    heading(
      "Gates: \(all - Set(open.map(\.gate)).count) of \(all) hold"
        + (unjudged == 0 ? "" : ", \(unjudged) not judged"))
    table(open.map { Entry($0, isShort: false) })
    table(passed.map { Entry($0, isShort: true) })
  }

  private struct Entry {
    let line: GateLine
    var gate: String
    var cells: [String]

    /// A gate that names the strategy it is judged for needs not be told twice where; in a short line the
    /// strategy stands under `where` alone.
    init(_ line: GateLine, isShort: Bool) {
      self.line = line
      gate = TerminalPage.clean(line.gate)
      let suffix = " for " + TerminalPage.clean(line.place)
      if isShort, gate.hasSuffix(suffix) { gate.removeLast(suffix.count) }
      cells = [line.actual, line.margin, line.place].map(TerminalPage.clean)
    }

    /// What stands before the gate.
    var mark: String { line.isJudged ? TerminalPage.word(line.verdict) : GateLine.notJudged }
  }

  private mutating func table(_ entries: [Entry]) {
    guard !entries.isEmpty else { return }
    let markWidth = entries.map(\.mark.count).max() ?? 0
    let widths = (0..<3).map { column in entries.map { $0.cells[column].count }.max() ?? 0 }
    let indent = 2 + markWidth + 2
    let figures = widths.reduce(0) { $0 + ($1 > 0 ? $1 + 2 : 0) }
    let room = max(24, style.width - indent - figures)
    let gateWidth = min(room, entries.map(\.gate.count).max() ?? 0)
    for entry in entries {
      let mark =
        "  " + painted(entry.mark, .of(entry.line.verdict), !entry.line.holds)
        + String(repeating: " ", count: markWidth - entry.mark.count + 2)
      let cells = zip(entry.cells, widths).filter { $1 > 0 }.map { "  " + Self.padded($0, $1) }.joined()
      if entry.gate.count <= gateWidth {
        row(mark + Self.padded(entry.gate, gateWidth) + cells)
      } else {
        // A name too long for its column has a line for itself, so that the figures stay in line.
        row(mark + entry.gate)
        row(String(repeating: " ", count: indent + gateWidth) + cells)
      }
      if let reason = entry.line.reason { item(reason, indent: indent) }
    }
  }
}
