internal import RunRecords

/// What all formats say of a run in the same words.
struct RunOutline {
  let run: RunRecord
  let glossary: Glossary

  /// `failed: gate … did not hold`: the verdict's word and the first reason.
  var headline: String { "\(run.verdict.rawValue): \(run.reasons.first ?? run.verdict.about)" }

  /// Scenario, pipeline, clocks, load, seed and cells in one line.
  var setting: [String] {
    let clocks = distinct(run.cells.map(\.clock))
    let cells =
      run.cells.count == run.cellsPlanned ? "\(run.cells.count)" : "\(run.cells.count) of \(run.cellsPlanned)"
    return [
      run.scenario.name, "pipeline \(run.scenario.pipeline)",
      clocks.isEmpty ? "" : clocks.joined(separator: " and ") + " clock", "\(run.scenario.loadModel) load",
      "seed \(run.scenario.seed)", "\(cells) \(run.cellsPlanned == 1 ? "cell" : "cells")",
    ].filter { !$0.isEmpty }
  }

  /// The cell's title among the others.
  func title(_ cell: CellRecord) -> String { cell.title(amid: run.cells) }

  /// The title of the cell that a gate judged; for a gate that judged none, the strategy it named.
  func title(strategy: String, variant: String, clock: String, repetition: Int) -> String {
    let cell = run.cells.first {
      $0.strategy == strategy && $0.variant == variant && $0.clock == clock && $0.repetition == repetition
    }
    return cell.map(title) ?? (strategy.isEmpty ? "no cell" : strategy)
  }

  /// The title of the cell that a gate judged.
  func title(_ gate: GateRecord) -> String {
    title(strategy: gate.strategy, variant: gate.variant, clock: gate.clock, repetition: gate.repetition)
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

  /// A finding's figures, in the order of their names.
  func evidence(_ finding: FindingRecord) -> [String] {
    finding.evidence.sorted { $0.key < $1.key }.map { "\($0.key) = \(MetricFormat.grouped($0.value))" }
  }

  /// What a strategies' table is called.
  func caption(_ table: StrategyFigures) -> String {
    var parts = ["\(table.clock) clock"]
    if Set(run.cells.map(\.variant)).count > 1 || table.variant != "sound" { parts.append(table.variant) }
    let most = table.repetitions.max() ?? 1
    if most > 1 { parts.append("median of \(most) repetitions") }
    let isInvalid = run.cells.contains {
      $0.variant == table.variant && $0.clock == table.clock && $0.verdict == .invalid
    }
    if isInvalid { parts.append("invalid: these figures prove nothing") }
    return parts.joined(separator: ", ")
  }

  func distinct(_ values: [String]) -> [String] {
    var seen: Set<String> = []
    return values.filter { seen.insert($0).inserted }
  }
}
