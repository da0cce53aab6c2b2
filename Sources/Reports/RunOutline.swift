internal import RunRecords
internal import WorkloadInterface

/// What all formats say of a run in the same words.
struct RunOutline {
  let run: RunRecord
  let glossary: Glossary
  /// The strategies side by side, a table for each variant and clock.
  let tables: [StrategyFigures]

  init(run: RunRecord, glossary: Glossary) {
    self.run = run
    self.glossary = glossary
    tables = run.scenario.isRecording ? [] : glossary.tables(of: run)
  }

  /// The verdict's word; of a recorded program of which nothing was judged, that it was recorded.
  var word: String { isOnlyRecorded ? "recorded" : run.verdict.rawValue }

  /// Whether a program was recorded and nothing speaks against it: there is nothing that could have passed.
  var isOnlyRecorded: Bool { run.scenario.isRecording && run.verdict == .passed }

  /// `failed: gate … did not hold`: the verdict's word and the first reason.
  var headline: String {
    let reason = run.reasons.first ?? run.verdict.about
    if isOnlyRecorded { return run.reasons.first ?? word }
    // Records of earlier versions begin their reasons with the word.
    return reason.hasPrefix("\(run.verdict.rawValue): ") ? reason : "\(run.verdict.rawValue): \(reason)"
  }

  /// Scenario, pipeline, clocks, load, seed and cells in one line.
  var setting: [String] {
    let clocks = distinct(run.cells.map(\.clock))
    let cells =
      run.cells.count == run.cellsPlanned ? "\(run.cells.count)" : "\(run.cells.count) of \(run.cellsPlanned)"
    if run.scenario.isRecording { return [run.scenario.resolved, "recorded program", "real clock"] }
    return [
      run.scenario.name, "pipeline \(run.scenario.pipeline)",
      clocks.isEmpty ? "" : clocks.joined(separator: " and ") + " clock", "\(run.scenario.loadModel) load",
      "seed \(run.scenario.seed)", "\(cells) \(run.cellsPlanned == 1 ? "cell" : "cells")",
    ].filter { !$0.isEmpty }
  }

  /// The cell's title among the others.
  func title(_ cell: CellRecord) -> String { cell.title(amid: run.cells) }

  /// The title of the cell that a gate judged; for a gate that judged none, the strategy it named.
  func title(_ gate: GateRecord) -> String {
    let cell = run.cells.first {
      $0.strategy == gate.strategy && $0.variant == gate.variant && $0.clock == gate.clock
        && $0.repetition == gate.repetition && $0.users == gate.users
    }
    return cell.map(title) ?? (gate.strategy.isEmpty ? "no cell" : gate.strategy)
  }

  /// The title of the cell in which a finding was expected, or of all cells of a sweep.
  func title(_ expectation: ExpectationRecord) -> String {
    let cell = cells(of: expectation).first
    let title = expectation.repetition == 0 ? cell?.sweepTitle(amid: run.cells) : cell.map(title)
    return title ?? (expectation.strategy.isEmpty ? "no cell" : expectation.strategy)
  }

  /// The cells that an expectation was judged in.
  private func cells(of expectation: ExpectationRecord) -> [CellRecord] {
    run.cells.filter {
      $0.strategy == expectation.strategy && $0.variant == expectation.variant
        && $0.clock == expectation.clock
        && (expectation.repetition == 0 || $0.repetition == expectation.repetition)
    }
  }

  /// A gate's figure, or `no figure`.
  func actual(_ gate: GateRecord) -> String {
    gate.actual.map { glossary.text($0, ofGate: gate.gate) } ?? "no figure"
  }

  /// How an expectation was written: `orphaned-task, 3 times`.
  func wanted(_ expectation: ExpectationRecord) -> String {
    expectation.finding + (expectation.count.map { ", \(times($0))" } ?? ", at least once")
  }

  /// `once`, `3 times`.
  func times(_ count: Int) -> String { count == 1 ? "once" : "\(MetricFormat.grouped(Int64(count))) times" }

  /// A finding's figures, in the order of their names; `-ns`, `-bytes`, `-percent` and `-bytes-per-second` at a name's
  /// end are its unit.
  func evidence(_ finding: FindingRecord) -> [String] {
    finding.evidence.sorted { $0.key < $1.key }.map { name, value in
      let units: [(suffix: String, unit: MetricDeclaration.Unit, more: String)] = [
        ("-ns", .nanoseconds, ""), ("-bytes", .bytes, ""), ("-percent", .count, " %"),
        ("-bytes-per-second", .bytes, "/s"),
      ]
      let found = units.first { name.hasSuffix($0.suffix) }
      let text = MetricFormat.text(.integer(value), unit: found?.unit ?? .count) + (found?.more ?? "")
      return "\(name.dropLast(found?.suffix.count ?? 0)) = \(text)"
    }
  }

  /// A chain of calls, `in a() ← b() ← c()`, function by function; each but the first with its arrow.
  static func frames(_ chain: String) -> [String] {
    let frames = chain.split(separator: " ← ", omittingEmptySubsequences: false)
    return frames.enumerated().map { ($0 > 0 ? "← " : "") + $1 }
  }

  /// A finding in one line, without the message: figures, each held together by no-break spaces, place, and the
  /// most frequent of its details.
  func brief(_ finding: FindingRecord) -> String {
    (evidence(finding).map { $0.replacing(" ", with: "\u{A0}") } + [
      finding.place.map { "at \($0)" } ?? "", finding.details?.first ?? "",
    ])
    .filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// What was seen of an expected finding in its cell or sweep.
  func findings(_ record: ExpectationRecord) -> [FindingRecord] {
    cells(of: record).flatMap { $0.findings.filter { $0.name == record.finding } }
  }

  /// Findings that were not expected, with the cells they were seen in.
  var surprises: [(cell: CellRecord, finding: FindingRecord)] {
    run.cells.flatMap { cell in
      cell.findings.filter { !$0.isExpected && $0.isAdvisory != true }.map { (cell, $0) }
    }
  }

  /// What a strategies' table is called.
  func caption(_ table: StrategyFigures) -> String { caption([table]) }

  /// What some strategies' tables in one are called.
  func caption(_ tables: [StrategyFigures]) -> String {
    var parts = [distinct(tables.map(\.clock)).joined(separator: " and ") + " clock"]
    let variants = distinct(tables.map(\.variant))
    if tables.count == 1, Set(run.cells.map(\.variant)).count > 1 || variants != ["sound"] {
      parts += variants
    }
    if tables.count == 1, let users = tables[0].users { parts.append(CellRecord.text(users: users)) }
    let most = tables.flatMap(\.repetitions).max() ?? 1
    if most > 1 { parts.append("median of \(most) repetitions") }
    let isCut = tables.allSatisfy { zip($0.isInterrupted, $0.repetitions).allSatisfy { $0 || $1 == 0 } }
    if isCut { parts.append("interrupted: what was run until then") }
    let isInvalid = run.cells.contains { cell in
      cell.verdict == .invalid && tables.contains { $0.holds(cell) }
    }
    if isInvalid { parts.append("invalid: these figures prove nothing") }
    return parts.joined(separator: ", ")
  }

  func distinct(_ values: [String]) -> [String] {
    var seen: Set<String> = []
    return values.filter { seen.insert($0).inserted }
  }
}

extension RunOutline {
  /// What to say of a finding: whether it was expected; nothing in a recording, of which nothing is.
  func mark(_ finding: FindingRecord) -> String? {
    if run.scenario.isRecording { return nil }
    if finding.isExpected { return "expected" }
    return finding.isAdvisory == true ? "advice" : "not expected"
  }
}
