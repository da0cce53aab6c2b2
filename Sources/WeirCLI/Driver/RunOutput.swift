internal import Glibc
internal import Reports
internal import RunRecords
internal import WorkloadInterface

/// What `run` and `report` print on the standard output, in the format asked for.
struct RunOutput {
  /// One of the choices of `--format`; nil is text.
  let format: String?
  /// The choice of `--color`.
  let colour: String?
  /// Where the workloads' words are found.
  let tool: Tool

  /// Columns for the names of several scenarios that are run together; nil for one alone.
  var nameWidth: Int?

  private var isText: Bool { format == nil || format == "text" }

  /// Prints one run. Of several in text, one that passed has a line alone.
  func print(_ run: RunRecord, in directory: String) throws(WorkFailure) {
    if isText, let nameWidth {
      StandardStreams.print(
        TerminalRuns.line(run, nameWidth: nameWidth, directory: directory, style: style))
      if run.verdict == .passed { return }
      StandardStreams.print("\n")
    }
    let glossary = Glossary(of: tool.workloads.map(\.declaration).first { $0.name == run.scenario.pipeline })
    let text =
      switch format {
      case "json": try RunDirectory.json(run)
      case "csv": MetricsCSV.text(run, glossary: glossary)
      case "markdown": SummaryMarkdown.text(run, glossary: glossary)
      case "junit": JUnit.text(run, glossary: glossary)
      default: TerminalSummary.text(run, style: style, glossary: glossary)
      }
    StandardStreams.print(text)
    if isText, nameWidth != nil { StandardStreams.print("\n") }
  }

  /// Prints what stands last: of several the table, and the word of the whole. Machine formats stay whole, so it
  /// goes to the standard error then.
  ///
  /// - Parameter hasSummary: Whether the summary of one run was printed, which ends in the word; of one that could
  ///   not begin there is none.
  func close(_ verdict: Verdict, runs: [RunsEntry], planned: Int, hasSummary: Bool = true) {
    let word = "verdict: \(verdict.rawValue)\n"
    guard isText else { return StandardStreams.error(word) }
    guard nameWidth != nil else {
      if !hasSummary { StandardStreams.print(word) }
      return
    }
    StandardStreams.print(TerminalRuns.table(runs, planned: planned, verdict: verdict, style: style))
  }

  private var style: TerminalStyle {
    TerminalStyle(
      color: Colour.isUsed(colour, on: STDOUT_FILENO),
      width: StandardStreams.width(STDOUT_FILENO))
  }
}
