import RunRecords
import Testing

@testable import Reports

@Suite("Gates that fail in many cells")
struct GateGroupTests {
  private func run(failing: Int, of count: Int = 24, reason: (Int) -> String? = { _ in nil }) -> RunRecord {
    let cells = (1...count).map { number in
      var cell = Fixture.cell("per-element", samples: 40)
      cell.users = number
      return cell
    }
    let gates = cells.enumerated().map { index, cell in
      // The worst lies in the middle.
      let actual = index == failing / 2 ? Int64(9_000_000) : Int64(2_000_000 + index)
      let isFailing = index < failing
      return GateRecord(
        gate: "latency.iteration.p99 < 1ms", strategy: cell.strategy, variant: cell.variant,
        clock: cell.clock,
        repetition: 1, users: cell.users, actual: .integer(isFailing ? actual : 500_000),
        limit: .integer(1_000_000),
        margin: isFailing ? -Double(actual - 1_000_000) / 1_000_000 : 0.5,
        verdict: isFailing ? .failed : .passed,
        reason: isFailing ? reason(index) : nil)
    }
    return Fixture.run(cells, gates: gates, verdict: .failed)
  }

  private func fails(_ run: RunRecord) -> [Substring] {
    TerminalSummary.text(run).split(separator: "\n").filter { $0.hasPrefix("  FAIL") }
  }

  @Test("one line says how many, the worst and where; others are named briefly")
  func grouped() throws {
    let text = TerminalSummary.text(run(failing: 24))
    #expect(fails(run(failing: 24)).count == 1)
    let line = try #require(fails(run(failing: 24)).first)
    #expect(line.contains("9 ms") && line.contains("800 % outside"))
    #expect(line.contains("all 24 cells"))
    #expect(text.contains("worst in per-element · 13 users; also in per-element · 24 users (2 ms)"))
    #expect(text.contains("and 20 more"))
    let some = try #require(fails(run(failing: 7)).first)
    #expect(some.contains("7 of 24 cells"))
    #expect(TerminalSummary.text(run(failing: 7)).contains("worst in per-element · 4 users"))
  }

  @Test("a few failures have a line each")
  func few() {
    #expect(fails(run(failing: 3)).count == 3)
    #expect(fails(run(failing: 4)).count == 1)
  }

  @Test("cells that come to the same are one line only where they are all there are")
  func alike() {
    var run = run(failing: 2, of: 3)
    for index in 0..<2 { (run.gates[index].actual, run.gates[index].margin) = (.integer(9_000_000), -8) }
    #expect(fails(run).count == 2)
    run.gates[2] = run.gates[1]
    #expect(fails(run).count == 1 && fails(run)[0].contains("all 3 cells"))
  }

  @Test("what differs in kind is told apart; what differs in numbers alone is not")
  func kinds() {
    #expect(fails(run(failing: 8) { "needs at least 100 samples, has \($0)" }).count == 1)
    #expect(fails(run(failing: 8) { $0 < 4 ? "one reason" : "another reason" }).count == 2)
  }

  @Test("the page folds the others away, and machines get every one")
  func machines() {
    let run = run(failing: 24)
    let page = HTMLReport.text(run, charts: nil)
    #expect(page.contains("All 24 cells"))
    #expect(JUnit.text(run).split(separator: "<failure").count - 1 >= 24)
    #expect(run.gates.count == 24)
  }
}
