import Foundation
import Reports
import RunRecords
import Testing

extension AcceptanceTests {
  /// Whether a scenario runs on the virtual clock, alone or beside the real one.
  static func hasVirtualClock(_ scenario: String) -> Bool {
    (try? BuiltTool.text(scenario).contains(/\nclock: *real/)) == false
  }

  @Suite("Determinism") struct DeterminismTests {
    /// What has to be the same bytes: everything but `environment`.
    private func comparable(_ run: RunRecord) throws -> Data {
      var run = run
      run.environment = EnvironmentRecord(
        weir: "", toolchain: "", build: "", linking: "", system: "", processor: "", cores: 0, commit: nil,
        started: "", scenarioFile: "")
      return try RunJSON.encode(run)
    }

    @Test(
      "same scenario, same seed: the same bytes, also beside busy threads; another seed differs",
      arguments: BuiltTool.scenarios().filter(hasVirtualClock))
    func bytes(scenario: String) throws {
      // Of a scenario on both clocks the virtual cells are made again, alone.
      let isVirtual = try !BuiltTool.text(scenario).contains(/clock:.*real/)
      let virtual = isVirtual ? [] : ["--set", "clock=virtual"]
      let first = try BuiltTool.record(scenario)
      let second = try besideBusyThreads { try BuiltTool.freshRecord(scenario, virtual) }
      let cells = first.run.cells.filter { $0.clock == "virtual" }
      #expect(!cells.isEmpty)
      #expect(cells == second.run.cells)
      #expect(first.run.comparisons.filter { $0.clock == "virtual" } == second.run.comparisons)
      #expect(first.run.gates.filter { $0.clock == "virtual" } == second.run.gates)
      if isVirtual { #expect(try comparable(first.run) == comparable(second.run)) }
      // Without a draw all seeds are alike: the flaws' scenarios, say, are scripted to the last delay.
      guard try BuiltTool.text(scenario).contains(/lognormal|exponential|uniform|pareto|poisson/) else {
        return
      }
      let other = try BuiltTool.record(scenario, virtual + ["--seed", "424242"])
      #expect(cells != other.run.cells)
    }

    @Test("a record of the virtual clock holds nothing that the machine decides")
    func nothingOfTheMachine() throws {
      let (_, run) = try BuiltTool.record("Scenarios/story/rapid-regeneration.yaml")
      for cell in run.cells {
        for name in [
          "wall", "cpu.user", "cpu.system", "rss.peak", "switches{outcome=fast}", "switches{outcome=slow}",
        ] {
          #expect(cell.metrics[name] == nil)
        }
      }
      let text = String(decoding: try comparable(run), as: UTF8.self)
      #expect(!text.contains(BuiltTool.root))
      #expect(!text.contains(/0x[0-9a-f]{6,}/))
    }
  }
}
