package import RunRecords
package import WorkloadInterface

/// Makes the record of a whole run out of its cells: judges, compares, and finds the verdict.
package enum RunJudge {
  /// The variant that gates hold for.
  package static let sound = "sound"

  /// Judges a run.
  ///
  /// The verdict is the most severe of all cells, gates and expectations. A run without cells, or with fewer than
  /// planned, proves nothing and is `invalid` (`interrupted` when it was). What the engine called invalid stays
  /// so whatever its percentiles say.
  /// - Parameters:
  ///   - cells: One for each cell that was started, in plan order.
  ///   - expectations: The findings that must occur, and how often; nil for at least once.
  ///   - interrupted: Whether a signal stopped the run.
  ///   - workload: The metrics that the workload declares, to be compared as well.
  package static func assemble(
    scenario: ScenarioRecord, environment: EnvironmentRecord, cells: [CellRecord], cellsPlanned: Int,
    gates: [GateExpression], expectations: [ExpectationJudge.Expectation], interrupted: Bool,
    workload: [MetricDeclaration] = []
  ) -> RunRecord {
    var cells = cells
    let isCutShort = interrupted || cells.count < cellsPlanned
    SweepJudge.judge(&cells)
    let expected = ExpectationJudge.judge(expectations, cells: &cells)
    let judged = GateJudge.judge(gates, cells: cells, isCutShort: isCutShort)
    var verdicts = cells.map(\.verdict) + judged.records.map(\.verdict) + expected.map(\.verdict)
    var reasons: [String] = []
    if interrupted {
      verdicts.append(.interrupted)
      reasons.append("stopped by a signal: \(cells.count) of \(cellsPlanned) cells were started")
    } else if cells.isEmpty {
      verdicts.append(.invalid)
      reasons.append("no cell was run")
    } else if cells.count < cellsPlanned {
      verdicts.append(.invalid)
      reasons.append("only \(cells.count) of \(cellsPlanned) cells were run")
    }
    let leftOut = scenario.gatesLeftOut?.count ?? 0
    if leftOut > 0, Verdict.worst(verdicts) == .passed {
      if judged.records.isEmpty && expected.isEmpty { verdicts.append(.inconclusive) }
      reasons.append(leftOutReason(leftOut, held: judged.records.count))
    }
    reasons += cellReasons(cells) + judged.unjudged + gateReasons(judged.records, cells: cells)
    reasons += expectationReasons(expected, cells: cells)
    return RunRecord(
      scenario: scenario, environment: environment, cells: cells, cellsPlanned: cellsPlanned,
      comparisons: Comparisons.records(
        of: cells,
        besides: AskedFigures.terms(gates: gates.map(\.text), workload: workload, cells: cells)),
      gates: judged.records, expectations: expected,
      verdict: Verdict.worst(verdicts) ?? .invalid, reasons: reasons)
  }

  /// What a run says that has nothing against it and did not judge all gates.
  private static func leftOutReason(_ count: Int, held: Int) -> String {
    let leftOut = count == 1 ? "1 gate was" : "\(count) gates were"
    let judged = held == 0 ? "no gate was judged" : "what was judged holds"
    return "\(judged); \(leftOut) not judged, being for what was not run"
  }

  private static func cellReasons(_ cells: [CellRecord]) -> [String] {
    cells.filter { $0.verdict != .passed }.map { cell in
      let why = cell.reasons.isEmpty ? cell.verdict.about : cell.reasons.joined(separator: "; ")
      return "\(cell.title(amid: cells)) \(cell.verdict.rawValue): \(why)"
    }
  }

  private static func gateReasons(_ gates: [GateRecord], cells: [CellRecord]) -> [String] {
    var order: [String] = []
    var places: [String: [String]] = [:]
    // How many cells each gate is for.
    var counts: [String: Int] = [:]
    let unmet = gates.filter { $0.isJudged && $0.verdict != .passed }
    // What failed before what cannot be told.
    for gate in unmet.filter({ $0.verdict == .failed }) + unmet.filter({ $0.verdict != .failed }) {
      let key = "gate `\(gate.gate)` \(gate.verdict.rawValue)" + (gate.reason.map { " (\($0))" } ?? "")
      if places[key] == nil {
        order.append(key)
        counts[key] = gates.count { $0.gate == gate.gate }
      }
      let cell = cells.first {
        $0.strategy == gate.strategy && $0.variant == gate.variant && $0.clock == gate.clock
          && $0.repetition == gate.repetition && $0.users == gate.users
      }
      places[key, default: []] += cell.map { [$0.title(amid: cells)] } ?? []
    }
    return order.map { key in
      let titles = places[key] ?? []
      let more = titles.count > 3 ? " and \(titles.count - 3) more" : ""
      if titles.count > 3, titles.count == counts[key] { return "\(key) in all \(titles.count) cells" }
      return titles.isEmpty ? key : "\(key) in \(titles.prefix(3).joined(separator: ", "))\(more)"
    }
  }

  private static func expectationReasons(_ records: [ExpectationRecord], cells: [CellRecord]) -> [String] {
    records.filter { $0.verdict != .passed }.map { record in
      let wanted = record.count.map { "\($0) times" } ?? "at least once"
      let sweep = record.repetition == 0 ? ", all loads together" : ""
      return
        "expected \(record.finding) \(wanted) in \(record.strategy) · \(record.variant)\(sweep), seen \(record.seen) times"
    }
  }
}
