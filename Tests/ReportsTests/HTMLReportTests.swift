import Foundation
import Reports
import RunRecords
import Testing

@Suite("The HTML report")
struct HTMLReportTests {
  private static let library = ChartLibrary(source: "/*! Chart.js */ var Chart = '</script>';")

  @Test("A usual run parses and holds its sections")
  func usual() throws {
    let page = try HTMLReader(HTMLReport.text(Fixture.usual(), charts: Self.library))
    let ids = page.opened.filter { $0.name == "section" }.map(\.attributes)
    for id in [
      "verdict", "unexpected", "gates", "validity", "strategies-virtual-sound", "figures", "environment",
      "scenario",
    ] {
      #expect(ids.contains { $0.contains("id=\"\(id)\"") }, "\(id) is missing")
    }
    #expect(page.text.contains("18.8 % outside"))
    #expect(page.text.contains("On the virtual clock CPU costs nothing"))
    #expect(page.text.contains("Keep the task and cancel it"))
    #expect(page.scripts.count == 3)
    // One of percentiles; the two strategies went alike and share one of the course.
    #expect(page.opened.count { $0.name == "canvas" } == 2)
    #expect(page.words(of: "figcaption").contains("per-element, batched-5"))
    #expect(
      page.opened.filter { $0.name == "canvas" }.allSatisfy {
        $0.attributes.contains("aria-label=\"Line chart")
      })
  }

  @Test("Chart data are JSON with a curve for each strategy and bounded lines")
  func chartData() throws {
    struct Data: Decodable {
      struct Chart: Decodable { var id: String; var series: [Series] }
      struct Series: Decodable { var name: String; var points: [[Double]]?; var values: [Double]? }
      var percentiles: [Chart]
      var courses: [Chart]
    }
    var run = Fixture.usual()
    run.cells[0].series["iterations.started"] = SeriesRecord(
      interval: 1_000_000, values: [Int64](repeating: 1, count: 9_999))
    for name in ["arrivals.planned", "iterations.completed", "iterations.failed", "iterations.in-flight"] {
      run.cells[0].series[name] = nil
    }
    let page = try HTMLReader(HTMLReport.text(run, charts: Self.library))
    let data = try JSONDecoder().decode(Data.self, from: Foundation.Data(page.scripts[0].utf8))
    #expect(
      data.percentiles.map { $0.series.map(\.name) } == [
        ["per-element", "per-element, service", "batched-5", "batched-5, service"]
      ])
    #expect(
      data.percentiles[0].series.allSatisfy { ($0.points?.count ?? 0) > 20 && ($0.points?.count ?? 0) < 200 })
    #expect(data.courses.count == 2)
    #expect(data.courses[0].series[0].values?.count ?? 999 <= 240)
    #expect(data.courses[0].series[0].values?.first == 1_000)
  }

  @Test("Hostile names are shown literally, once escaped, a row for each (B56)")
  func hostile() throws {
    let error = String(repeating: "<title>&'\"", count: 1_000)
    var cells = Fixture.hostile.map { Fixture.cell($0, samples: 4) }
    cells[0].reasons = [error]
    cells[0].findings = [
      FindingRecord(
        name: "<i>", count: 1, message: error, evidence: [:], place: "</code>", iterations: [],
        isExpected: false)
    ]
    var run = Fixture.run(cells, verdict: .failed, reasons: [error])
    run.scenario.name = "</script><b>"
    run.scenario.resolved = "name: </pre><script>alert(1)</script>"
    let source = HTMLReport.text(run, charts: Self.library)
    let page = try HTMLReader(source)
    #expect(!source.contains("&amp;amp;amp;"))
    #expect(page.scripts.count == 3)
    #expect(!page.opened.contains { ["b", "i", "id"].contains($0.name) })
    #expect(page.opened.count { $0.name == "title" } == 1)
    let shown = Fixture.hostile.map {
      $0.replacing("\u{1B}", with: "\u{FFFD}").replacing("\u{0}", with: "\u{FFFD}")
    }
    let validity = try #require(page.tables.first { $0.first?.first == "cell" })
    #expect(validity.dropFirst().map { $0[0] } == shown)
    let compare = try #require(page.tables.first { $0.first?.first == "metric" && $0[0].count > 3 })
    #expect(Array(compare[0].dropFirst()) == shown)
    #expect(compare.allSatisfy { $0.count == shown.count + 1 })
    #expect(page.text.contains(error))
    let data = try JSONDecoder().decode([String: [Chart]].self, from: Data(page.scripts[0].utf8))
    #expect(data["percentiles"]?.first?.series.map(\.name).contains("</script><b>") == true)
  }

  private struct Chart: Decodable {
    struct Series: Decodable { var name: String }
    var series: [Series]
  }

  @Test("An empty run says so and has no charts")
  func empty() throws {
    let run = Fixture.run([], verdict: .invalid, reasons: ["no cell was run"])
    let page = try HTMLReader(HTMLReport.text(run, charts: Self.library))
    #expect(page.text.contains("no samples"))
    #expect(page.scripts.isEmpty)
    #expect(!page.opened.contains { $0.name == "canvas" })
  }

  @Test("Without the chart library the tables are alone, and a line says so")
  func noLibrary() throws {
    #expect(ChartLibrary.installed(at: "/nowhere/chart.min.js") == nil)
    let page = try HTMLReader(HTMLReport.text(Fixture.usual(), charts: nil))
    #expect(page.scripts.isEmpty)
    #expect(!page.opened.contains { $0.name == "canvas" })
    #expect(page.text.contains("Chart.js was not found"))
    #expect(
      page.tables.count
        == (try HTMLReader(HTMLReport.text(Fixture.usual(), charts: Self.library))).tables.count)
  }

  @Test("The page loads nothing and forbids the network")
  func noNetwork() throws {
    let page = try HTMLReader(HTMLReport.text(Fixture.usual(), charts: Self.library))
    #expect(!page.opened.contains { $0.attributes.contains("src=") || $0.attributes.contains("href=") })
    #expect(page.opened.contains { $0.name == "meta" && $0.attributes.contains("default-src 'none'") })
  }

  @Test("Equal records give equal pages")
  func deterministic() {
    #expect(HTMLReport.text(Fixture.usual(), charts: nil) == HTMLReport.text(Fixture.usual(), charts: nil))
  }
}
