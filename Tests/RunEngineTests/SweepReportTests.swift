import RunRecords
import RuntimeProbe
import Scenarios
import Testing
import WorkloadInterface

@testable import RunEngine

@Suite("Reports of sweeps")
struct SweepReportTests {
  @Test("numbers as ranges")
  func ranges() {
    #expect(StepRanges.text([]) == "")
    #expect(StepRanges.text([7]) == "7")
    #expect(StepRanges.text([9, 3, 4, 5, 9, 11, 12]) == "3–5, 9, 11–12")
    #expect(StepRanges.text((0..<30).map { UInt64($0 * 2) }) == "0, 2, 4, 6, 8, 10, 12, 14 and 22 more")
  }

  private let workload = WorkloadDeclaration(name: "pipe", about: "", strategies: [], providers: [])

  /// `status` of each copy by step, and what it left.
  private func report(
    _ endings: [(UInt64, Int32)], _ results: [StepResult], settings: String = ""
  ) throws -> CellRecord {
    let text =
      "name: a\npipeline: pipe\nload: { model: closed, users: 1, iterations: 1 }\ncancel: { at-step: each }\n"
      + settings
    let scenario = try ScenarioReader(workloads: [workload]).read(text: text, file: "Scenarios/a.yaml").get()
    var report = SweepReport(
      plan: scenario.cells()[0], workload: workload,
      endings: endings.map { StepCopies.Ending(step: $0.0, process: 1, status: $0.1) }, results: results)
    var record = CellRecord(
      strategy: "default", variant: "sound", clock: "virtual", repetition: 1, verdict: .passed)
    report.add(to: &record)
    return record
  }

  private func result(_ step: UInt64, _ verdict: Verdict = .passed, findings: [String] = []) -> StepResult {
    StepResult(
      step: step, verdict: verdict, reasons: verdict == .passed ? [] : ["why"],
      findings: findings.map {
        FindingRecord(
          name: $0, count: 2, message: "", evidence: [:], place: nil, iterations: [0], isExpected: false)
      }, outliving: OutlivingTasks(OrphanWatch(grace: 1)), stuck: [], asked: 1, cancelled: 1, lost: 3)
  }

  @Test("a clean sweep has its figures and nothing else")
  func clean() throws {
    let record = try report([(4, 0), (5, 0)], [result(4), result(5)])
    #expect(record.verdict == .passed)
    #expect(record.findings.isEmpty)
    for (name, value) in [("run", 2), ("failed", 0), ("asked", 2), ("cancelled", 2), ("lost", 6)] {
      #expect(record.metrics["steps.\(name)"] == .integer(Int64(value)))
    }
  }

  @Test("one fault at many steps is one finding, with the steps and the command that shows it again")
  func findings() throws {
    let record = try report(
      [(4, 0), (5, 0), (6, 0), (9, 0)],
      [result(4), result(5, findings: ["x"]), result(6, findings: ["x"]), result(9, findings: ["x", "y"])])
    #expect(record.findings.map(\.name) == ["x", "y"])
    #expect(record.findings[0].count == 3)
    #expect(record.findings[0].evidence == ["runs": 3, "first-step": 5, "last-step": 9])
    #expect(
      record.findings[0].details == [
        "in 3 of 4 runs, cancelled after step 5–6, 9; again: weir run Scenarios/a.yaml --set cancel.at-step=5"
      ])
    #expect(record.metrics["steps.failed"] == .integer(3))
  }

  @Test("crashes, hangs of either kind, and runs that prove nothing are told apart")
  func deaths() throws {
    let record = try report(
      [(1, 5), (2, 14), (3, 0), (4, 0), (5, -1), (6, 0)], [result(3, .hung), result(4, .invalid)])
    #expect(record.findings.map(\.name) == ["crashed-when-cancelled", "stuck-when-cancelled"])
    #expect(record.findings.map(\.count) == [1, 2])
    #expect(record.verdict == .invalid)
    #expect(record.reasons.count == 3)
    #expect(record.reasons.joined().contains("step 4: invalid: why"))
    #expect(record.metrics["steps.failed"] == .integer(6))
  }

  @Test(
    "a step that was ended when its time was up says how long that was: half the watchdog, a second at least",
    arguments: [("", 15_000), ("watchdog: 7s\n", 3_500), ("watchdog: 1s\n", 1_000)])
  func stuck(settings: String, milliseconds: Int) throws {
    let record = try report([(1, 0), (2, 14)], [result(1)], settings: settings)
    #expect(record.findings.map(\.name) == ["stuck-when-cancelled"])
    #expect(
      record.findings[0].details?.last
        == "step 2: it had not ended after \(milliseconds) ms of real time and was ended: "
        + "blocked, or going round for ever")
  }

  @Test(
    "a step whose process was killed from outside is lost, and no fault of the pipeline",
    arguments: [1, 2, 9, 15, 24])
  func killed(signal: Int32) throws {
    let record = try report([(1, 0), (2, signal), (3, 0)], [result(1), result(3)])
    #expect(record.findings.isEmpty)
    #expect(record.verdict == .invalid)
    #expect(record.reasons.count == 1)
    #expect(record.reasons[0].hasPrefix("step 2: lost: its process was ended by SIG"))
    #expect(record.metrics["steps.failed"] == .integer(1))
  }

  @Test(
    "what a process brings upon itself is a crash, with the signal's name",
    arguments: [4, 5, 6, 7, 8, 11, 31])
  func crashed(signal: Int32) throws {
    let record = try report([(1, 0), (2, signal | 0x80)], [result(1)])
    #expect(record.findings.map(\.name) == ["crashed-when-cancelled"])
    #expect(record.findings[0].details?.last?.contains("SIG") == true)
    #expect(record.verdict == .passed)
  }

  @Test("a sweep that cancelled nothing proves nothing")
  func empty() throws {
    #expect(try report([], []).verdict == .invalid)
  }
}
