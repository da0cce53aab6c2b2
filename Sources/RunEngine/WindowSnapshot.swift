internal import HeapProbe
internal import RuntimeProbe
internal import WorkloadInterface

/// All counters at one moment; the difference of two is a window.
struct WindowSnapshot: Sendable {
  var time: Int64
  var counters: [String: Int64]
  var probe: ProbeCounts
  var heap: HeapSnapshot?

  /// Reads everything now. The heap is read first at a window's end and last at its start, so that reading the
  /// rest is not in the window.
  static func begin(_ run: CellRun) -> WindowSnapshot {
    var snapshot = WindowSnapshot(
      time: run.clock.now(), counters: run.recorder.counterValues(), probe: Probe.readCounts(), heap: nil)
    snapshot.heap = HeapCounters.snapshot()
    return snapshot
  }

  static func end(_ run: CellRun) -> WindowSnapshot {
    let heap = HeapCounters.snapshot()
    return WindowSnapshot(
      time: run.clock.now(), counters: run.recorder.counterValues(), probe: Probe.readCounts(), heap: heap)
  }
}
