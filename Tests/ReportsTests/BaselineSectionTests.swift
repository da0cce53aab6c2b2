import Reports
import RunRecords
import Testing

@Suite("What a run came to against a baseline, in every format")
struct BaselineSectionTests {
  private func run(_ record: BaselineRecord) -> RunRecord {
    var run = Fixture.run([Fixture.cell("per-element"), Fixture.cell("batched-5", batch: 5)])
    run.baseline = record
    run.verdict = record.verdict
    return run
  }

  private func change(_ metric: String, _ mark: BaselineRecord.Mark, reason: String = "exact")
    -> BaselineRecord.Change
  {
    BaselineRecord.Change(
      metric: metric, strategy: "batched-5", variant: "sound", clock: "virtual", value: .integer(3_000_000),
      base: .integer(2_000_000), ratio: 1.5, mark: mark, reason: reason)
  }

  @Test("Regressions come first, with both figures and the multiple")
  func changes() throws {
    let run = run(
      BaselineRecord(
        made: "2026-01-02T03:04:05Z, 0123abc", notes: ["the baseline's build was debug; now it is release"],
        compared: 41,
        changes: [
          change("latency.iteration.p50", .improved),
          change("cpu.user", .inconclusive, reason: "needs 6 repetitions on each side, has 1 and 1"),
          change("latency.iteration.p99", .regressed),
        ], verdict: .regressed, reasons: ["latency.iteration.p99 in batched-5: worse than the baseline"]))
    #expect(
      TerminalSummary.text(run).contains(
        """
        Baseline: 41 figures compared: 1 regressed, 1 inconclusive, 1 improved
          regressed latency.iteration.p99 2 ms → 3 ms ×1.50 in batched-5
          inconclusive cpu.user 2 ms → 3 ms ×1.50 in batched-5: needs 6 repetitions on each side, has 1 and
            1
          improved latency.iteration.p50 2 ms → 3 ms ×1.50 in batched-5
          made 2026-01-02T03:04:05Z, 0123abc
          the baseline's build was debug; now it is release
        """))
    #expect(SummaryMarkdown.text(run).contains("| regressed | latency.iteration.p99 | 2 ms | 3 ms | ×1.50 |"))
    let page = try HTMLReader(HTMLReport.text(run, charts: nil))
    let table = try #require(page.tables.first { $0[0].contains("before") })
    #expect(table.dropFirst().map { $0[1] } == ["regressed", "inconclusive", "improved"])
    for head in table[0] { #expect(ReportWords.about(head) != nil, "\(head)") }
    let junit = JUnit.text(run)
    #expect(junit.contains("failures=\"1\"") && junit.contains("skipped=\"1\""))
    #expect(junit.contains("name=\"latency.iteration.p99 [batched-5]\""))
  }

  @Test("Without one the reason stands in every format, and no case passes for it")
  func none() {
    let run = run(
      BaselineRecord(
        made: "", notes: [], compared: 0, changes: [], verdict: .noBaseline,
        reasons: ["there is no baseline of this scenario"]))
    for text in [
      TerminalSummary.text(run), SummaryMarkdown.text(run), HTMLReport.text(run, charts: nil),
      JUnit.text(run),
    ] {
      #expect(text.contains("there is no baseline of this scenario"))
    }
    #expect(JUnit.text(run).contains("skipped=\"1\""))
    #expect(!TerminalSummary.text(run).contains("none changed"))
  }

  @Test("The headline says its word once, and a row says where it is per iteration")
  func headline() {
    var total = change("hops", .regressed)
    total.isPerIteration = true
    var regressed = run(
      BaselineRecord(
        made: "", notes: [], compared: 1, changes: [total], verdict: .regressed,
        reasons: ["hops in batched-5: worse than the baseline"]))
    for reason in ["hops in batched-5: worse", "regressed: hops in batched-5: worse"] {
      regressed.reasons = [reason]
      #expect(TerminalSummary.text(regressed).hasPrefix("regressed: hops in batched-5: worse\n"))
    }
    #expect(TerminalSummary.text(regressed).contains("×1.50 per iteration in batched-5"))
  }

  @Test("A run that was held against none says nothing of baselines")
  func unasked() {
    let text = TerminalSummary.text(Fixture.usual())
    #expect(!text.contains("Baseline"))
  }
}
