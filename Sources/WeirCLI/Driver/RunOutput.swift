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

  /// Prints one run.
  func print(_ run: RunRecord) throws(WorkFailure) {
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
  }

  /// Prints what stands last: the word of the whole. Machine formats stay whole, so it goes to the standard
  /// error then.
  func close(_ index: RunsIndex, isShared: Bool) throws(WorkFailure) {
    let isText = format == nil || format == "text"
    guard isText else {
      StandardStreams.error("verdict: \(index.verdict.rawValue)\n")
      return
    }
    guard isShared else { return }
    let width = index.runs.map(\.name.count).max() ?? 0
    var text = "\nScenarios\n"
    for run in index.runs {
      let padding = String(repeating: " ", count: width - run.name.count)
      text += "  \(run.name)\(padding)  \(run.verdict.rawValue)\n"
    }
    if index.runs.count < index.planned { text += "  \(index.planned - index.runs.count) not run\n" }
    StandardStreams.print(text + "\nverdict: \(index.verdict.rawValue)\n")
  }

  private var style: TerminalStyle {
    TerminalStyle(
      color: Colour.isUsed(colour, on: STDOUT_FILENO),
      width: StandardStreams.isTerminal(STDOUT_FILENO) ? StandardStreams.columns(STDOUT_FILENO) : 100)
  }
}
