import Reports
import RunRecords
import Testing

@Suite("A gate that was not judged says so in every format")
struct NotJudgedTests {
  private static let gate = "tasks.orphaned == 0"

  private func texts(_ run: RunRecord) -> [String] {
    [
      TerminalSummary.text(run), SummaryMarkdown.text(run), JUnit.text(run),
      HTMLReport.text(run, charts: nil),
    ]
  }

  @Test(
    "Over a cell that proves nothing it is not a pass",
    arguments: [Verdict.invalid, .hung, .crashed, .interrupted])
  func cells(verdict: Verdict) {
    let good = Fixture.cell("per-element")
    let bad = ["batched-5", "locked"].map { Fixture.cell($0, verdict: verdict) }
    let gates =
      [Fixture.gate(Self.gate, good, actual: .integer(0), limit: .integer(0))]
      + bad.map {
        Fixture.gate(
          Self.gate, $0, actual: nil, limit: .integer(0), verdict, reason: "the cell came to nothing")
      }
    let run = Fixture.run([good] + bad, gates: gates, verdict: verdict)
    #expect(
      TerminalSummary.text(run).contains(
        """
        Gates: 0 of 1 hold, 1 not judged
          not judged  tasks.orphaned == 0  2 of 3 cells
                      the cell came to nothing
          pass  tasks.orphaned == 0  0  per-element
        """))
    for text in texts(run) {
      #expect(text.contains("not judged"))
      #expect(text.contains("the cell came to nothing"))
    }
    #expect(JUnit.text(run).contains("errors=\"4\""))
    // Nothing but cells that prove nothing: no line of a pass is left.
    let none = Fixture.run(bad, gates: Array(gates.dropFirst()), verdict: verdict)
    #expect(!TerminalSummary.text(none).contains("pass "))
    #expect(TerminalSummary.text(none).contains("all 2 cells"))
  }

  @Test("For a strategy that the command line left out it stands in the summary")
  func strategies() {
    let cell = Fixture.cell("per-element")
    var run = Fixture.run(
      [cell], gates: [Fixture.gate(Self.gate, cell, actual: .integer(0), limit: .integer(0))])
    run.scenario.gatesLeftOut = ["flush.count > 0 for batched-5"]
    #expect(
      TerminalSummary.text(run).contains(
        """
        Gates: 1 of 2 hold, 1 not judged
          not judged  flush.count > 0 for batched-5
                      strategy not run
        """))
    for text in texts(run) { #expect(text.contains("not judged") && text.contains("strategy not run")) }
    #expect(JUnit.text(run).contains("skipped=\"1\""))
  }
}
