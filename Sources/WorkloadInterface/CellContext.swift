/// Which clock a cell runs under.
public enum ClockKind: String, Sendable, Codable, Hashable, CaseIterable {
  /// Deterministic executors; time jumps to the next timer when nothing is ready.
  case virtual
  /// The stock executors and the machine's clock.
  case real
}

/// All that a workload is told about the cell it is to run.
public struct CellContext: Sendable {
  /// The strategy of the cell, with its settings.
  public let strategy: StrategySelection
  /// The flaw to build in, by name; nil for the sound pipeline.
  public let flaw: String?
  /// The clock of the cell.
  public let clock: ClockKind
  /// The seed of all draws.
  public let seed: UInt64
  /// The scripts of the providers, by name; every declared provider has one.
  public let providers: [String: ProviderScript]
  /// The scripted user, checked against the declared parameters, defaults filled in.
  public let behaviour: ParameterValues
  /// What showing an element costs the consumer.
  public let sink: SinkDescription
  /// Where counts, distributions and findings go.
  public let recorder: Recorder

  /// Makes the context of a cell.
  public init(
    strategy: StrategySelection, flaw: String?, clock: ClockKind, seed: UInt64,
    providers: [String: ProviderScript], behaviour: ParameterValues, sink: SinkDescription,
    recorder: Recorder
  ) {
    self.strategy = strategy
    self.flaw = flaw
    self.clock = clock
    self.seed = seed
    self.providers = providers
    self.behaviour = behaviour
    self.sink = sink
    self.recorder = recorder
  }
}
