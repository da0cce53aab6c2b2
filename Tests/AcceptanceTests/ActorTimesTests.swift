import Foundation
import RunRecords
import Testing

extension AcceptanceTests {
  @Suite("Waits and holds of actors") struct ActorTimesTests {
    static let builds = StrategyTests.builds

    @Test(
      "are those of a single server with so many customers, within a tenth, in both linkings",
      arguments: builds.indices)
    func singleServer(build: Int) throws {
      var last: [String] = []
      // A user that the machine keeps from coming back at once waits less: the best of four runs.
      for _ in 0..<4 {
        let (code, run) = try BuiltTool.freshRecord(
          "Scenarios/truth/single-server.yaml", tool: Self.builds[build].tool)
        #expect(code == 0, "\(run.reasons)")
        #expect(run.cells.map(\.users) == [4, 8])
        let expected: Coverage = build == 0 ? .wholeRuntime : .userCode
        #expect(run.cells.allSatisfy { $0.coverage == expected })
        last = []
        for cell in run.cells {
          let users = Double(try #require(cell.users))
          let wait = try #require(cell.metrics["actor.wait{actor=JournalledRegistry}.mean"]).double
          let hold = try #require(cell.metrics["actor.hold{actor=JournalledRegistry}.mean"]).double
          let busy = try #require(cell.metrics["actor.busy{actor=JournalledRegistry}"]).double
          // One at a time, however loaded the machine is; a stay at the window's start may have begun before it.
          #expect(busy <= 1.05)
          #expect(hold >= 5e6)
          let share = wait / (hold * (users - 1))
          if (share - 1).magnitude > 0.1 || busy < 0.8 {
            last.append("\(users) users: \(share), busy \(busy)")
          }
        }
        if last.isEmpty { return }
      }
      Issue.record("in four runs the waits never were those of a single server: \(last)")
    }

    @Test(
      "All holds together are no longer than the wall time of the threads that can hold, in every real cell",
      arguments: BuiltTool.scenarios())
    func bounds(scenario: String) throws {
      guard try BuiltTool.text(scenario).contains(/\nclock: *(real|\[[^\]]*real)/) else { return }
      let (_, run) = try BuiltTool.record(scenario)
      // The pool's threads, the main thread, and one that a holder blocked while the pool made another.
      let threads = Double(run.environment.cores + 2)
      for cell in run.cells where cell.clock == "real" {
        let busy = cell.metrics.filter { $0.key.hasPrefix("actor.busy{") }.map(\.value.double)
        #expect(busy.allSatisfy { $0 >= 0 })
        #expect(busy.reduce(0, +) <= threads, "\(cell.title(amid: run.cells))")
        for busiest in cell.metrics.filter({ $0.key.hasPrefix("actor.busiest{") }) {
          #expect(busiest.value.double <= 1.05, "\(cell.title(amid: run.cells)): \(busiest)")
        }
      }
    }
  }
}
