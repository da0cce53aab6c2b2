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
    @@SNAPSHOT@@
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
    #expect(lines.count { $0.contains("per-element") } == 2)
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
