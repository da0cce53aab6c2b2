import BuiltInWorkloads
import Measurement
import SeededDraws
public import Testing
public import WorkloadInterface

/// Runs a workload as an engine would, without one: a handful of iterations on the real clock.
struct Harness {
  var workload: any Workload
  var strategy = StrategySelection(name: "per-element", kind: "per-element")
  var flaw: String?
  var behaviour: [String: ParameterValue] = [:]
  var providers: [String: ProviderScript] = [:]
  var iterations = 4
  var sink = SinkDescription()
  /// Time after the last iteration before the cell is over.
  var grace = Duration.milliseconds(60)

  /// What a cell left behind.
  struct Result {
    let outcomes: [IterationOutcome]
    let counters: [String: Int64]
    let histograms: [String: LatencyHistogram]
    let gauges: [String: Int64]
    let findings: [ReportedFinding]
    let roles: [String: String]?

    subscript(_ name: String) -> Int64 { counters[name] ?? -1 }

    /// Elements that went in, and those that are accounted for.
    var books: (made: Int64, accounted: Int64) {
      let fates = ["delivered", "dropped", "buffered", "lost", "refused"]
      return (self["elements.made"], fates.reduce(0) { $0 + self["elements.\($1)"] })
    }
  }

  /// Fast scripts for every provider that the workload declares and the test does not script.
  private func scripts() throws -> [String: ProviderScript] {
    var all = providers
    for provider in workload.declaration.providers where all[provider.name] == nil {
      all[provider.name] = try Self.script(milliseconds: 1, isStreaming: provider.isStreaming)
    }
    return all
  }

  func run() async throws -> Result {
    let recorder = Recorder(clock: CellClock())
    let cell = CellContext(
      strategy: strategy, flaw: flaw, clock: .real, seed: 7, providers: try scripts(),
      behaviour: ParameterValues(behaviour), sink: sink, recorder: recorder)
    let session = try workload.makeSession(cell)
    let outcomes = await withTaskGroup(of: (Int, IterationOutcome).self) { group in
      for index in 0..<iterations {
        let now = recorder.clock.now()
        let iteration = Iteration(
          index: index, intendedStart: now, actualStart: now, isWarmUp: false,
          draws: IterationDraws(seed: 7, iteration: index))
        group.addTask { (index, await session.run(iteration)) }
      }
      return await group.reduce(into: [IterationOutcome?](repeating: nil, count: iterations)) {
        $0[$1.0] = $1.1
      }
    }
    try await Task.sleep(for: grace)
    await session.finish()
    return Result(
      outcomes: outcomes.compactMap { $0 }, counters: recorder.counterValues(),
      histograms: recorder.histograms(), gauges: recorder.gaugeMaxima(), findings: recorder.findings(),
      roles: session.roles)
  }

  /// A script with a constant latency.
  static func script(
    milliseconds: Int64, isStreaming: Bool = false, failures: [FailureScript] = [], isDeaf: Bool = false
  ) throws -> ProviderScript {
    let latency = try Distribution(.constant(milliseconds * 1_000_000))
    return ProviderScript(
      latency: latency, firstToken: isStreaming ? latency : nil, betweenTokens: isStreaming ? latency : nil,
      failures: failures, ignoresCancellation: isDeaf)
  }

  /// A constant duration as a parameter.
  static func constant(milliseconds: Int64) throws -> ParameterValue {
    .distribution(try Distribution(.constant(milliseconds * 1_000_000)))
  }
}

extension StrategySelection {
  static let perElement = StrategySelection(name: "per-element", kind: "per-element")

  static func batched(_ size: Int, kind: String = "batched") -> StrategySelection {
    StrategySelection(
      name: "\(kind)-\(size)", kind: kind, parameters: ParameterValues(["size": .integer(size)]))
  }

  /// Holds threads of the pool, so it is kept out of most tests.
  static let blocking = StrategySelection(
    name: "inside-actor-blocking", kind: "inside-actor",
    parameters: ParameterValues(["blocking": .boolean(true)]))

  /// Every way of keeping elements that holds no thread.
  static let all: [StrategySelection] = [
    .perElement, .batched(5),
    StrategySelection(
      name: "batched-5-2ms", kind: "batched",
      parameters: ParameterValues(["size": .integer(5), "every": .duration(2_000_000)])),
    .batched(5, kind: "write-behind"),
    StrategySelection(name: "inside-actor", kind: "inside-actor"),
    StrategySelection(name: "main-actor", kind: "main-actor"),
    StrategySelection(name: "locked", kind: "locked"),
    StrategySelection(name: "plain-calls", kind: "plain-calls"),
  ]
}

extension StrategySelection: CustomTestStringConvertible {
  /// Its name.
  public var testDescription: String { name }
}
