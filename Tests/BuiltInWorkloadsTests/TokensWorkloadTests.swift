import BuiltInWorkloads
import FlawedTokens
import Measurement
import SeededDraws
import Testing
import WorkloadInterface

@Suite("The tokens workload")
struct TokensWorkloadTests {
  private static let perToken = StrategySelection(name: "per-token", kind: "per-token")
  private static let cadence = StrategySelection(
    name: "cadence-5ms", kind: "cadence", parameters: ParameterValues(["every": .duration(5_000_000)]))
  private static let strategies = [perToken, cadence]

  private static func script(
    tokens: Int, failures: [FailureScript] = [], isDeaf: Bool = false
  ) throws -> ProviderScript {
    var script = try Harness.script(milliseconds: 1, isStreaming: true, failures: failures, isDeaf: isDeaf)
    script.tokens = tokens
    return script
  }

  private static func interrupt(afterTokens: Int, by exit: String, share: Double = 1) -> ParameterValue {
    .record(
      ParameterValues([
        "share": .share(share), "after-tokens": .integer(afterTokens), "by": .choice(exit),
      ]))
  }

  private func check(_ result: Harness.Result) {
    #expect(result["elements.lost"] == 0)
    #expect(result["overlap"] == 0)
    #expect(result.books.made == result.books.accounted)
    #expect(result.findings.isEmpty, "\(result.findings)")
  }

  @Test(
    "Every strategy shows whole replies, each token once, from its own engine and from a shared one",
    arguments: strategies, [true, false])
  func whole(strategy: StrategySelection, isShared: Bool) async throws {
    let result = try await Harness(
      workload: TokensWorkload(), strategy: strategy,
      behaviour: ["prompts": .integer(2), "shared-engine": .boolean(isShared)],
      providers: ["engine": try Self.script(tokens: 12)]
    ).run()
    #expect(result.outcomes == Array(repeating: .completed, count: 4))
    #expect(result["elements.made"] == 96)
    #expect(result["elements.delivered"] == 96)
    #expect(result["tokens.read"] == 96)
    #expect(result["replies{ending=complete}"] == 8)
    #expect(result["engine.memory-after-left"] == 0)
    #expect(result.histograms["time-to-first-element"]?.count == 8)
    #expect(result.histograms["inter-element"]?.count == 88)
    #expect(result.histograms["staleness{at=view}"]?.count == 96)
    if strategy.kind == "per-token" { #expect(result["flush.count"] == 96) }
    check(result)
  }

  @Test(
    "A reply that is interrupted keeps its text, stops its engine, and nothing is lost",
    arguments: strategies, ["stop", "prompt", "leave"])
  func interrupted(strategy: StrategySelection, exit: String) async throws {
    // The first reply would take a minute, so that the slowest machine interrupts it; the second fails early.
    let early = FailureScript(kind: .midStream, selector: .calls([2]), afterTokens: 5)
    let result = try await Harness(
      workload: TokensWorkload(), strategy: strategy,
      behaviour: ["prompts": .integer(2), "interrupt": Self.interrupt(afterTokens: 5, by: exit)],
      providers: ["engine": try Self.script(tokens: 60_000, failures: [early])]
    ).run()
    #expect(result["cancel.requested"] == 4)
    if exit == "leave" {
      #expect(result.outcomes == Array(repeating: .cancelled, count: 4))
    } else {
      #expect(result["replies{ending=interrupted}"] == 4)
      #expect(result["replies{ending=failed}"] == 4)
      #expect(result["replies.text-kept"] >= 4 * 10)
    }
    check(result)
  }

  @Test(
    "Failures, refusals and a deaf shared engine lose nothing, and failed replies keep their text",
    arguments: strategies)
  func trouble(strategy: StrategySelection) async throws {
    let failures = [
      FailureScript(kind: .midStream, selector: .share(0.3), afterTokens: 4),
      FailureScript(kind: .rateLimited, selector: .share(0.2)),
    ]
    let result = try await Harness(
      workload: TokensWorkload(), strategy: strategy,
      behaviour: [
        "prompts": .integer(3), "shared-engine": .boolean(true), "token-bytes": .integer(4),
        "interrupt": Self.interrupt(afterTokens: 3, by: "prompt", share: 0.5),
      ],
      providers: ["engine": try Self.script(tokens: 10, failures: failures, isDeaf: true)], iterations: 12
    ).run()
    #expect(result["replies{ending=failed}"] > 0)
    #expect(result["replies.text-kept"] > 0)
    check(result)
  }

  @Test("Every flaw is declared with the finding that names it and a known report")
  func declarations() {
    let declared = TokensWorkload().declaration
    #expect(declared.flaws.map(\.name) == TokenFlaw.allCases.map(\.rawValue))
    let known = Set(declared.findings.map(\.name))
    for flaw in declared.flaws { #expect(known.contains(flaw.finding)) }
    #expect(declared.flaws.contains { $0.report?.hasPrefix("https://") == true })
  }

  @Test("A flaw of the cadence is refused where there is none")
  func refusals() async throws {
    for flaw in TokenFlaw.allCases where flaw.needsCadence {
      await #expect(throws: WorkloadError.self) {
        _ = try await Harness(workload: TokensWorkload(), strategy: Self.perToken, flaw: flaw.rawValue).run()
      }
    }
  }
}
