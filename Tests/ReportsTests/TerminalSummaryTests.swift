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

    Gates: 1 of 3 hold
      FAIL          staleness{at=registry}.p99 < 400ms  475 ms  18.8 % outside  batched-5
      inconclusive  latency.iteration.p99.99 < 8s       7 s     12.5 % inside   batched-5
                    needs at least 10000 samples, has 640
      pass  tasks.orphaned == 0                 0                     all 2 cells
      pass  staleness{at=registry}.p99 < 400ms  97 ms  75.8 % inside  per-element

    Findings that were not expected
      orphaned-task ×3 in batched-5
        3 tasks outlived their iteration by up to 2.5 s.
        longest = 2.5 s, tasks = 3
        at ProseStage.run() (StoryPipeline/ProseStage.swift:41)
        advice: Keep the task and cancel it when its consumer leaves: in the stream's onTermination, or
          in the iterator's deinit.

    Validity
      iterations: planned 640 · started 640 · completed 640 · failed 0 · dropped 0 · in the warm-up 0
      offered                 21.3/s
      achieved                21.3/s
      start lateness p50      1.3 µs
      start lateness p99      7.26 µs
      start lateness max      10 µs
      probe events lost       0
      coverage                whole-runtime
      warm-up                 5 s left out of distributions
      On the virtual clock CPU costs nothing, so strategies cannot differ in throughput there: latencies
        hold scripted delays and queueing at providers.
      Latency is shown from the intended start; service time from the real start.

    Strategies (virtual clock)
                                                 hops                    staleness      staleness
                              hops    {role=registry}                {at=registry}  {at=registry}
                   {role=registry}  / elements.stored   flush.count           .p50           .p99
      per-element     16,000               1.04        15,360        9.05 ms        86.8 ms
      batched-5        3,712 ×0.23        0.242 ×0.23   3,072 ×0.20  45.3 ms ×5.00   434 ms ×5.00

                        latency       latency       service        latency
                     .iteration    .iteration    .iteration     .iteration
                           .p50          .p99          .p99        .p99.99
      per-element   3.3 s        23.8 s        20.5 s        33.3 s*
      batched-5    3.54 s ×1.07  25.5 s ×1.07    22 s ×1.07  35.7 s* ×1.07

      × multiples of per-element's figure, where they differ
      same for all: elements.stored 15,360 · iterations.completed 640 · iterations.failed 0 ·
        tasks.created 5,760 · tasks.orphaned 0 · heap.mallocs 476,160 ·
        heap.mallocs / elements.stored 31
      * too few samples for this percentile: the tail is not resolved

    What to do next
      Compare with where `staleness{at=registry}.p99 < 400ms` holds: per-element.
      See where the time goes: `weir run rapid-regeneration.yaml --trace run.perfetto-trace --trace-cell
        batched-5,virtual`.
      `weir explain staleness` says what was counted, and how.

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

        What to do next
          Mend what the reason names and run it again: no figure of this run can be relied on, whatever its
            gates say.

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
        "Gates: 0 of 1 hold\n  FAIL  latency.iteration.p99 < 8s  no figure  per-element\n        no samples\n"
      ))
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

  @Test("Tables wider than the terminal are cut, each with all strategies; names can be read whole")
  func width() {
    let names = [
      "per-element", "batched-5", "batched-10", "batched-20", "batched-50-every-100ms", "batched-100",
    ]
    let run = Fixture.run(names.enumerated().map { Fixture.cell($1, batch: $0 * 2 + 1) })
    for width in [60, 80, 100, 200] {
      let lines = TerminalSummary.text(run, style: TerminalStyle(width: width)).split(separator: "\n")
      #expect(lines.allSatisfy { $0.count <= width })
      let tables = lines.count { $0.hasPrefix("  per-element ") }
      #expect(tables == [60: 4, 80: 3, 100: 2, 200: 1][width])
      for name in names { #expect(lines.count { $0.hasPrefix("  \(name) ") } == tables) }
    }
  }

  @Test("What is the same for all strategies is said once, and what lies within 2 % as a range")
  func folded() {
    var cells = ["a", "b", "c"].map { Fixture.cell($0) }
    cells[1].metrics["tasks.created"] = .integer(5_761)
    cells[2].metrics["hops{role=registry}"] = .integer(8_000)
    let text = TerminalSummary.text(Fixture.run(cells))
    #expect(
      text.contains(
        """
        Strategies (virtual clock)
                                           hops
                        hops    {role=registry}
             {role=registry}  / elements.stored
          a     16,000               1.04
          b     16,000               1.04
          c      8,000 ×0.50        0.521 ×0.50

          × multiples of a's figure, where they differ
          same for all: elements.stored 15,360 · flush.count 15,360 ·
        """))
    #expect(text.contains("  within 2 %: tasks.created 5,760 to 5,761\n"))
    #expect(!text.contains("×1.00"))
  }

  @Test("One strategy is a plain list")
  func one() {
    let text = TerminalSummary.text(Fixture.run([Fixture.cell("per-element")]))
    #expect(
      text.contains(
        """
        Figures of per-element (virtual clock)
          hops{role=registry}                     16,000
          hops{role=registry} / elements.stored     1.04
          elements.stored                         15,360
        """))
    #expect(!text.contains("×") && !text.contains("same for all"))
  }

  @Test("One strategy on two clocks is a list with a column for each")
  func clocks() {
    let cells = ["virtual", "real"].map { Fixture.cell("per-element", clock: $0) }
    let text = TerminalSummary.text(Fixture.run(cells))
    #expect(
      text.contains(
        """
        Figures of per-element (virtual and real clock)
                    virtual    real
          cpu.user        –  4.24 s

          same for all: hops{role=registry} 16,000 ·
        """))
  }

  @Test("Gates that did not hold come first; a name too long for its column leaves the figures in line")
  func gates() {
    let cell = Fixture.cell("batched-5-50ms")
    let long = "hops{role=registry} / elements.stored > 0.2"
    let run = Fixture.run(
      [cell],
      gates: [
        Fixture.gate("flush.count > 0 for batched-5-50ms", cell, actual: .integer(9), limit: .integer(0)),
        Fixture.gate(long, cell, actual: .real(0.34), limit: .real(0.2), margin: 0.7),
        Fixture.gate("flush.count < 9", cell, actual: .integer(9), limit: .integer(9), margin: 0, .failed),
      ], verdict: .failed)
    let text = TerminalSummary.text(run, style: TerminalStyle(width: 72))
    #expect(
      text.contains(
        """
        Gates: 2 of 3 hold
          FAIL  flush.count < 9  9  on the limit  batched-5-50ms
          pass  flush.count > 0                9                  batched-5-50ms
          pass  hops{role=registry} / elements.stored > 0.2
                                               0.34  70 % inside  batched-5-50ms
        """))
  }

  @Test("What a trace did to its cell stands beside the figures, with what it lost")
  func traced() {
    var cells = [Fixture.cell("per-element"), Fixture.cell("batched-5")]
    for index in cells.indices { cells[index].metrics["load.lateness.max"] = .integer(0) }
    #expect(!TerminalSummary.text(Fixture.run(cells)).contains("traced"))
    cells[1].trace = TraceRecord(events: 12_345, lost: 0, length: 5_000_000_000)
    let words = { (run: RunRecord) in
      TerminalSummary.text(run).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    #expect(
      words(Fixture.run(cells)).contains(
        "batched-5 was traced, 12,345 events; virtual time is not changed by that."))
    cells = [Fixture.cell("per-element", clock: "real")]
    cells[0].trace = TraceRecord(events: 10, lost: 1_000, length: 2_000_000_000)
    #expect(words(Fixture.run(cells)).contains("its times and rates are not those of an untraced run."))
    #expect(
      words(Fixture.run(cells)).contains(
        "1,000 later events are missing: the timeline is whole for its first 2 s."))
    cells[0].trace = TraceRecord(events: 10, lost: 0, length: 0, failure: "cannot write a.pt: no room")
    #expect(
      words(Fixture.run(cells)).contains("Its files are not all there: cannot write a.pt: no room."))
    cells[0].trace = TraceRecord(events: 0, lost: 0, length: 0, note: "no timeline: no room")
    #expect(words(Fixture.run(cells)).contains("per-element was to be traced: no timeline: no room."))
  }

  @Test("Without anything to worry about on the virtual clock, validity is one line and its caveat")
  func brief() {
    var cell = Fixture.cell("per-element")
    cell.metrics["load.lateness.max"] = .integer(0)
    let text = TerminalSummary.text(Fixture.run([cell]))
    #expect(
      text.contains(
        """
        Validity
          iterations: planned 640 · started 640 · completed 640 · failed 0 · dropped 0 · in the warm-up 0
          offered 21.3/s · achieved 21.3/s · coverage whole-runtime · warm-up 5 s left out
          On the virtual clock CPU costs nothing
        """))
    #expect(!text.contains("start lateness"))
    var ranged = cell
    ranged.metrics["iterations.completed"] = .integer(600)
    ranged.metrics["iterations.cancelled"] = .integer(60)
    ranged.metrics["iterations.running"] = .integer(2)
    cell.metrics["iterations.cancelled"] = .integer(0)
    #expect(
      TerminalSummary.text(Fixture.run([cell, ranged])).contains(
        """
          iterations: planned 640 · started 640 · completed 600 to 640 · failed 0 · cancelled 0 to 60 ·
            dropped 0 · running at the end 2 (not measured in 1 of 2 cells) · in the warm-up 0 to 20
        """))
    for change in [
      ("arrivals.dropped", MetricValue.integer(1)), ("load.achieved", .real(20)), ("probe.lost", .integer(2)),
    ] {
      var worse = cell
      worse.metrics[change.0] = change.1
      #expect(TerminalSummary.text(Fixture.run([worse])).contains("start lateness"))
    }
  }

  @Test("An expected finding takes a line with its figures and place, and no advice")
  func expected() {
    var run = Fixture.usual()
    run.cells[1].findings[0].isExpected = true
    run.expectations = [
      ExpectationRecord(
        finding: "orphaned-task", count: 3, seen: 3, strategy: "batched-5", variant: "sound",
        clock: "virtual", repetition: 1, verdict: .passed),
      ExpectationRecord(
        finding: "wrong-slot", count: nil, seen: 0, strategy: "batched-5", variant: "sound",
        clock: "virtual", repetition: 1, verdict: .failed),
    ]
    let text = TerminalSummary.text(run)
    #expect(
      text.contains(
        """
        Expected findings
          FAIL  wrong-slot, at least once: seen 0 times in batched-5
          pass  orphaned-task ×3 in batched-5: longest = 2.5 s, tasks = 3, at ProseStage.run()
                (StoryPipeline/ProseStage.swift:41)

        Validity
        """))
    #expect(!text.contains("advice"))
  }

  @Test("Several scenarios: a line for each, a table at the end")
  func several() {
    let runs = [Fixture.run([Fixture.cell("a")]), Fixture.usual()]
    let lines = runs.map { TerminalRuns.line($0, nameWidth: 20, directory: "Out/x", style: TerminalStyle()) }
    #expect(
      lines == [
        "passed        rapid-regeneration      1 cell   812 ms  Out/x\n",
        "failed        rapid-regeneration     2 cells   1.62 s  Out/x\n",
      ])
    let table = TerminalRuns.table(
      runs.map { RunsEntry($0) }, planned: 3, verdict: .interrupted, style: TerminalStyle())
    #expect(
      table == """

        Scenarios: 1 of 3 passed
          passed        rapid-regeneration  1 cell
          failed        rapid-regeneration  gate `staleness{at=registry}.p99 < 400ms` failed in batched-5
          1 not run

        verdict: interrupted

        """)
  }

  @Test("Closed load says which latency it shows")
  func closed() {
    let text = TerminalSummary.text(Fixture.run([Fixture.cell("a", clock: "real")], loadModel: "closed"))
    #expect(text.contains("latency is shown from each iteration's real start"))
    #expect(text.contains("generator CPU           3.2 %"))
    #expect(!text.contains("virtual clock"))
  }
}
