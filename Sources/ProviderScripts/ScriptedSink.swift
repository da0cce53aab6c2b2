public import Measurement
public import WorkloadInterface

/// The scripted consumer at the near end: what showing an update costs it.
///
/// On the real clock the cost is spun on the calling thread, the main actor's in a view; in virtual time an
/// update is counted and costs nothing.
public struct ScriptedSink: Sendable {
  /// An update that holds its actor for longer misses a frame at 60 Hz, in ns.
  public static let frame: Int64 = 16_700_000

  private let description: SinkDescription
  private let clock: CellClock
  private let spins: Bool
  /// Updates shown.
  public let updates: Counter
  /// Updates that took longer than a frame; real clock only.
  public let hitches: Counter?

  /// The sink of a cell, counting in its recorder.
  public init(in cell: CellContext) {
    description = cell.sink
    clock = cell.recorder.clock
    spins = cell.clock == .real
    updates = cell.recorder.counter("sink.updates")
    hitches = spins ? cell.recorder.counter("sink.hitches") : nil
  }

  /// The cost of an update while `shown` elements stand on the screen, in ns.
  public func cost(shown: Int) -> Int64 { description.update &+ description.perElement &* Int64(shown) }

  /// Shows an update while `shown` elements stand on the screen. Returns its cost in ns.
  @discardableResult
  public func update(shown: Int) -> Int64 {
    updates.add()
    let cost = cost(shown: shown)
    guard spins, cost > 0 else { return cost }
    let start = clock.now()
    ProcessorWork.spinHere(cost)
    if clock.now() &- start > Self.frame { hitches?.add() }
    return cost
  }
}
