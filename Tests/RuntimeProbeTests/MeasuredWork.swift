import RuntimeProbe

/// What the probe said of some work.
struct MeasuredWork: Sendable {
  var counts: ProbeCounts
  /// Tasks created by the work itself, and how many of these were gone afterwards.
  var tasks: (created: UInt64, ended: UInt64)
}

/// Runs `work` under an iteration tag of its own, so that other tests in this process do not count. The counts of
/// switches are the whole process's, those of one actor type are not disturbed.
func measure(tag: UInt64, _ work: @escaping @Sendable () async -> Void) async -> MeasuredWork {
  Probe.watchIteration(tag)
  let before = Probe.readCounts()
  await Task.detached {
    Probe.setIteration(tag)
    await work()
    Probe.setIteration(0)
  }.value
  // The last reference to a task goes a moment after its result is there.
  await Probe.settle(within: 10_000_000_000) { Probe.watchedTasks.ended >= Probe.watchedTasks.created }
  return MeasuredWork(counts: Probe.readCounts().since(before), tasks: Probe.watchedTasks)
}
