// Why virtual time could not be installed.

/// Why virtual time could not be installed. The process has then no use but to say so and exit.
package enum VirtualTimeError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Installed before. One process, one virtual time.
  case alreadyInstalled
  /// The runtime kept other executors than those handed to it.
  case executorsNotTakenOver
  /// Something created a task before, and may have left work on the stock executors.
  case tasksCreatedBefore
  /// `ContinuousClock` or `SuspendingClock` did not read the virtual clock after all.
  case clockNotTakenOver
  /// The system's random numbers did not come from the seeded stream after all.
  case randomnessNotTakenOver
  /// Main is asynchronous, so the runtime wants to run the loop itself.
  case asyncMain

  /// A stable word for records and tests.
  package var code: String {
    switch self {
    case .alreadyInstalled: "virtual-time-already-installed"
    case .executorsNotTakenOver: "executors-not-taken-over"
    case .tasksCreatedBefore: "tasks-created-before"
    case .clockNotTakenOver: "clock-not-taken-over"
    case .randomnessNotTakenOver: "randomness-not-taken-over"
    case .asyncMain: "async-main"
    }
  }

  package var description: String {
    switch self {
    case .alreadyInstalled:
      "virtual time is installed already: a process has one virtual time, from start to end"
    case .executorsNotTakenOver:
      "the runtime kept other executors than those of virtual time: this toolchain's interface for custom "
        + "executors is not the one Weir was built for (Swift 6.3)"
    case .tasksCreatedBefore:
      "something created a task before virtual time was installed: call install first thing in a synchronous "
        + "main"
    case .clockNotTakenOver:
      "the runtime does not read the virtual clock: clock_gettime must be defined in the executable itself "
        + "(link CDeterminism into it, not into a shared library loaded by it)"
    case .randomnessNotTakenOver:
      "the standard library does not draw from the seeded stream: syscall must be defined in the executable "
        + "itself (link CDeterminism into it, not into a shared library loaded by it)"
    case .asyncMain:
      "main is asynchronous: virtual time needs a synchronous main that calls run"
    }
  }
}
