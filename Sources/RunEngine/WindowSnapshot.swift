internal import HeapProbe
internal import RuntimeProbe
internal import Scenarios
internal import WorkloadInterface

/// All counters at one moment; the difference of two is a window.
struct WindowSnapshot: Sendable {
  var time: Int64
  var counters: [String: Int64]
  var probe: ProbeCounts
  /// Waits, holds and depths; nil in virtual time, where they mean nothing.
  var actors: ActorTimesReport?
  var heap: HeapSnapshot?
  /// Processor time of the process in ns.
  var cpu: Int64 = 0

  /// Reads everything now. The heap is read first at a window's end and last at its start, so that reading the
  /// rest is not in the window.
  static func begin(_ run: CellRun) -> WindowSnapshot {
    var snapshot = WindowSnapshot(
      time: run.clock.now(), counters: run.recorder.counterValues(), probe: Probe.readCounts(),
      actors: actors(run), heap: nil, cpu: CellCosts.cpu())
    snapshot.heap = HeapCounters.snapshot()
    return snapshot
  }

  static func end(_ run: CellRun) -> WindowSnapshot {
    let heap = HeapCounters.snapshot()
    return WindowSnapshot(
      time: run.clock.now(), counters: run.recorder.counterValues(), probe: Probe.readCounts(),
      actors: actors(run), heap: heap, cpu: CellCosts.cpu())
  }

  private static func actors(_ run: CellRun) -> ActorTimesReport? {
    run.plan.clock == .real ? Probe.readActorTimes() : nil
  }
}
