internal import Glibc
internal import Synchronization

/// SIGINT and SIGTERM, taken by a plain thread of their own.
///
/// The first one is a wish that the driver looks up between its steps: stop offering, write everything. The
/// second ends the process at once, and the running cells with it; what was written stays. One that comes within a
/// quarter of a second is still the first: `timeout` and some terminals signal the process and then its group.
final class InterruptWatch: Sendable {
  /// The signals in question.
  private static let signals = [SIGINT, SIGTERM]
  /// How long after the first a signal is taken for the same.
  private static let echo = Duration.milliseconds(250)

  private let first = Atomic<Int32>(0)
  private let groups = Mutex<Set<Int32>>([])

  /// Blocks the signals for all threads, SIGCHLD too, and starts the thread. Once, before any other thread.
  init() {
    var set = sigset_t()
    sigemptyset(&set)
    for number in Self.signals + [SIGCHLD] { sigaddset(&set, number) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
    var thread = pthread_t()
    let watch = Unmanaged.passRetained(self)
    let problem = pthread_create(
      &thread, nil,
      { argument in
        Unmanaged<InterruptWatch>.fromOpaque(argument!).takeRetainedValue().watch()
        return nil
      }, watch.toOpaque())
    if problem == 0 { pthread_detach(thread) } else { watch.release() }
  }

  /// The first signal that came; nil while none has.
  var signal: Int32? {
    let number = first.load(ordering: .acquiring)
    return number == 0 ? nil : number
  }

  /// A process group of a cell that is to end with this process.
  func begin(group: Int32) { groups.withLock { _ = $0.insert(group) } }

  /// A cell has ended by itself.
  func end(group: Int32) { groups.withLock { _ = $0.remove(group) } }

  /// Waits until a child ends, or for `milliseconds`.
  func pause(milliseconds: Int) {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGCHLD)
    var time = timespec(tv_sec: milliseconds / 1_000, tv_nsec: milliseconds % 1_000 * 1_000_000)
    sigtimedwait(&set, nil, &time)
  }

  private func watch() {
    var set = sigset_t()
    sigemptyset(&set)
    for number in Self.signals { sigaddset(&set, number) }
    var firstCame = ContinuousClock.now
    while true {
      var number: Int32 = 0
      guard sigwait(&set, &number) == 0 else { continue }
      if first.compareExchange(expected: 0, desired: number, ordering: .acquiringAndReleasing).exchanged {
        firstCame = .now
        continue
      }
      if ContinuousClock.now - firstCame < Self.echo { continue }
      groups.withLock { for group in $0 { kill(-group, SIGKILL) } }
      StandardStreams.error("\nweir: second signal: stopped at once; what was written so far stays\n")
      _exit(128 + number)
    }
  }
}
