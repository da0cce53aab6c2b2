import Gates
import RunRecords
import Testing

@Suite("What shows only over the cells of a sweep")
struct SweepJudgeTests {
  private func cell(
    _ users: Int?, _ rate: Double?, variant: String = "flawed", repetition: Int = 1,
    verdict: Verdict = .passed
  ) -> CellRecord {
    var cell = Fixture.cell(variant: variant, clock: "real", repetition: repetition, verdict: verdict)
    cell.users = users
    if let rate { cell.metrics["throughput"] = .real(rate) }
    return cell
  }

  private func waits(_ cell: CellRecord, _ actor: String, count: Int64, mean: Double) -> CellRecord {
    var cell = cell
    cell.metrics["actor.wait{actor=\(actor)}.count"] = .integer(count)
    cell.metrics["actor.wait{actor=\(actor)}.mean"] = .real(mean)
    return cell
  }

  private let flat = [300.0, 310, 290]
  private let falling = [300.0, 80, 25]

  private func sweep(_ rates: [Double], variant: String = "flawed") -> [CellRecord] {
    zip([1, 4, 16], rates).map { cell($0, $1, variant: variant) }
  }

  @Test(
    "Collapse is named in the last cell, with the actor that was waited for; flat saturation is not named")
  func collapse() throws {
    var cells = sweep(flat, variant: "sound") + sweep(falling)
    cells[5] = waits(waits(cells[5], "Quick", count: 100, mean: 10), "Registry", count: 40, mean: 900)
    let run = try Fixture.run(cells, expectations: [("contention-collapse", 1)])
    #expect(run.verdict == .passed, "\(run.reasons)")
    #expect(run.cells.map(\.findings.count) == [0, 0, 0, 0, 0, 1])
    let finding = try #require(run.cells[5].findings.first)
    #expect(finding.place == "Registry")
    #expect(finding.evidence["callers-few"] == 1 && finding.evidence["callers-many"] == 16)
    #expect(finding.evidence["rate-few"] == 300 && finding.evidence["rate-many"] == 25)
    #expect(finding.evidence["wait-mean-many-ns"] == 900)
    #expect(run.expectations.map(\.seen) == [1])
    #expect(run.expectations[0].repetition == 0)
  }

  @Test("Where it is expected and not there, the run fails")
  func missing() throws {
    let run = try Fixture.run(
      sweep(flat, variant: "sound") + sweep(flat), expectations: [("contention-collapse", 1)])
    #expect(run.verdict == .failed)
    #expect(run.reasons[0].contains("all loads together"))
  }

  @Test("Medians over repetitions are judged; cells that prove nothing are left out")
  func repetitions() throws {
    // One slow repetition of three.
    let noisy = [1, 2, 3].flatMap { repetition in
      zip([1, 16], [300, repetition == 2 ? 20.0 : 290]).map { cell($0, $1, repetition: repetition) }
    }
    #expect(try Fixture.run(noisy).cells.allSatisfy(\.findings.isEmpty))
    let invalid = [cell(1, 300), cell(16, 10, verdict: .invalid)]
    #expect(try Fixture.run(invalid).cells.allSatisfy(\.findings.isEmpty))
    #expect(try Fixture.run([cell(nil, 300), cell(nil, 10)]).cells.allSatisfy(\.findings.isEmpty))
  }

  @Test("Another finding may show in some cells of a sweep; gates are judged in each")
  func others() throws {
    var cells = sweep(flat, variant: "sound") + sweep(flat)
    cells[4].findings = [Fixture.finding("long-hold")]
    let run = try Fixture.run(cells, gates: ["throughput > 200/s"], expectations: [("long-hold", nil)])
    #expect(run.verdict == .passed, "\(run.reasons)")
    #expect(run.gates.map(\.users) == [1, 4, 16])
  }

  @Test("Strategies are compared at the same load")
  func comparisons() throws {
    var cells: [CellRecord] = []
    for users in [1, 16] {
      for (strategy, slow) in [("a", Int64(users)), ("b", Int64(users * 3))] {
        var cell = Fixture.cell(strategy, clock: "real", metrics: ["switches{outcome=slow}": .integer(slow)])
        cell.users = users
        cells.append(cell)
      }
    }
    let records = try Fixture.run(cells).comparisons
    #expect(records.map(\.users) == [1, 16])
    #expect(records.map(\.ratio) == [3, 3])
  }
}
