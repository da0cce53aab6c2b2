import RunRecords
import Testing

@testable import Reports

@Suite("What to do next")
struct NextStepsTests {
  private func steps(_ run: RunRecord, advice: Bool = false) -> [String] {
    NextSteps.of(RunOutline(run: run, glossary: Glossary()), advice: advice)
  }

  @Test("After a gate that failed: where it holds, where the time goes, what was counted")
  func failed() {
    #expect(
      steps(Fixture.usual()) == [
        "Compare with where `staleness{at=registry}.p99 < 400ms` holds: per-element.",
        "See where the time goes: `weir run rapid-regeneration.yaml --trace run.perfetto-trace --trace-cell batched-5,virtual`.",
        "`weir explain staleness` says what was counted, and how.",
      ])
    #expect(
      steps(Fixture.usual(), advice: true).first
        == "orphaned-task: Keep the task and cancel it when its consumer leaves: in the stream's onTermination, or in the iterator's deinit."
    )
  }

  @Test("After a gate on a count that fails everywhere there is nothing to trace or to compare with")
  func counts() {
    let cell = Fixture.cell("only")
    let run = Fixture.run(
      [cell],
      gates: [
        Fixture.gate("tasks.orphaned == 0", cell, actual: .integer(3), limit: .integer(0), .failed)
      ], verdict: .failed)
    #expect(steps(run) == ["`weir explain tasks.orphaned` says what was counted, and how."])
  }

  /// Gates on one figure: it holds in `holding` cells and fails in one more.
  private func gates(_ text: String, holding: Int) -> [GateRecord] {
    (0...holding).map { number in
      let isHolding = number < holding
      return Fixture.gate(
        text, Fixture.cell("s\(number)"), actual: .integer(isHolding ? 1 : 9), limit: .integer(5),
        isHolding ? .passed : .failed)
    }
  }

  @Test("Where a gate holds in many cells three are named, and of many gates two")
  func many() {
    let texts = ["flush.count < 5", "tasks.created < 5", "heap.mallocs < 5"]
    let run = Fixture.run(
      (0...5).map { Fixture.cell("s\($0)") }, gates: texts.flatMap { gates($0, holding: 5) }, verdict: .failed
    )
    #expect(
      steps(run) == [
        "Compare with where `flush.count < 5` holds: s0, s1, s2 and 2 more.",
        "Compare with where `tasks.created < 5` holds: s0, s1, s2 and 2 more.",
        "`weir explain flush.count` says what was counted, and how.",
      ])
    let three = Fixture.run(
      (0...3).map { Fixture.cell("s\($0)") }, gates: gates(texts[0], holding: 3), verdict: .failed)
    #expect(steps(three).first == "Compare with where `flush.count < 5` holds: s0, s1, s2.")
  }

  @Test("A share of time is no time to look for in a trace")
  func ratio() {
    let cell = Fixture.cell("only", clock: "real")
    func steps(_ text: String) -> [String] {
      let gate = Fixture.gate(text, cell, actual: .integer(9), limit: .integer(5), .failed)
      return self.steps(Fixture.run([cell], gates: [gate], verdict: .failed))
    }
    #expect(
      steps("cpu.user / elements.stored < 5") == ["`weir explain cpu.user` says what was counted, and how."])
    #expect(
      steps("cpu.user < 5ns").first
        == "See where the time goes: `weir run rapid-regeneration.yaml --trace run.perfetto-trace --trace-cell only,real`."
    )
  }

  @Test("A crash is run again with the strategy that crashed")
  func crash() {
    let cells = [Fixture.cell("sound"), Fixture.cell("broken", verdict: .crashed)]
    #expect(
      steps(Fixture.run(cells, verdict: .crashed)).joined().contains(
        "`weir run rapid-regeneration.yaml --strategy broken`"))
  }

  @Test("A finding that was expected and not seen is asked about; one seen less often is not")
  func notSeen() {
    func steps(seen: Int, _ verdict: Verdict) -> [String] {
      var run = Fixture.run([Fixture.cell("only")], verdict: .failed)
      run.expectations = [
        ExpectationRecord(
          finding: "orphaned-task", count: 2, seen: seen, strategy: "only", variant: "sound",
          clock: "virtual", repetition: 1, verdict: verdict)
      ]
      return self.steps(run)
    }
    #expect(
      steps(seen: 0, .failed).map { $0.hasPrefix("A finding that was expected was not seen") } == [true])
    #expect(steps(seen: 1, .failed).isEmpty && steps(seen: 2, .passed).isEmpty)
  }

  @Test(
    "Each verdict that is not passed says something, in every format",
    arguments: [Verdict.failed, .crashed, .hung, .invalid, .inconclusive, .regressed, .noBaseline])
  func verdicts(verdict: Verdict) {
    var run = Fixture.usual()
    run.verdict = verdict
    #expect(!steps(run).isEmpty)
    for text in [TerminalSummary.text(run), SummaryMarkdown.text(run), HTMLReport.text(run, charts: nil)] {
      #expect(text.contains("What to do next"))
    }
  }

  @Test("A run that passed, and one that was stopped, need nothing")
  func none() {
    for verdict in [Verdict.passed, .interrupted] {
      let run = Fixture.run([Fixture.cell("only")], verdict: verdict)
      #expect(steps(run).isEmpty)
      #expect(!HTMLReport.text(run, charts: nil).contains("What to do next"))
    }
  }
}
