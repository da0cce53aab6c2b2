package import RunRecords

/// What a terminal shows of several scenarios that were run together: a line for each as it ends, and a table of
/// all at the end.
package struct TerminalRuns {
  private static let wordWidth = 12

  /// The line of one scenario that has ended: verdict, name, cells, seconds of the machine's clock, directory.
  package static func line(
    _ run: RunRecord, nameWidth: Int, directory: String, style: TerminalStyle
  ) -> String {
    var page = TerminalPage(style: style)
    let seconds = MetricFormat.duration(Double(run.environment.wall))
    let figures = [
      TerminalPage.padded(run.scenario.name, nameWidth),
      TerminalPage.padded(RunsEntry.counted(run.cells.count, "cell", "cells"), 8, isRight: true),
      TerminalPage.padded(seconds, 7, isRight: true), TerminalPage.clean(directory),
    ]
    page.row(mark(run.verdict, page) + figures.joined(separator: "  "))
    return page.text
  }

  /// The table of all; the last line is the verdict of the whole.
  package static func table(
    _ entries: [RunsEntry], planned: Int, verdict: Verdict, style: TerminalStyle
  ) -> String {
    var page = TerminalPage(style: style)
    page.heading("Scenarios: \(entries.count { $0.verdict == .passed }) of \(planned) passed")
    let nameWidth = entries.map { TerminalPage.clean($0.name).count }.max() ?? 0
    let indent = 2 + wordWidth + 2 + nameWidth + 2
    for entry in entries {
      let lines = page.wrapped(entry.what, indent: indent, hanging: indent)
      let name = TerminalPage.padded(entry.name, nameWidth)
      page.row("  " + mark(entry.verdict, page) + name + "  " + lines[0].dropFirst(indent))
      for line in lines.dropFirst() { page.row(line) }
    }
    if entries.count < planned { page.item("\(planned - entries.count) not run") }
    page.blank()
    page.line("verdict: \(verdict.rawValue)", tint: .of(verdict), isBold: true)
    return page.text
  }

  private static func mark(_ verdict: Verdict, _ page: TerminalPage) -> String {
    let gap = String(repeating: " ", count: max(0, wordWidth - verdict.rawValue.count) + 2)
    return page.painted(verdict.rawValue, .of(verdict), verdict != .passed) + gap
  }
}
