internal import Foundation
internal import Glibc
internal import RunRecords
internal import RuntimeProbe
internal import Scenarios
internal import WorkloadInterface

/// Puts what the runs of a sweep found into the record of its cell: figures, and one finding for each fault and place
/// with all the steps that show it.
struct SweepReport {
  let plan: CellPlan
  let workload: WorkloadDeclaration
  let endings: [StepCopies.Ending]
  let results: [StepResult]
  /// Copies of one process: one set of names does for all.
  private var descriptions = TaskDescriptions()

  init(plan: CellPlan, workload: WorkloadDeclaration, endings: [StepCopies.Ending], results: [StepResult]) {
    self.plan = plan
    self.workload = workload
    self.endings = endings
    self.results = results
  }

  /// A fault, over all runs that show it.
  private struct Fault {
    var first: FindingRecord
    var firstStep: UInt64
    var steps: [UInt64] = []
    var iterations: Set<Int> = []
  }

  /// Sentences of the first run that go into a finding.
  private static let sentences = 4
  /// Reasons of runs that prove nothing.
  private static let reasonsKept = 3

  /// Adds everything to the record of the run without a cancel.
  mutating func add(to record: inout CellRecord) {
    let byStep = Dictionary(results.map { ($0.step, $0) }, uniquingKeysWith: { first, _ in first })
    var faults: [String: Fault] = [:]
    var failed = 0
    var unproven: [String] = []
    for ending in endings {
      let findings = findings(of: ending, byStep[ending.step], &unproven)
      if !findings.isEmpty || byStep[ending.step].map({ $0.verdict != .passed }) ?? true { failed += 1 }
      for finding in findings {
        let key = finding.name + "\n" + (finding.place ?? "")
        var fault = faults[key] ?? Fault(first: finding, firstStep: ending.step)
        fault.steps.append(ending.step)
        fault.iterations.formUnion(finding.iterations)
        faults[key] = fault
      }
    }
    for fault in faults.values { add(fault, to: &record) }
    record.findings.sort { ($0.name, $0.place ?? "") < ($1.name, $1.place ?? "") }
    addFigures(failed: failed, to: &record)
    judge(unproven, &record)
  }

  // MARK: One run

  private mutating func findings(
    of ending: StepCopies.Ending, _ result: StepResult?, _ unproven: inout [String]
  ) -> [FindingRecord] {
    guard let result else {
      if let death = death(ending) { return [death] }
      unproven.append("step \(ending.step): \(Self.loss(ending.status))")
      return []
    }
    var findings = result.findings
    findings += OrphanReport.findings(result.outliving, now: nil, &descriptions).map {
      RecordAssembly.record($0, workload)
    }
    switch result.verdict {
    case .passed, .failed: break
    case .hung:
      // What never ended is what stands still: one fault, one name.
      findings.removeAll { $0.name == "iteration-never-ended" }
      findings.append(
        Self.finding(
          FindingCatalogue.stuckWhenCancelled,
          details: result.reasons + StuckTasks.describe(result.stuck, &descriptions)))
    default:
      unproven.append(
        "step \(ending.step): \(result.verdict.rawValue): " + result.reasons.joined(separator: "; "))
    }
    return findings
  }

  /// A process that left nothing: it crashed, or was ended when its time was up. Nil where what ended it is not the
  /// pipeline's doing.
  private func death(_ ending: StepCopies.Ending) -> FindingRecord? {
    let signal = ending.status & 0x7f
    guard ending.status != -1, signal != 0 else { return nil }
    if signal == SIGALRM {
      let limit = StepCopies.patience(watchdog: plan.scenario.watchdog) / 1_000_000
      return Self.finding(
        FindingCatalogue.stuckWhenCancelled,
        details: [
          "it had not ended after \(limit) ms of real time and was ended: blocked, or going round for ever"
        ])
    }
    guard SignalName.isOfCode(signal) else { return nil }
    return Self.finding(
      FindingCatalogue.crashedWhenCancelled, details: ["the process was ended by \(SignalName.of(signal))"])
  }

  /// Why nothing is known of a step.
  private static func loss(_ status: Int32) -> String {
    if status == -1 { return "no process could be made for it" }
    let signal = status & 0x7f
    guard signal != 0 else { return "its process ended without leaving a result" }
    return "lost: its process was ended by \(SignalName.of(signal))"
  }

  private static func finding(_ declaration: FindingDeclaration, details: [String]) -> FindingRecord {
    FindingRecord(
      name: declaration.name, count: 1, message: declaration.about, evidence: [:], place: nil, iterations: [],
      isExpected: false, details: details, isAdvisory: declaration.isAdvisory)
  }

  // MARK: The cell

  private func add(_ fault: Fault, to record: inout CellRecord) {
    var finding = fault.first
    // The first sentence is the one that summaries show.
    var details = [
      "in \(fault.steps.count) of \(endings.count) runs, cancelled after step \(StepRanges.text(fault.steps)); again: "
        + command(for: fault.firstStep)
    ]
    details += (finding.details ?? []).prefix(Self.sentences).map { "step \(fault.firstStep): \($0)" }
    finding.count = fault.steps.count
    finding.evidence = [
      "runs": Int64(fault.steps.count), "first-step": Int64(fault.steps.min() ?? 0),
      "last-step": Int64(fault.steps.max() ?? 0),
    ]
    finding.iterations = Array(fault.iterations.sorted().prefix(10))
    // Seen without a cancel as well: one finding, both told.
    if let known = record.findings.firstIndex(where: { $0.name == finding.name && $0.place == finding.place })
    {
      record.findings[known].count += finding.count
      record.findings[known].evidence.merge(finding.evidence) { _, new in new }
      record.findings[known].details =
        ["also without a cancel"] + (record.findings[known].details ?? []) + details
      return
    }
    finding.details = details
    record.findings.append(finding)
  }

  /// What runs exactly this step again.
  private func command(for step: UInt64) -> String {
    let scenario = plan.scenario
    // A record holds no place of the machine that it was made on.
    let file =
      scenario.file.hasPrefix("/") ? String(scenario.file.split(separator: "/").last ?? "") : scenario.file
    var words = ["weir run \(file)"] + scenario.overrides.filter { !$0.hasPrefix("--set cancel.") }
    if scenario.strategies.count > 1 { words.append("--strategy \(plan.strategy.name)") }
    if scenario.variants.count > 1 { words.append("--set variant=\(plan.variant)") }
    words.append("--set cancel.at-step=\(step)")
    if scenario.schedule == .everyHop { words.append("--set cancel.order=\(plan.repetition)") }
    return words.joined(separator: " ")
  }

  private func addFigures(failed: Int, to record: inout CellRecord) {
    func set(_ name: String, _ value: Int64) { record.metrics[name] = .integer(value) }
    set("steps.run", Int64(endings.count))
    set("steps.failed", Int64(failed))
    set("steps.asked", results.reduce(0) { $0 + Int64($1.asked) })
    set("steps.cancelled", results.reduce(0) { $0 + Int64($1.cancelled) })
    set("steps.lost", results.reduce(0) { $0 + $1.lost })
  }

  private func judge(_ unproven: [String], _ record: inout CellRecord) {
    if endings.isEmpty, record.verdict == .passed {
      record.verdict = .invalid
      record.reasons.append("at no scheduling step was an iteration running: nothing was cancelled")
    }
    guard !unproven.isEmpty else { return }
    record.verdict = min(record.verdict, .invalid)
    let more =
      unproven.count > Self.reasonsKept ? ["and \(unproven.count - Self.reasonsKept) more steps"] : []
    record.reasons += unproven.prefix(Self.reasonsKept) + more
  }

  // MARK: Lines

  /// The results that copies have left in a file.
  static func results(in file: String) -> [StepResult] {
    guard let data = FileManager.default.contents(atPath: file) else { return [] }
    let decoder = JSONDecoder()
    return data.split(separator: UInt8(ascii: "\n")).compactMap {
      try? decoder.decode(StepResult.self, from: $0)
    }
    .sorted { $0.step < $1.step }
  }

  /// Leaves a result at the end of a file, in one write: other copies write to it too.
  static func leave(_ result: StepResult, in file: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let line = try encoder.encode(result) + [UInt8(ascii: "\n")]
    let descriptor = open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw UnwrittenFile(file, errorNumber: errno) }
    defer { close(descriptor) }
    let written = line.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    // What found room for a part of it finds none for the rest.
    guard written == line.count else { throw UnwrittenFile(file, errorNumber: written < 0 ? errno : ENOSPC) }
  }
}

/// Numbers as ranges: `3–7, 9, 12–40`.
enum StepRanges {
  private static let limit = 8

  static func text(_ numbers: [UInt64]) -> String {
    var ranges: [ClosedRange<UInt64>] = []
    for number in numbers.sorted() {
      if let last = ranges.last, number <= last.upperBound + 1 {
        ranges[ranges.count - 1] = last.lowerBound...max(number, last.upperBound)
      } else {
        ranges.append(number...number)
      }
    }
    let texts = ranges.prefix(limit).map {
      $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound)"
    }
    let more = ranges.dropFirst(limit).reduce(0) { $0 + $1.count }
    return texts.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }
}
