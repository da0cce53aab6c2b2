// How a run in virtual time ended.

/// How a run in virtual time ended.
package enum VirtualOutcome: Equatable, Sendable {
  /// The condition held.
  case finished
  /// Nothing was ready, no timer was pending and no other thread enqueued anything: what is still unfinished
  /// waits for something that cannot come.
  case deadlock(Deadlock)
  /// Another thread enqueued a job. The order no longer follows from the seed: the run is invalid.
  case foreignEnqueue(ForeignEnqueue)
  /// A stop was requested, by a signal handler or a watchdog.
  case stopped

  /// When everything came to a stand.
  package struct Deadlock: Equatable, Sendable {
    /// Virtual time in nanoseconds.
    package let at: UInt64
    /// Virtual time, in nanoseconds, at which a job other than a timer's last ran. Earlier than `at` where only
    /// timers of sleeps already cancelled came after.
    package let lastProgress: UInt64
  }
}

/// A thread that enqueued a job though it does not own virtual time.
package struct ForeignEnqueue: Equatable, Sendable {
  /// The kernel's name of the thread, such as the queue's label or the program's name.
  package let threadName: String
  /// The innermost function outside the runtime, dispatch and Weir, or "unknown".
  package let caller: String
  /// Return addresses, innermost first, for whoever wants to name them better. At most 32.
  package let addresses: [UInt64]
}
