import RunRecords
import Testing

extension AcceptanceTests {
  @Suite("Tokens") struct TokenTests {
    private static let anywhere = "Scenarios/tokens/interrupted-anywhere.yaml"
    /// What must hold whatever the engine does.
    private static let gates =
      "gates=[elements.lost == 0, overlap == 0, tasks.orphaned == 0, iterations.running == 0]"

    @Test("every committed scenario holds", arguments: BuiltTool.scenarios(in: "tokens"))
    func committed(scenario: String) throws {
      let (code, run) = try BuiltTool.record(scenario)
      #expect(code == 0, "\(run.reasons)")
    }

    @Test("a reply stopped at each of its steps, in the order of coming and in any order", arguments: 1...3)
    func everyStep(seed: Int) throws {
      for schedule in ["fifo", "every-hop"] {
        let (code, run) = try BuiltTool.record(
          Self.anywhere, ["--set", "schedule=\(schedule)", "--set", "seed=\(seed)"])
        #expect(code == 0, "\(schedule): \(run.reasons)")
        #expect(run.cells.allSatisfy { $0.findings.isEmpty })
      }
    }

    @Test(
      "each kind of failure, in replies stopped anywhere",
      arguments: ["timeout", "malformed", "rate-limited", "reset", "hang", "mid-stream"])
    func failures(kind: String) throws {
      let (code, run) = try BuiltTool.record(
        Self.anywhere,
        ["--set", "providers.engine.failures=[{ kind: \(kind), share: 50% }]", "--set", Self.gates])
      #expect(code == 0, "\(run.reasons)")
      let failed = run.cells.compactMap { $0.integer("provider.failures{kind=\(kind)}") }
      // A hang ends when it is stopped, and is then no failure.
      if kind != "hang" { #expect(failed.allSatisfy { $0 > 0 }) }
    }

    @Test(
      "each kind of latency, in replies stopped anywhere",
      arguments: [
        "constant: 7ms", "uniform: { from: 1ms, to: 20ms }", "exponential: { mean: 9ms }",
        "lognormal: { median: 5ms, p99: 60ms }", "pareto: { minimum: 2ms, shape: 1.5 }",
        "sequence: [1ms, 0ms, 90ms]",
      ])
    func latencies(distribution: String) throws {
      let (code, run) = try BuiltTool.record(
        Self.anywhere,
        [
          "--set", "providers.engine.first-token={ \(distribution) }", "--set",
          "providers.engine.between-tokens={ \(distribution) }", "--set", Self.gates,
        ])
      #expect(code == 0, "\(run.reasons)")
      #expect(run.cells.allSatisfy { $0.findings.isEmpty })
    }
  }
}
