internal import Measurement
package import RunRecords
internal import WorkloadInterface

/// Whether a record says the same everywhere: its cells are those of its scenario, its figures those of its
/// distributions, and gates, expectations and verdict follow from them. What does not was altered, or is not whole.
package struct RecordCheck {
  /// What the scenario in the record asks for.
  package struct Plan {
    /// The cells, in order.
    package var cells: [Cell]
    /// The gates.
    package var gates: [GateExpression]
    /// The findings that must occur.
    package var expectations: [ExpectationJudge.Expectation]
    /// The share of arrivals that may be dropped; nil where a gate judges drops.
    package var droppedShare: Double?
    /// The 99th percentile of lateness, in ns, beyond which a load was not delivered.
    package var lateness: Int64

    /// Makes a plan.
    package init(
      cells: [Cell], gates: [GateExpression], expectations: [ExpectationJudge.Expectation],
      droppedShare: Double?, lateness: Int64
    ) {
      self.cells = cells
      self.gates = gates
      self.expectations = expectations
      self.droppedShare = droppedShare
      self.lateness = lateness
    }
  }

  /// What tells a cell from all others of its run.
  package struct Cell: Hashable, CustomStringConvertible {
    package var strategy: String
    package var variant: String
    package var clock: String
    package var repetition: Int
    package var users: Int?

    /// Names a cell.
    package init(strategy: String, variant: String, clock: String, repetition: Int, users: Int?) {
      self.strategy = strategy
      self.variant = variant
      self.clock = clock
      self.repetition = repetition
      self.users = users
    }

    init(_ record: CellRecord) {
      self.init(
        strategy: record.strategy, variant: record.variant, clock: record.clock,
        repetition: record.repetition, users: record.users)
    }

    package var description: String {
      ([strategy, variant, clock] + [users.map { CellRecord.text(users: $0) }].compactMap { $0 } + [
        "#\(repetition)"
      ])
      .joined(separator: " · ")
    }
  }

  private let run: RunRecord
  private let plan: Plan?
  private var faults: [String] = []

  /// What a record contradicts itself in, one sentence each; empty where it is sound.
  ///
  /// - Parameter plan: Nil where the scenario cannot be known, as of a recorded program; the rest is checked then.
  package static func faults(in run: RunRecord, plan: Plan?) -> [String] {
    var check = RecordCheck(run: run, plan: plan)
    check.checkCells()
    for cell in run.cells { check.checkFigures(of: cell) }
    check.checkFindings()
    check.checkGates()
    check.checkVerdict()
    return check.faults
  }

  private init(run: RunRecord, plan: Plan?) {
    self.run = run
    self.plan = plan
  }

  private var wasInterrupted: Bool { run.verdict == .interrupted }

  // MARK: Cells

  private mutating func checkCells() {
    let found = run.cells.map(Cell.init)
    for cell in found where found.filter({ $0 == cell }).count > 1 {
      faults.append("\(cell) is there more than once")
      return
    }
    guard let plan else {
      if run.cells.count > run.cellsPlanned { faults.append("it has more cells than it planned") }
      return
    }
    if run.cellsPlanned != plan.cells.count {
      faults.append("its scenario has \(plan.cells.count) cells, and it says \(run.cellsPlanned)")
    }
    if let foreign = found.first(where: { !plan.cells.contains($0) }) {
      faults.append("\(foreign) is no cell of its scenario")
    } else if found != plan.cells.filter(found.contains) {
      faults.append("its cells are not in the order of its scenario")
    } else if !wasInterrupted, run.unwritten == nil, found.count < plan.cells.count {
      let missing = plan.cells.filter { !found.contains($0) }
      let more = missing.count > 3 ? " and \(missing.count - 3) more" : ""
      faults.append(
        "it has \(found.count) of \(plan.cells.count) cells; missing: "
          + missing.prefix(3).map(\.description).joined(separator: ", ") + more)
    }
  }

  // MARK: Figures

  /// Of a cell that did not come to its own end, expected or not, figures are of different moments.
  private mutating func checkFigures(of cell: CellRecord) {
    let ends = [FindingCatalogue.hung.name, FindingCatalogue.crashed.name]
    guard cell.endedByItself, !cell.metrics.isEmpty,
      !cell.findings.contains(where: { ends.contains($0.name) })
    else { return }
    for (name, histogram) in cell.histograms.sorted(by: { $0.key < $1.key }) {
      for (figure, value) in Self.figures(of: histogram, name) where cell.metrics[figure] != value {
        return differs(cell, "\(figure) is not that of its distribution")
      }
    }
    func count(_ name: String) -> Int64? {
      guard case .integer(let value)? = cell.metrics[name] else { return nil }
      return value
    }
    func sum(_ names: [String]) -> Int64? {
      names.reduce(0) { sum, name in sum.flatMap { sum in count(name).flatMap { Self.sum(sum, $0) } } }
    }
    for (whole, parts) in Self.books {
      guard let total = count(whole), let sum = sum(parts), total != sum else { continue }
      return differs(cell, "\(whole) is not the sum of \(parts.joined(separator: ", "))")
    }
    checkLoad(of: cell, count("arrivals.planned") ?? 0, dropped: count("arrivals.dropped") ?? 0)
  }

  private mutating func checkLoad(of cell: CellRecord, _ planned: Int64, dropped: Int64) {
    guard let plan, cell.isJudgeable else { return }
    if let share = plan.droppedShare, Double(dropped) > share * Double(planned) {
      differs(cell, "it is not invalid, and \(dropped) of \(planned) arrivals were dropped")
    }
    if cell.metrics["load.lateness.p99"].map({ $0.double > Double(plan.lateness) }) ?? false {
      differs(cell, "it is not invalid, and its load was late")
    }
    if cell.metrics["probe.lost"].map({ $0.double > 0 }) ?? false {
      differs(cell, "it is not invalid, and the probe lost events")
    }
  }

  private mutating func differs(_ cell: CellRecord, _ what: String) {
    faults.append("\(cell.title(amid: run.cells)): \(what)")
  }

  /// What is conserved.
  private static let books = [
    ("arrivals.planned", ["iterations.started", "arrivals.dropped", "arrivals.queued"]),
    (
      "iterations.started",
      ["iterations.completed", "iterations.failed", "iterations.cancelled", "iterations.running"]
    ),
  ]

  private static func sum(_ one: Int64, _ other: Int64) -> Int64? {
    let (sum, overflow) = one.addingReportingOverflow(other)
    return overflow ? nil : sum
  }

  /// The whole numbers that a cell tells of a distribution.
  private static func figures(of histogram: LatencyHistogram, _ name: String) -> [(String, MetricValue)] {
    var figures = [(name + ".count", MetricValue.integer(Int64(clamping: histogram.count)))]
    if let least = histogram.minimum { figures.append((name + ".min", .integer(least))) }
    if let most = histogram.maximum { figures.append((name + ".max", .integer(most))) }
    for percentile in [Percentile.p50, .p90, .p95, .p99, .p99_9] {
      guard let point = histogram.point(at: percentile), !point.isLowerBound else { continue }
      figures.append(("\(name).\(percentile)", .integer(point.value)))
    }
    return figures
  }

  // MARK: What follows from them

  /// Findings over a whole sweep, marks of all, and what they make of their cells.
  private mutating func checkFindings() {
    guard !run.scenario.isRecording else { return }
    let expected =
      plan?.expectations
      ?? Set(run.expectations.map(\.finding)).sorted().map { name in
        (finding: name, count: run.expectations.first { $0.finding == name }?.count)
      }
    var cells = run.cells
    for index in cells.indices where cells[index].users != nil {
      cells[index].findings.removeAll { $0.name == ContentionCollapse.name }
    }
    SweepJudge.judge(&cells)
    let records = ExpectationJudge.judge(expected, cells: &cells)
    for (new, old) in zip(cells, run.cells) {
      if Self.names(new) != Self.names(old) {
        differs(old, "its findings are not those that its figures and its scenario make")
      } else if new.verdict != old.verdict {
        differs(old, "it is \(old.verdict.rawValue), and by its findings \(new.verdict.rawValue)")
      }
    }
    guard plan != nil else { return }
    if records.map(\.verdict) != run.expectations.map(\.verdict)
      || records.map(\.seen) != run.expectations.map(\.seen)
    {
      faults.append("what was expected to be found was judged otherwise than its cells say")
    }
  }

  private static func names(_ cell: CellRecord) -> [String] {
    cell.findings.map { "\($0.name) \($0.count) \($0.isExpected)" }.sorted()
  }

  private mutating func checkGates() {
    guard let plan else { return }
    let isCutShort = wasInterrupted || run.cells.count < run.cellsPlanned
    let judged = GateJudge.judge(plan.gates, cells: run.cells, isCutShort: isCutShort).records
    guard judged.count == run.gates.count else {
      faults.append("its scenario has gates that it does not judge, or others")
      return
    }
    for (new, old) in zip(judged, run.gates)
    where new.gate != old.gate || new.strategy != old.strategy || new.clock != old.clock
      || new.variant != old.variant || new.repetition != old.repetition || new.verdict != old.verdict
      || new.actual?.double != old.actual?.double || new.limit.double != old.limit.double
    {
      faults.append(
        "the gate `\(old.gate)` is \(old.verdict.rawValue), and by its cells \(new.verdict.rawValue)"
          + (new.actual?.double == old.actual?.double ? "" : ": it was judged of another figure"))
      return
    }
  }

  private mutating func checkVerdict() {
    guard !wasInterrupted else { return }
    var verdicts = run.cells.map(\.verdict) + run.gates.map(\.verdict) + run.expectations.map(\.verdict)
    if run.cells.count < run.cellsPlanned || run.cells.isEmpty || run.unwritten != nil {
      verdicts.append(.invalid)
    }
    let isUnjudged = run.gates.isEmpty && run.expectations.isEmpty
    if isUnjudged, !(run.scenario.gatesLeftOut ?? []).isEmpty { verdicts.append(.inconclusive) }
    if let baseline = run.baseline {
      verdicts.append(baseline.verdict)
      let marks: [(BaselineRecord.Mark, Verdict)] = [
        (.regressed, .regressed), (.inconclusive, .inconclusive),
      ]
      for (mark, least) in marks where baseline.changes.contains(where: { $0.mark == mark }) {
        verdicts.append(least)
      }
    }
    guard let worst = Verdict.worst(verdicts), worst != run.verdict else { return }
    faults.append("it says \(run.verdict.rawValue), and what it holds comes to \(worst.rawValue)")
  }
}
