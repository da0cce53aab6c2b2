internal import CRuntimeProbe
internal import Glibc

/// The runtime probe of this process. There is one; its counts only grow.
package enum Probe {
  /// How this program sees the runtime, or why it does not.
  package static var coverage: Result<ProbeCoverage, ProbeAbsence> {
    if let problem = crp_check_layout() { return .failure(ProbeAbsence(String(cString: problem))) }
    guard let coverage = ProbeCoverage(linking: crp_linking().rawValue) else {
      return .failure(ProbeAbsence("this program is not linked with the probe"))
    }
    return .success(coverage)
  }

  /// Starts counting, into a new file at `file` or, without one, where `open` has put the counters.
  /// Throws `ProbeAbsence` when the runtime is not laid out as the probe expects or the file cannot be made.
  package static func start(mode: ProbeMode, file: String? = nil) throws(ProbeAbsence) {
    if let file { try open(file: file) }
    if let problem = crp_start(mode.cValue) { throw ProbeAbsence(String(cString: problem)) }
  }

  /// Puts the counters, and the progress block, into a new file. Before `start`; also without ever starting.
  package static func open(file: String) throws(ProbeAbsence) {
    let problem = crp_open(file)
    if problem != 0 {
      let words = strerror(problem).map { String(cString: $0) } ?? "error \(problem)"
      throw ProbeAbsence("\(file): the probe's file cannot be made (\(words))", errorNumber: problem)
    }
  }

  /// Takes the counters out of their file: copies of this process then count for themselves. Progress is still told
  /// through the file. False where the system refuses.
  package static func keepCountsPrivate() -> Bool { crp_keep_counts_private() == 0 }

  /// Stops counting. Then a switch costs one test of a flag.
  package static func stop() {
    crp_stop()
  }

  /// Names the main actor where the program installs its own executors; otherwise it is found out.
  package static func setMainExecutor(_ executor: UnownedSerialExecutor) {
    crp_set_main_executor_identity(unsafeBitCast(executor, to: (UnsafeRawPointer?, UInt).self).0)
  }

  /// The counts so far; all zero before the first start. About a millisecond, plus a look at every live task.
  package static func readCounts() -> ProbeCounts {
    if crp_mapped_base() == nil { _ = crp_open(nil) }
    crp_update_retained()
    let bytes = UnsafeRawBufferPointer(start: crp_mapped_base(), count: crp_mapped_size())
    return ProbeFile.counts(of: bytes, header: bytes.loadUnaligned(as: crp_file_header.self))
  }

  // MARK: Iterations

  /// Gives the current task, and with it all tasks it creates from now on, an iteration tag; 0 takes it away.
  /// False outside a task or while the probe is off. Well under a microsecond.
  @discardableResult
  package static func setIteration(_ tag: UInt64) -> Bool {
    crp_task_set_iteration(tag)
  }

  /// The tag of the current task; 0: none.
  package static var iteration: UInt64 { crp_task_iteration() }

  /// Counts the tasks of one tag apart from now on. Only one tag at a time is watched; 0 ends it.
  package static func watchIteration(_ tag: UInt64) {
    crp_watch_iteration(tag)
  }

  /// Tasks of the watched tag that were created, and that are gone.
  package static var watchedTasks: (created: UInt64, ended: UInt64) {
    var created: UInt64 = 0
    var ended: UInt64 = 0
    crp_watched_tasks(&created, &ended)
    return (created, ended)
  }
}
