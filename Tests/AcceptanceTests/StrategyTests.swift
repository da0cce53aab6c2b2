import Measurement
import RunRecords
import Testing

extension AcceptanceTests {
  @Suite("Strategies") struct StrategyTests {
    static let builds: [(name: String, tool: String?)] = [("release", nil), ("debug", BuiltTool.debugPath)]

    @Test(
      "hops per stored element are exactly 1 and exactly a fifth, on both clocks, in debug and release",
      arguments: ["Scenarios/registry/strategies.yaml", "Scenarios/registry/strategies-real.yaml"],
      builds.indices)
    func ratios(scenario: String, build: Int) throws {
      let (code, run) = try BuiltTool.record(scenario, tool: Self.builds[build].tool)
      #expect(code == 0, "\(Self.builds[build].name): \(run.reasons)")
      let perElement = try #require(run.cells.first { $0.strategy == "per-element" })
      let batched = try #require(run.cells.first { $0.strategy == "batched-5" })
      let stored = try #require(perElement.integer("elements.stored"))
      #expect(stored > 0)
      #expect(perElement.integer("hops{role=registry}") == stored)
      #expect(batched.integer("elements.stored") == stored)
      #expect(batched.integer("hops{role=registry}").map { $0 * 5 } == stored)
      let expected: Coverage = build == 0 ? .wholeRuntime : .userCode
      #expect(run.cells.allSatisfy { $0.coverage == expected })
    }

    @Test("an element stored by itself is visible at once, one in a batch later")
    func staleness() throws {
      let (_, run) = try BuiltTool.record("Scenarios/registry/strategies.yaml")
      let perElement = try #require(run.cells.first { $0.strategy == "per-element" })
      let batched = try #require(run.cells.first { $0.strategy == "batched-5" })
      #expect(perElement.integer("staleness{at=registry}.max") == 0)
      #expect(perElement.integer("staleness{at=registry}.count") ?? 0 > 0)
      #expect(batched.integer("staleness{at=registry}.p50") ?? 0 > 0)
      #expect(batched.histograms["staleness{at=registry}"]?.filledBuckets.count ?? 0 > 10)
    }
  }
}
