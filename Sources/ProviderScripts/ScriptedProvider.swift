public import WorkloadInterface

/// A fake provider that does what its script says: one for each cell and provider name.
///
/// Capacity and counts are shared by all iterations; latencies and failures are functions of (seed,
/// provider, iteration, slot, attempt), so they do not depend on who asks first.
public final class ScriptedProvider: Sendable {
  /// The provider's name in the scenario.
  public let name: String
  /// What it counts about itself.
  public let counts: ProviderCounts
  let script: CallScript
  let clock: CellClock
  /// Work is spun on the real clock only: in virtual time it costs nothing.
  let spinsWork: Bool
  let places: ServingPlaces?

  /// A provider of this name and script.
  public init(
    name: String, script: ProviderScript, seed: UInt64, clockKind: ClockKind, clock: CellClock,
    counts: ProviderCounts
  ) {
    self.name = name
    self.counts = counts
    self.clock = clock
    self.script = CallScript(script, seed: seed, provider: name)
    spinsWork = clockKind == .real && script.cpu != nil
    places = script.capacity.map {
      ServingPlaces(capacity: $0, limit: script.queueLimit, isDeaf: script.ignoresCancellation)
    }
  }

  /// The provider of this name in a cell; `nil` where the cell has no such provider.
  public convenience init?(_ name: String, in cell: CellContext) {
    guard let script = cell.providers[name] else { return nil }
    self.init(
      name: name, script: script, seed: cell.seed, clockKind: cell.clock, clock: cell.recorder.clock,
      counts: ProviderCounts(
        recorder: cell.recorder, provider: name, hasPlaces: script.capacity != nil))
  }

  /// The provider as one consumer of an iteration sees it.
  public func caller(for iteration: Iteration) -> ScriptedCaller {
    ScriptedCaller(provider: self, iteration: iteration.index)
  }

  /// The provider as one consumer of the iteration of this number sees it.
  public func caller(iteration: Int) -> ScriptedCaller {
    ScriptedCaller(provider: self, iteration: iteration)
  }
}
