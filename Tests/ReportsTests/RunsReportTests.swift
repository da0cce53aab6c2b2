import Foundation
import Reports
import RunRecords
import Testing

@Suite("Several scenarios in one report")
struct RunsReportTests {
  private func report() -> RunsReport {
    var good = Fixture.run([Fixture.cell("a")])
    good.scenario.name = "a good one"
    return RunsReport(
      [
        RunsEntry(good), RunsEntry(Fixture.usual()),
        RunsEntry(unfinished: "cut", about: "Was going on.", wasStarted: true),
        RunsEntry(unfinished: "later", about: "", wasStarted: false),
      ], verdict: .interrupted)
  }

  @Test("The page links to each that has a directory, the most severe on top")
  func page() throws {
    let page = try HTMLReader(report().html)
    let links = page.opened.filter { $0.name == "a" }.map(\.attributes)
    #expect(
      links == [
        " href=\"cut/report.html\"", " href=\"rapid-regeneration/report.html\"",
        " href=\"a%20good%20one/report.html\"",
      ])
    let verdicts = page.tables[0].dropFirst().map { $0[1] }
    #expect(verdicts == ["interrupted", "interrupted", "failed", "passed"])
    #expect(page.text.contains("1 of 4 scenarios passed"))
    #expect(page.text.contains("not run"))
  }

  @Test("JUnit has a suite for each, and counts that add up")
  func junit() throws {
    let text = report().junit
    #expect(text.components(separatedBy: "<testsuite ").count == 5)
    #expect(text.contains("<testsuites name=\"weir\" tests=\"10\" failures=\"1\" errors=\"2\" skipped=\"1\""))
    #expect(text.contains("<testsuite name=\"later\" tests=\"1\" failures=\"0\" errors=\"1\""))
    #expect(XMLParserCheck.isWellFormed(text))
  }

  @Test("The summary has a line for each")
  func markdown() {
    let text = report().markdown
    #expect(text.hasPrefix("## interrupted: 1 of 4 scenarios passed\n"))
    #expect(text.contains("| failed | [rapid-regeneration](rapid-regeneration/summary.md) | gate "))
    #expect(text.contains("| interrupted | later | not run |"))
    #expect(report().verdictText == "interrupted\n")
  }

  @Test("Hostile names stay names")
  func hostile() throws {
    let runs = Fixture.hostile.map { name in
      var run = Fixture.run([Fixture.cell("a", samples: 4)])
      run.scenario.name = name
      return RunsEntry(run)
    }
    let page = try HTMLReader(RunsReport(runs, verdict: .passed).html)
    #expect(page.tables[0].count == runs.count + 1)
    let addresses = page.opened.filter { $0.name == "a" }.map(\.attributes)
    #expect(addresses.allSatisfy { $0.dropFirst(7).dropLast().allSatisfy { !"\"<>& '".contains($0) } })
  }
}

/// Tags that nest: enough for a file that has no text but attributes.
private enum XMLParserCheck {
  static func isWellFormed(_ text: String) -> Bool {
    (try? HTMLReader(text.replacing("<?xml version=\"1.0\" encoding=\"UTF-8\"?>", with: ""))) != nil
  }
}
