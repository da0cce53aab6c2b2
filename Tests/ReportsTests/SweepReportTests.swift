import Reports
import RunRecords
import Testing

@Suite("Reports on a sweep of load")
struct SweepReportTests {
  private func run(_ strategies: [String]) -> RunRecord {
    let cells = [1, 4, 16].flatMap { users in
      strategies.map { strategy -> CellRecord in
        var cell = Fixture.cell(strategy, clock: "real")
        cell.users = users
        cell.metrics["throughput"] = .real(800 / Double(users))
        cell.metrics["actor.wait{actor=Registry}.count"] = .integer(640)
        cell.metrics["actor.wait{actor=Registry}.mean"] = .real(Double(users) * 1e6)
        return cell
      }
    }
    return Fixture.run(cells, loadModel: "closed")
  }

  @Test("The terminal shows a row for each load, with multiples of the first")
  func terminal() {
    let text = TerminalSummary.text(run(["per-element"]))
    #expect(text.contains("By load: per-element · 1 to 16 users"))
    let rows = text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
    #expect(rows.contains { $0.hasPrefix("1 800/s ×1.00") && $0.hasSuffix("1 ms –") })
    #expect(rows.contains { $0.hasPrefix("16 50/s ×0.06") && $0.hasSuffix("16 ms –") })
    #expect(text.contains("Registry"))
  }

  @Test("So do the page and the Markdown summary, and each load has its own figures")
  func pages() throws {
    let record = run(["per-element", "batched-5"])
    let page = try HTMLReader(HTMLReport.text(record, charts: nil))
    let ids = page.opened.filter { $0.name == "section" }.map(\.attributes)
    for id in ["sweep-1", "sweep-2", "strategies-real-sound-1", "strategies-real-sound-16"] {
      #expect(ids.contains { $0.contains("id=\"\(id)\"") }, "\(id) is missing")
    }
    let markdown = SummaryMarkdown.text(record)
    #expect(markdown.contains("| users | completed each second |"))
    #expect(markdown.contains("| 16 | 50/s | ×0.06"))
    #expect(markdown.contains("16 users"))
  }

  @Test("CSV rows name the load; those of other runs name none")
  func csv() {
    let rows = MetricsCSVTests.parse(MetricsCSV.text(run(["per-element"])))
    #expect(Set(rows.dropFirst().map { $0[8] }) == ["1", "4", "16"])
    let plain = MetricsCSVTests.parse(MetricsCSV.text(Fixture.usual()))
    #expect(plain.dropFirst().allSatisfy { $0[8].isEmpty })
  }

  @Test("Cells that differ in load alone are told apart by name; a record without loads holds no such key")
  func names() throws {
    let record = run(["per-element"])
    #expect(record.cells.map { $0.title(amid: record.cells) }.last == "per-element · 16 users")
    let plain = String(decoding: try RunJSON.encode(Fixture.usual()), as: UTF8.self)
    #expect(!plain.contains("\"users\""))
    let bytes = try RunJSON.encode(record)
    let swept = try RunJSON.decode(bytes, path: "run.json")
    #expect(swept.cells.map(\.users) == [1, 4, 16])
    #expect(try RunJSON.encode(swept) == bytes)
  }
}
