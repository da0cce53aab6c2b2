import Measurement
import Reports
import RunRecords
import Testing

@Suite("The terminal's summary")
struct TerminalSummaryTests {
  @Test("A failed run, word for word")
  func snapshot() {
    #expect(TerminalSummary.text(Fixture.usual()) == Self.expected)
  }

  private static let expected = """
    failed: gate `staleness{at=registry}.p99 < 400ms` failed in batched-5
    rapid-regeneration · pipeline story · virtual clock · open load · seed 7 · 2 cells
    Users regenerate names quickly; does the registry become the bottleneck?

    Gates
      pass          tasks.orphaned == 0                 0       all 2 cells
      pass          staleness{at=registry}.p99 < 400ms  97 ms   75.8 % inside, per-element
      FAIL          staleness{at=registry}.p99 < 400ms  475 ms  18.8 % outside, batched-5
      inconclusive  latency.iteration.p99.99 < 8s       7 s     12.5 % inside, batched-5
                    needs at least 10000 samples, has 640

    Validity
      offered                 21.3/s
      achieved                21.3/s
      dropped arrivals        0
      start lateness p50      1.3 µs
      start lateness p99      7.26 µs
      start lateness max      10 µs
      probe events lost       0
      coverage                whole-runtime
      warm-up                 5 s left out of distributions
      On the virtual clock CPU costs nothing, so strategies cannot differ in throughput there: latencies
        hold scripted delays and queueing at providers.
      Latency is shown from the intended start; service time from the real start.

    Findings
      orphaned-task in batched-5, 3 times (not expected)
        3 tasks outlived their iteration by up to 2.5 s.
        longest-ns = 2,500,000,000, tasks = 3
        at ProseStage.run() (StoryPipeline/ProseStage.swift:41)
        advice: Keep the task and cancel it when its consumer leaves: in the stream's onTermination, or
          in the iterator's deinit.

    Strategies (virtual clock)
                                             per-element        batched-5
      hops{role=registry}                         16,000    3,712   ×0.23
      hops{role=registry} / elements.stored         1.04    0.242   ×0.23
      elements.stored                             15,360   15,360   ×1.00
      flush.count                                 15,360    3,072   ×0.20
      staleness{at=registry}.p50                 9.05 ms  45.3 ms   ×5.00
      staleness{at=registry}.p99                 86.8 ms   434 ms   ×5.00
      latency.iteration.p50                        3.3 s   3.54 s   ×1.07
      latency.iteration.p99                       23.8 s   25.5 s   ×1.07
      service.iteration.p99                       20.5 s     22 s   ×1.07
      iterations.completed                           640      640   ×1.00
      iterations.failed                                0        0     n/a
      tasks.created                                5,760    5,760   ×1.00
      tasks.orphaned                                   0        0     n/a
      heap.mallocs                               476,160  476,160   ×1.00
      heap.mallocs / elements.stored                  31       31   ×1.00

    verdict: failed

    """

  @Test("A run without cells says so, and no figure is NaN (B42, B46)")
  func empty() {
    let text = TerminalSummary.text(
      Fixture.run([], verdict: .invalid, reasons: ["no cell was run"], planned: 4))
    #expect(
      text == """
        invalid: no cell was run
        rapid-regeneration · pipeline story · open load · seed 7 · 0 of 4 cells
        Users regenerate names quickly; does the registry become the bottleneck?

        Validity
          no samples: no cell was run

        verdict: invalid

        """)
  }

  @Test("Eight samples: p99 is the largest and marked as not resolved (B42)")
  func fewSamples() {
    var cell = Fixture.cell("per-element", samples: 8)
    var histogram = LatencyHistogram()
    for index in 0..<8 { histogram.record(7_780_800_000 + Int64(index) * 4_560_000_000) }
    Fixture.distribution("latency.iteration", histogram, in: &cell)
    let text = TerminalSummary.text(Fixture.run([cell]))
    #expect(text.contains("39.7 s*"))
    #expect(text.contains("the tail is not resolved"))
  }

  @Test("A gate without a figure says so")
  func noFigure() {
    let cell = Fixture.cell("per-element")
    let gate = Fixture.gate(
      "latency.iteration.p99 < 8s", cell, actual: nil, limit: .integer(8_000_000_000), .failed,
      reason: "no samples")
    let text = TerminalSummary.text(Fixture.run([cell], gates: [gate], verdict: .failed))
    #expect(
      text.contains(
        "  FAIL          latency.iteration.p99 < 8s  no figure  per-element\n                no samples\n"))
  }

  @Test("Nothing that is no number is printed (B51)")
  func noNaN() {
    var zero = Fixture.cell("zero")
    zero.metrics = zero.metrics.mapValues { _ in .integer(0) }
    zero.histograms = [:]
    var broken = Fixture.cell("broken")
    broken.metrics["load.offered"] = .real(.nan)
    broken.metrics["load.achieved"] = .real(.infinity)
    let run = Fixture.run(
      [zero, broken],
      gates: [
        Fixture.gate(
          "load.offered > 1/s", broken, actual: .real(.nan), limit: .real(1), margin: .infinity, .failed)
      ])
    for text in [
      TerminalSummary.text(run), SummaryMarkdown.text(run), HTMLReport.text(run, charts: nil),
      JUnit.text(run),
      MetricsCSV.text(run),
    ] {
      let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }
      #expect(!words.contains("nan") && !words.contains("inf") && !words.contains("infinity"))
    }
    #expect(TerminalSummary.text(run).contains("n/a"))
  }

  @Test("Control characters cannot steer the terminal")
  func control() {
    let run = Fixture.run([Fixture.cell("\u{1B}[31mred\u{0}\nnext")])
    let text = TerminalSummary.text(run)
    #expect(!text.contains("\u{1B}") && !text.contains("\u{0}"))
    #expect(text.contains("\\nnext"))
  }

  @Test("Colour wraps the verdict and nothing else changes")
  func colour() {
    let coloured = TerminalSummary.text(Fixture.usual(), style: TerminalStyle(color: true))
    #expect(coloured.contains("\u{1B}[1;31mverdict: failed\u{1B}[0m"))
    let plain = coloured.replacing(/\u{1B}\[[0-9;]*m/, with: "")
    #expect(plain == TerminalSummary.text(Fixture.usual()))
  }

  @Test("Tables wider than the terminal are cut, each part with the first strategy")
  func width() {
    let names = [
      "per-element", "batched-5", "batched-10", "batched-20", "batched-50-every-100ms", "batched-100",
    ]
    let run = Fixture.run(names.map { Fixture.cell($0) })
    let lines = TerminalSummary.text(run).split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 100 })
    #expect(lines.count { $0.contains("per-element") } == 3)
    for name in names { #expect(lines.contains { $0.contains(name) }) }
  }

  @Test("Closed load says which latency it shows")
  func closed() {
    let text = TerminalSummary.text(Fixture.run([Fixture.cell("a", clock: "real")], loadModel: "closed"))
    #expect(text.contains("latency is shown from each iteration's real start"))
    #expect(text.contains("generator CPU           3.2 %"))
    #expect(!text.contains("virtual clock"))
  }
}
