package import RunRecords
internal import WorkloadInterface

/// Holds what was found in the cells against what the scenario expected to be found.
package enum ExpectationJudge {
  /// A finding that must occur, and how often; nil for at least once.
  package typealias Expectation = (finding: String, count: Int?)

  /// Judges every expectation in every cell it applies to and marks the findings in `cells`.
  ///
  /// Expectations apply to flawed cells; where the run has one variant only, to all of its cells. A finding that
  /// nobody expected there and that is not advisory makes its cell `failed`, and so does any such finding in a
  /// sound cell beside flawed ones. Cells that did not end by themselves are marked, not judged; but a cell that
  /// hung, or died, has done what it should where `hung`, or `crashed`, is expected. The cells of a sweep, which differ in load alone, are
  /// judged together: a finding that is drawn over them, or shows under much load only, is seen in some.
  package static func judge(_ expectations: [Expectation], cells: inout [CellRecord]) -> [ExpectationRecord] {
    let hasOneVariant = Set(cells.map(\.variant)).count == 1
    var records: [ExpectationRecord] = []
    for index in cells.indices {
      let applies = hasOneVariant || cells[index].variant != RunJudge.sound
      let expected = applies ? Set(expectations.map(\.finding)) : []
      switch cells[index].verdict {
      case .hung where expected.contains(FindingCatalogue.hung.name): acceptHang(of: &cells[index])
      case .crashed where expected.contains(FindingCatalogue.crashed.name): acceptCrash(of: &cells[index])
      default: break
      }
      mark(&cells[index], expected: expected)
      guard applies, cells[index].endedByItself else { continue }
      guard cells[index].users == nil else { continue }
      records += expectations.map { judge($0, in: [cells[index]], repetition: cells[index].repetition) }
    }
    for sweep in SweepJudge.sweeps(of: cells) where hasOneVariant || sweep[0].variant != RunJudge.sound {
      let ended = sweep.filter(\.endedByItself)
      guard !ended.isEmpty else { continue }
      records += expectations.map { judge($0, in: ended, repetition: 0) }
    }
    return records
  }

  /// `cells` is not empty.
  private static func judge(
    _ expectation: Expectation, in cells: [CellRecord], repetition: Int
  ) -> ExpectationRecord {
    let seen = cells.flatMap(\.findings).filter { $0.name == expectation.finding }.reduce(0) { $0 + $1.count }
    let holds = expectation.count.map { seen == $0 } ?? (seen > 0)
    return ExpectationRecord(
      finding: expectation.finding, count: expectation.count, seen: seen, strategy: cells[0].strategy,
      variant: cells[0].variant, clock: cells[0].clock, repetition: repetition,
      verdict: holds ? .passed : .failed)
  }

  /// Makes a hang a finding; on the real clock with what was unfinished, what the processor did meanwhile, and the
  /// words of the watchdog.
  private static func acceptHang(of cell: inout CellRecord) {
    var evidence: [String: Int64] = ["cells-hung": 1]
    guard cell.clock == ClockKind.real.rawValue else {
      return accept(&cell, as: FindingCatalogue.hung, evidence: evidence)
    }
    for name in ["iterations.started", "iterations.running"] {
      if case .integer(let count)? = cell.metrics[name] { evidence[name.replacing(".", with: "-")] = count }
    }
    if let hang = cell.hang {
      evidence["silent-ns"] = hang.silent
      if let percent = hang.cpuPercent { evidence["cpu-percent"] = percent }
    }
    accept(&cell, as: FindingCatalogue.hung, evidence: evidence, details: cell.reasons)
  }

  /// Makes a crash a finding, with the message and the frames that the log had.
  private static func acceptCrash(of cell: inout CellRecord) {
    let words = cell.reasons.filter { $0.contains("Fatal error:") || $0.hasPrefix("in ") }
    accept(&cell, as: FindingCatalogue.crashed, evidence: ["cells-crashed": 1], details: words)
  }

  /// How far a cell of virtual time had got when the watchdog ended it, or the crash was noticed, was decided by the
  /// wall clock, so that is not kept.
  private static func accept(
    _ cell: inout CellRecord, as finding: FindingDeclaration, evidence: [String: Int64],
    details: [String] = []
  ) {
    cell.verdict = .passed
    if cell.clock == ClockKind.virtual.rawValue {
      cell.reasons = []
      cell.length = 0
      cell.hang = nil
      cell.metrics = [:]
    }
    cell.findings.append(
      FindingRecord(
        name: finding.name, count: 1, message: finding.about, evidence: evidence, place: nil, iterations: [],
        isExpected: true, details: details.isEmpty ? nil : details))
  }

  private static func mark(_ cell: inout CellRecord, expected: Set<String>) {
    for index in cell.findings.indices {
      let finding = cell.findings[index]
      cell.findings[index].isExpected = expected.contains(finding.name)
      guard !expected.contains(finding.name), finding.isAdvisory != true else { continue }
      cell.verdict = min(cell.verdict, .failed)
      let times = finding.count == 1 ? "once" : "\(finding.count) times"
      cell.reasons.append("\(finding.name) was not expected and was seen \(times)")
    }
  }
}
