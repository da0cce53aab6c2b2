import Foundation
import RunRecords
import Testing

@testable import Reports

@Suite("What the page looks like, as far as its source tells")
struct HTMLLayoutTests {
  private static let library = ChartLibrary(source: "var Chart = 1;")

  private func pages() throws -> [HTMLReader] {
    var sweep = Fixture.usual()
    sweep.expectations = [
      ExpectationRecord(
        finding: "orphaned-task", count: 3, seen: 3, strategy: "batched-5", variant: "sound",
        clock: "virtual", repetition: 1, verdict: .passed)
    ]
    let runs = RunsReport([RunsEntry(Fixture.usual())], verdict: .failed).html
    return try [HTMLReport.text(sweep, charts: Self.library), runs].map(HTMLReader.init)
  }

  @Test("Each table stands in a frame that scrolls and shows when something is out of sight")
  func frames() throws {
    for page in try pages() {
      let frames = page.opened.enumerated().filter { $0.element.name == "table" }.map { index, _ in
        page.opened[index - 1]
      }
      #expect(frames.count == page.tables.count && !frames.isEmpty)
      for frame in frames {
        #expect(frame.name == "div" && frame.attributes.contains("class=\"scroll\""))
        #expect(frame.attributes.contains("tabindex=\"0\"") && frame.attributes.contains("aria-label=\""))
      }
    }
    let rule = try #require(ReportStyle.css.components(separatedBy: ".scroll {").dropFirst().first)
    let shadow = rule.prefix { $0 != "}" }
    #expect(shadow.contains("overflow-x: auto"))
    // Two that stay, at the sides, and the paper over each that moves with what is in the frame.
    #expect(shadow.components(separatedBy: "var(--shade)").count == 3)
    #expect(shadow.components(separatedBy: "no-repeat local").count == 3)
    // A colour for light and for dark.
    #expect(ReportStyle.css.components(separatedBy: "--shade: #").count == 3)
  }

  @Test("Tables of words are stacked on a phone; figures whose heads are gone there say what they are")
  func stacked() throws {
    for page in try pages() {
      let tables = page.opened.filter { $0.name == "table" }.map(\.attributes)
      let words = page.tables.indices.filter { page.tables[$0].first?.contains("verdict") == true }
      #expect(!words.isEmpty)
      for index in words where page.tables[index].first?.first != "cell" {
        #expect(tables[index].contains("stacked"), "\(page.tables[index].first ?? [])")
      }
    }
    let cells = try pages()[0].opened.filter { $0.attributes.contains("data-label=\"seen\"") }
    #expect(cells.count == 1)
  }

  @Test("What is wrong and was not expected stands above the gates; what was expected below the validity")
  func order() throws {
    func ids(_ run: RunRecord) throws -> [String] {
      try HTMLReader(HTMLReport.text(run, charts: nil)).opened.filter { $0.name == "section" }.compactMap {
        $0.attributes.components(separatedBy: "id=\"").last?.components(separatedBy: "\"").first
      }
    }
    var run = Fixture.usual()
    #expect(try ids(run).prefix(4) == ["verdict", "unexpected", "gates", "validity"])
    run.cells[1].findings[0].isExpected = true
    #expect(try ids(run).prefix(4) == ["verdict", "gates", "validity", "findings"])
  }

  @Test("A chain of calls has a line for each function")
  func chains() throws {
    var run = Fixture.usual()
    run.cells[1].findings[0].details = ["8 × Task, suspended, in a<T>() ← b() ← c() (M/c.swift:3)"]
    let page = try HTMLReader(HTMLReport.text(run, charts: nil))
    #expect(page.words(of: "span", with: "frame") == ["← b()", "← c() (M/c.swift:3)"])
    let terminal = TerminalSummary.text(run)
    #expect(
      terminal.contains(
        "    8 × Task, suspended, in a<T>()\n      ← b()\n      ← c() (M/c.swift:3)\n"))
  }

  @Test("Backticks are code; one without its partner stands as it is")
  func prose() {
    #expect(HTML.prose("gate `a < 1` failed") == "gate <code>a &lt; 1</code> failed")
    #expect(HTML.prose("a ` <b>") == "a ` &lt;b&gt;")
  }

  @Test("One strategy alone has no bars; of several the bars of a row stand above the multiples")
  func bars() throws {
    let one = try HTMLReader(HTMLReport.text(Fixture.run([Fixture.cell("only")]), charts: nil))
    #expect(!one.opened.contains { $0.name == "svg" })
    let several = HTMLReport.text(Fixture.usual(), charts: nil)
    #expect(several.contains("</svg> <small>"))
  }

  @Test("Axes say what they count, and in what unit")
  func axes() {
    for title in [
      "iterations each second", "in flight", "seconds since the start", "percentile",
      "latency of an iteration",
    ] {
      #expect(ChartScript.source.contains("axis(\"\(title)\""))
    }
  }

  @Test("A gate that comes to the same in all its cells takes one line, whether it holds or not")
  func folded() {
    let cells = ["a", "b", "c"].map { Fixture.cell($0) }
    func run(_ actual: [Int64]) -> RunRecord {
      Fixture.run(
        cells,
        gates: zip(cells, actual).map {
          Fixture.gate("hops < 8", $0, actual: .integer($1), limit: .integer(8), margin: -0.5, .failed)
        }, verdict: .failed)
    }
    let glossary = Glossary()
    let same = GateLine.lines(RunOutline(run: run([12, 12, 12]), glossary: glossary))
    #expect(same.map(\.place) == ["all 3 cells"])
    let other = GateLine.lines(RunOutline(run: run([12, 12, 13]), glossary: glossary))
    #expect(other.map(\.place) == ["a", "b", "c"])
  }
}
