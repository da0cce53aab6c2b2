import Glibc

/// Processor time spent on purpose.
enum ProcessorWork {
  /// Spends this much processor time, in ns, on the global pool.
  @concurrent
  static func spin(_ nanoseconds: Int64) async { spinHere(nanoseconds) }

  /// Spends this much processor time, in ns, on this thread. Time in which the thread does not run does not
  /// count, so that contention shows.
  static func spinHere(_ nanoseconds: Int64) {
    guard nanoseconds > 0 else { return }
    let end = reading() &+ nanoseconds
    while reading() < end {}
  }

  private static func reading() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
