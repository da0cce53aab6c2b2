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
