internal import Glibc
internal import RunRecords
internal import RuntimeProbe

/// What this process has cost so far.
enum CellCosts {
  /// Processor time and memory of the whole process; `wall` since `start` of the kernel's monotonic clock.
  static func now(since start: Int64, jobs: UInt64) -> CellCost {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return CellCost(
      wall: Probe.rawMonotonic() - start, cpuUser: nanoseconds(usage.ru_utime),
      cpuSystem: nanoseconds(usage.ru_stime), rssPeak: Int64(usage.ru_maxrss) * 1024, jobs: Int64(jobs))
  }

  /// Processor time of the whole process in ns.
  static func cpu() -> Int64 {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime)
  }

  private static func nanoseconds(_ time: timeval) -> Int64 {
    Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_usec) * 1000
  }
}
