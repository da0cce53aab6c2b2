import BuiltInWorkloads
import Measurement
import Testing
import WorkloadInterface

@Suite("The timeout workload")
struct TimeoutWorkloadTests {
  private static let limit: Int64 = 20_000_000
  private static let work: Int64 = 600

  private func run(_ strategy: String, isDeaf: Bool, work: Int64 = Self.work) async throws -> Harness.Result {
    try await Harness(
      workload: TimeoutWorkload(), strategy: StrategySelection(name: strategy, kind: strategy),
      behaviour: ["limit": .duration(Self.limit)],
      providers: ["work": try Harness.script(milliseconds: work, isDeaf: isDeaf)]
    ).run()
  }

  @Test("a group that joins a deaf child answers in time and returns when the child does")
  func joined() async throws {
    let result = try await run("joined", isDeaf: true)
    #expect(result["timeouts"] == 4)
    #expect((result.histograms["timeout.decided"]?.minimum ?? 0) >= Self.limit)
    #expect((result.histograms["timeout.returned"]?.minimum ?? 0) >= Self.work * 1_000_000 * 99 / 100)
    #expect(result.findings.map(\.name) == ["late-timeout"])
    #expect(result.findings.first?.count == 4)
    #expect(result.findings.first?.details.isEmpty == false)
  }

  @Test("a call that heeds its cancel, or is let go of, returns before it would have been answered")
  func inTime() async throws {
    for (strategy, isDeaf) in [("joined", false), ("abandoned", true)] {
      // Longer than a busy machine can hold this test up.
      let result = try await run(strategy, isDeaf: isDeaf, work: 120_000)
      #expect(result["timeouts"] == 4)
      #expect((result.histograms["timeout.returned"]?.maximum ?? .max) < 120_000_000_000)
    }
  }

  @Test("a call within its limit is no timeout")
  func noTimeout() async throws {
    let result = try await Harness(
      workload: TimeoutWorkload(), strategy: StrategySelection(name: "joined", kind: "joined"),
      behaviour: ["limit": .duration(60_000_000_000)],
      providers: ["work": try Harness.script(milliseconds: 1)]
    ).run()
    #expect(result["timeouts"] == 0)
    #expect(result.outcomes == Array(repeating: .completed, count: 4))
    #expect(result.findings.isEmpty)
  }
}
