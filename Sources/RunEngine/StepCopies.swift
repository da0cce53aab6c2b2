internal import Glibc
internal import VirtualTime

/// The copies of this process that a sweep makes: a few run at a time, and how each ended is kept.
///
/// Allocates nothing after it was made, so that the sweep does not show in the cell's own figures. Belongs to the
/// thread of virtual time.
final class StepCopies {
  /// How a copy ended, as `waitpid` says it.
  struct Ending {
    var step: UInt64
    var process: Int32
    var status: Int32
  }

  /// The most steps of one sweep; more are no small run.
  static let limit = 100_000

  private let endings: UnsafeMutablePointer<Ending>
  private(set) var count = 0
  private var running = 0
  private let atOnce: Int
  /// After so many ns of real time a copy is ended.
  private let patience: Int64

  /// How long a copy may run beside a watchdog of this length, in ns of real time: half of it, and at least a second.
  static func patience(watchdog: Int64) -> Int64 { max(1_000_000_000, watchdog / 2) }

  init(patience: Int64) {
    endings = .allocate(capacity: Self.limit)
    atOnce = max(1, min(4, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    self.patience = patience
  }

  deinit { endings.deallocate() }

  /// Whether there is no room for another step.
  var isFull: Bool { count == Self.limit }

  /// Makes a copy for a step, when one of those that run has ended. True in the copy.
  func make(for step: UInt64) -> Bool {
    while running >= atOnce { awaitOne() }
    guard let process = ProcessLife.copy() else {
      endings[count] = Ending(step: step, process: -1, status: -1)
      count += 1
      return false
    }
    if process == 0 {
      // The kernel ends a copy that does not end by itself, whatever it waits for.
      var timer = itimerval()
      timer.it_value = timeval(
        tv_sec: Int(patience / 1_000_000_000), tv_usec: Int(patience % 1_000_000_000 / 1000))
      setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &timer, nil)
      return true
    }
    endings[count] = Ending(step: step, process: process, status: -1)
    count += 1
    running += 1
    return false
  }

  /// Waits for all that run; the endings of all, by step.
  func finish() -> UnsafeBufferPointer<Ending> {
    while running > 0 { awaitOne() }
    return UnsafeBufferPointer(start: endings, count: count)
  }

  private func awaitOne() {
    var status: Int32 = 0
    let process = waitpid(-1, &status, 0)
    guard process > 0 else {
      if errno != EINTR { running = 0 }
      return
    }
    // The newest are the ones that run.
    var index = count - 1
    while index >= 0, endings[index].process != process || endings[index].status != -1 { index -= 1 }
    guard index >= 0 else { return }
    endings[index].status = status
    running -= 1
  }
}
