import RunRecords
import Testing

@testable import Reports

@Suite("What an interrupted cell measured is shown and marked")
struct InterruptedTests {
  private func run(_ cells: [CellRecord], planned: Int) -> RunRecord {
    Fixture.run(cells, verdict: .interrupted, planned: planned)
  }

  @Test("A run that was interrupted in its only cell shows that cell's figures in every format")
  func alone() {
    var cell = Fixture.cell("ordered", clock: "real", samples: 23, verdict: .interrupted)
    cell.users = 1
    let record = run([cell], planned: 6)
    let page = HTMLReport.text(record, charts: ChartLibrary(source: "var Chart = 1;"))
    for text in [TerminalSummary.text(record), SummaryMarkdown.text(record), page] {
      #expect(text.contains("interrupted: what was run until then"))
      #expect(!text.contains("no samples") && !text.contains("No samples"))
      // One load is no sweep.
      #expect(!text.contains("By load"))
    }
    #expect(page.contains("id=\"course-0\"") && page.contains("id=\"percentiles-0\""))
    let figures = TerminalSummary.text(record).split(separator: "\n")
    #expect(figures.contains { $0.contains("latency.iteration.p99") && $0.hasSuffix("*") })
  }

  @Test("Beside whole cells it has a column that says so, and no multiples")
  func beside() throws {
    let cells = [Fixture.cell("ordered"), Fixture.cell("all-at-once", batch: 5, verdict: .interrupted)]
    let outline = RunOutline(run: run(cells, planned: 3), glossary: Glossary())
    let table = try #require(outline.tables.first)
    #expect(table.titles == ["ordered", "all-at-once (interrupted)"])
    #expect(table.rows.allSatisfy { $0.ratio(1) == nil })
    #expect(SummaryMarkdown.text(outline.run).contains("all-at-once (interrupted)"))
    #expect(!outline.caption(table).contains("interrupted"))
  }

  @Test("An interrupted repetition is left out where another came to its end")
  func repetitions() {
    var cells = [
      Fixture.cell("ordered"), Fixture.cell("ordered", repetition: 2, samples: 3, verdict: .interrupted),
    ]
    cells[1].metrics["elements.stored"] = .integer(1)
    let table = Glossary().tables(of: run(cells, planned: 2))[0]
    #expect(table.isInterrupted == [false] && table.repetitions == [1])
    #expect(table.rows.first { $0.term.name == "elements.stored" }?.values[0] == .integer(640 * 24))
  }

  @Test("Figures that are judged or compared never come from one")
  func unjudged() {
    var cell = Fixture.cell("ordered", clock: "real", verdict: .interrupted)
    cell.users = 1
    cell.metrics["throughput"] = .real(4)
    #expect(StrategyFigures.tables(of: [cell]).isEmpty)
    #expect(LoadSweep.all(of: [cell])[0].points[0].rate == nil)
    #expect(LoadSweep.all(of: [cell], withInterrupted: true)[0].points[0].rate == 4)
  }
}
