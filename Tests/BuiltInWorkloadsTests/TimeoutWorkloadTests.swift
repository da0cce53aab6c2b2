import Measurement
import Testing
import WorkloadInterface

@testable import BuiltInWorkloads

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

  private func run(_ flaw: String?, _ strategy: String, limit: Int64, work: Int64) async throws
    -> Harness.Result
  {
    try await Harness(
      workload: TimeoutWorkload(), strategy: StrategySelection(name: strategy, kind: strategy), flaw: flaw,
      behaviour: ["limit": .duration(limit * 1_000_000)],
      providers: ["work": try Harness.script(milliseconds: work)], iterations: 12
    ).run()
  }

  @Test("a clock moved by hand wakes its sleeper; moved before the sleeper has come, it does not (B25)")
  func byHand() async throws {
    let sound = try await run(nil, "by-hand", limit: 60_000, work: 120_000)
    #expect(sound["timeouts"] == 12)
    #expect(sound.findings.isEmpty, "\(sound.findings)")
    let flawed = try await run("advance-before-sleeper-lost", "by-hand", limit: 60_000, work: 100)
    let finding = try #require(flawed.findings.first)
    #expect(flawed.findings.map(\.name) == ["sleeper-never-woken"])
    #expect(finding.count > 0 && finding.evidence["sleepers-never-woken"] == Int64(finding.count))
    #expect(finding.details.first == "advance by 60000 ms found 0 sleepers; 1 came later and never woke")
  }

  @Test("what a limit has allocated goes with its call, or stays to the limit: told apart (B26)")
  func kept() async throws {
    #expect(try await run(nil, "abandoned", limit: 60_000, work: 1).findings.isEmpty)
    let flawed = try await run("cancelled-timers-kept", "abandoned", limit: 60_000, work: 1)
    #expect(flawed.findings.map(\.name) == ["timers-kept-to-deadline"])
    #expect(flawed.findings.first?.evidence["entries-peak"] == 12)
  }

  @Test("a list of limits grows to rate × limit and is no leak; what outstays its limit is one")
  func list() {
    func judge(_ removal: TimerList.Removal) -> ReportedFinding? {
      let list = TimerList(removal: removal, kept: Recorder(clock: CellClock()).gauge("timers.kept"))
      // A call each 10, which takes 1, against a limit of 100, for 500.
      for start in stride(from: Int64(0), to: 500, by: 10) {
        list.over(list.enter(until: start + 100, at: start), at: start + 1)
      }
      return list.judge(limit: 100, at: 550)
    }
    #expect(judge(.whenOver) == nil)
    let kept = judge(.atDeadline)
    #expect(kept?.name == "timers-kept-to-deadline")
    #expect(kept?.evidence["entries-peak"] == 10 && kept?.evidence["calls-at-once"] == 1)
    let leaked = judge(.never)
    #expect(leaked?.name == "timers-never-removed")
    #expect(leaked?.evidence["entries-kept"] == 50 && leaked?.evidence["entries-past-limit"] == 45)
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
