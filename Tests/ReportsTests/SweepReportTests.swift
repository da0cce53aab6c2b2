import Foundation
import RunRecords
import Testing

@testable import Reports

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
    #expect(!ids.contains { $0.contains("id=\"sweep-2\"") }, "one table for all strategies of a clock")
    let table = try #require(page.tables.first { $0.first?.contains("completed each second") == true })
    #expect(table.first?.prefix(2) == ["strategy", "users"])
    #expect(table.dropFirst().map { Array($0.prefix(2)) }.first == ["per-element", "1"])
    #expect(table.count == 1 + 2 * 3)
    for id in ["sweep-1", "strategies-real-sound-1", "strategies-real-sound-16"] {
      #expect(ids.contains { $0.contains("id=\"\(id)\"") }, "\(id) is missing")
    }
    let markdown = SummaryMarkdown.text(record)
    #expect(markdown.contains("| strategy | users | completed each second |"))
    #expect(markdown.contains("| batched-5 | 16 | 50/s | ×0.06"))
    #expect(markdown.contains("16 users"))
  }

  @Test("A percentile with too few samples has its mark here too, and the mark its meaning")
  func stars() {
    var record = run(["per-element"])
    let whole = TerminalSummary.text(record).components(separatedBy: "\n\n").first { $0.hasPrefix("By load") }
    #expect(whole?.contains("*") == false)
    for index in record.cells.indices where record.cells[index].users == 4 {
      Fixture.distribution(
        "latency.iteration", Fixture.histogram(count: 51, from: 1_000_000, growth: 1),
        in: &record.cells[index])
    }
    let tables = SweepTable.all(RunOutline(run: record, glossary: Glossary()))
    let marks = tables[0].rows.map { $0.map { $0.hasSuffix("*") } }
    #expect(marks.joined().count { $0 } == 1)
    #expect(marks[1][4], "p99 with 4 users")
    #expect(tables[0].footnote == "* too few samples for this percentile: the tail is not resolved")
    #expect(SummaryMarkdown.text(record).contains("\\* too few samples"))
  }

  @Test("A load of which only an interrupted cell is there shows its figures and says so")
  func interrupted() {
    var record = run(["per-element"])
    record.cells[2].verdict = .interrupted
    let table = SweepTable.all(RunOutline(run: record, glossary: Glossary()))[0]
    #expect(table.rows[2].prefix(3) == ["16 (interrupted)", "50/s", "×0.063"])
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
