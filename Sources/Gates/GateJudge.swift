package import RunRecords
internal import WorkloadInterface

/// Judges gates over the cells of a run. What cannot be judged never passes.
package enum GateJudge {
  /// The gates, judged, and what was left unjudged.
  package struct Outcome: Sendable {
    /// One for each gate and cell it is for, judged or not; gates in scenario order, cells in plan order.
    package var records: [GateRecord]
    /// One sentence for each cell whose gates were not judged, and why.
    package var unjudged: [String]
  }

  /// Judges every gate in every cell it applies to.
  ///
  /// Gates judge cells of the sound variant; where a run has none, all. Cells that did not end by themselves, or
  /// whose figures prove nothing, are not judged: the record has the cell's verdict and no figure. A cell on a clock
  /// that does not measure the metric is passed over; a gate that is left without any cell fails, unless the run was
  /// cut short.
  package static func judge(_ gates: [GateExpression], cells: [CellRecord], isCutShort: Bool = false)
    -> Outcome
  {
    let hasSound = cells.contains { $0.variant == RunJudge.sound }
    let judgeable = cells.filter { !hasSound || $0.variant == RunJudge.sound }
    var outcome = Outcome(records: [], unjudged: [])
    guard !gates.isEmpty else { return outcome }
    for cell in judgeable where !cell.isJudgeable {
      outcome.unjudged.append(
        "gates were not judged in \(cell.title(amid: cells)): it \(cell.verdict.asEnding)")
    }
    for gate in gates {
      let mine = judgeable.filter { gate.strategy == nil || $0.strategy == gate.strategy }
      let fitting = mine.filter { cell in gate.term.measuredOn.contains { $0.rawValue == cell.clock } }
      if !fitting.isEmpty {
        outcome.records += fitting.map { $0.isJudgeable ? judge(gate, in: $0) : unjudged(gate, in: $0) }
      } else if isCutShort {
        outcome.records.append(neverRun(gate))
        outcome.unjudged.append("gate `\(gate.text)` was not judged: no cell of it was run")
      } else {
        outcome.records.append(unmet(gate, cells: mine, hasSound: hasSound))
      }
    }
    return outcome
  }

  /// Judges one gate in one cell.
  package static func judge(_ gate: GateExpression, in cell: CellRecord) -> GateRecord {
    var record = GateRecord(
      gate: gate.text, strategy: cell.strategy, variant: cell.variant, clock: cell.clock,
      repetition: cell.repetition, users: cell.users, actual: nil, limit: gate.limit, margin: nil,
      verdict: .failed, reason: nil)
    switch gate.term.reading(in: cell) {
    case .missing(let reason):
      record.reason = reason
    case .value(let actual):
      record.actual = actual
      if let shortage = gate.term.shortage(in: cell) {
        let proof = PercentileProof(gate, in: cell)
        record.verdict = proof == nil ? .inconclusive : .failed
        record.reason = proof?.reason ?? "needs at least \(shortage.needs) samples, has \(shortage.has)"
      } else if gate.holds(actual.double) {
        record.verdict = .passed
      }
      record.margin = gate.margin(of: actual.double)
    }
    return record
  }

  /// A gate over a cell whose figures prove nothing.
  private static func unjudged(_ gate: GateExpression, in cell: CellRecord) -> GateRecord {
    GateRecord(
      gate: gate.text, strategy: cell.strategy, variant: cell.variant, clock: cell.clock,
      repetition: cell.repetition, users: cell.users, actual: nil, limit: gate.limit, margin: nil,
      verdict: cell.verdict,
      reason: "the cell \(cell.verdict.asEnding)")
  }

  /// A gate that the run did not get to.
  private static func neverRun(_ gate: GateExpression) -> GateRecord {
    GateRecord(
      gate: gate.text, strategy: gate.strategy ?? "", variant: "", clock: "", repetition: 0, actual: nil,
      limit: gate.limit, margin: nil, verdict: .invalid, reason: "no cell of it was run")
  }

  /// A gate that found no cell to judge.
  private static func unmet(_ gate: GateExpression, cells: [CellRecord], hasSound: Bool) -> GateRecord {
    let which = (hasSound ? "sound " : "") + "cell" + (gate.strategy.map { " of strategy \($0)" } ?? "")
    let clocks = gate.term.measuredOn.map(\.rawValue).joined(separator: " and ")
    return GateRecord(
      gate: gate.text, strategy: gate.strategy ?? "", variant: "", clock: "", repetition: 0, actual: nil,
      limit: gate.limit, margin: nil, verdict: .failed,
      reason: cells.isEmpty
        ? "judged nothing: there is no \(which)"
        : "not measured: \(gate.term.name) exists on the \(clocks) clock only")
  }
}

extension GateExpression {
  /// The left side.
  package var term: FigureTerm { FigureTerm(metric: metric, divisor: divisor) }

  /// How far inside (above 0) or outside (below 0) the limit a figure lies, as a share of the limit.
  ///
  /// Nil where the limit is 0, for `!=`, and for `==` where it holds: there is no distance to speak of.
  package func margin(of actual: Double) -> Double? {
    let limit = limit.double
    guard limit != 0, limit.isFinite, actual.isFinite else { return nil }
    let share: Double? =
      switch comparison {
      case .less, .lessOrEqual: (limit - actual) / abs(limit)
      case .greater, .greaterOrEqual: (actual - limit) / abs(limit)
      case .equal: actual == limit ? nil : -abs(actual - limit) / abs(limit)
      case .notEqual: nil
      }
    return share.flatMap { $0.isFinite ? $0 : nil }
  }
}

extension CellRecord {
  /// Whether the cell came to its own end, so that its figures are whole.
  var endedByItself: Bool { ![.interrupted, .crashed, .hung].contains(verdict) }

  /// Whether gates may judge its figures: they are whole, and the load was what was asked for.
  var isJudgeable: Bool { endedByItself && verdict != .invalid }
}

extension Verdict {
  /// The end of a sentence about a cell that did not end by itself.
  fileprivate var asEnding: String {
    switch self {
    case .hung: "hung"
    case .crashed: "crashed"
    case .invalid: "is invalid"
    default: "was interrupted"
    }
  }
}
