internal import Reports
internal import RunRecords
internal import Scenarios

/// `runs.json`: several scenarios run together, and what the whole came to.
struct RunsIndex: Codable {
  /// The format's name and version.
  static let currentFormat = "weir-runs/1"

  /// `weir-runs/1`.
  var format = RunsIndex.currentFormat
  /// How many scenarios were to be run.
  var planned: Int
  /// One for each scenario, in order; `interrupted` are those that have not ended or were not run.
  var runs: [Entry]
  /// The most severe of all.
  var verdict: Verdict

  /// One scenario's run.
  struct Entry: Codable {
    /// The scenario's name.
    var name: String
    /// Its run directory, relative to the file.
    var directory: String
    /// What it came to.
    var verdict: Verdict
    /// Why, one sentence each.
    var reasons: [String]
  }

  /// The index of the runs so far; fewer than planned is `interrupted`.
  init(planned: Int, runs: [Entry]) {
    self.planned = planned
    self.runs = runs
    let verdicts = runs.map(\.verdict) + (runs.count < planned ? [.interrupted] : [])
    verdict = Verdict.worst(verdicts) ?? .invalid
  }
}

/// How far several scenarios have got that are run together.
struct RunsProgress {
  /// One for each scenario, in order.
  private(set) var entries: [RunsEntry]
  private var reasons: [[String]]

  /// Nothing is run yet.
  init(_ scenarios: [Scenario]) {
    entries = scenarios.map { RunsEntry(unfinished: $0.name, about: $0.about, wasStarted: false) }
    reasons = scenarios.map { _ in ["not run"] }
  }

  /// A scenario begins.
  mutating func begins(_ index: Int) {
    let scenario = entries[index]
    entries[index] = RunsEntry(unfinished: scenario.name, about: scenario.about, wasStarted: true)
    reasons[index] = ["had not ended when this was written"]
  }

  /// A scenario ended.
  mutating func ended(_ index: Int, _ run: RunRecord, glossary: Glossary) {
    entries[index] = RunsEntry(run, glossary: glossary)
    reasons[index] = run.reasons
  }

  /// The most severe of all.
  var verdict: Verdict { index.verdict }

  /// `runs.json`.
  var index: RunsIndex {
    RunsIndex(
      planned: entries.count,
      runs: zip(entries, reasons).map { entry, reasons in
        .init(name: entry.name, directory: entry.name, verdict: entry.verdict, reasons: reasons)
      })
  }

  /// Everything else.
  var report: RunsReport { RunsReport(entries, verdict: verdict) }
}

/// Which exit code a verdict comes to on this command line.
struct ExitPolicy {
  /// The words of `--allow`: verdicts that do not make the exit code.
  var allowed: [String] = []
  /// The signal that interrupted the run, if one did.
  var signal: Int32?

  /// The exit code of the most severe verdict that is not allowed.
  func exitCode(of verdicts: [Verdict]) -> ExitCode {
    let counted = verdicts.filter { !allowed.contains($0.rawValue) }
    guard let worst = Verdict.worst(counted) else { return verdicts.isEmpty ? .invalid : .passed }
    return worst == .interrupted && signal == ExitPolicy.terminate ? .terminated : worst.exitCode
  }

  /// SIGTERM's number on every Linux.
  private static let terminate: Int32 = 15
}
