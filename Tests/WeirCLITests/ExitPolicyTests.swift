import RunRecords
import Testing

@testable import WeirCLI

@Suite("Exit codes")
struct ExitPolicyTests {
  @Test("The most severe verdict wins", arguments: Verdict.allCases)
  func worst(verdict: Verdict) {
    #expect(ExitPolicy().exitCode(of: [.passed, verdict]) == verdict.exitCode)
  }

  @Test("Allowed verdicts do not count, others still do")
  func allowed() {
    let policy = ExitPolicy(allowed: ["inconclusive", "no-baseline"])
    #expect(policy.exitCode(of: [.inconclusive, .noBaseline]) == .passed)
    #expect(policy.exitCode(of: [.inconclusive, .failed]) == .failed)
    #expect(ExitPolicy().exitCode(of: [.inconclusive]) == .inconclusive)
  }

  @Test("SIGTERM and SIGINT are told apart")
  func signals() {
    #expect(ExitPolicy(signal: 15).exitCode(of: [.interrupted]) == .terminated)
    #expect(ExitPolicy(signal: 2).exitCode(of: [.interrupted]) == .interrupted)
    #expect(ExitPolicy(signal: 15).exitCode(of: [.passed]) == .passed)
  }

  @Test("Nothing run is no pass")
  func nothing() {
    #expect(ExitPolicy().exitCode(of: []) == .invalid)
    #expect(RunsIndex(planned: 2, runs: []).verdict == .interrupted)
  }
}
