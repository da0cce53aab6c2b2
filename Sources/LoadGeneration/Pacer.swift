import Glibc
package import Measurement
import Synchronization
package import WorkloadInterface

/// Starts arrivals at their intended times on the real clock, from a plain thread that no task can hold up.
///
/// It sleeps until shortly before a start that is far enough off and spins the rest; dense starts are taken
/// in batches of what is due. How late each start was made is recorded.
package final class Pacer: Sendable {
  /// What pacing cost and achieved.
  package struct Report: Sendable {
    /// Starts made.
    package var started = 0
    /// How late each was made, in ns.
    package var lateness = LatencyHistogram()
    /// Processor time of the pacing thread, in ns.
    package var processorTime: Int64 = 0
    /// Whether it was stopped before the plan's end.
    package var wasStopped = false
  }

  /// Spin this long before a start, in ns; 0 never spins.
  package let spin: Int64
  private let clock: CellClock
  private let isStopped = Atomic(false)

  /// The longest sleep, so that `stop` is noticed, in ns.
  private static let longestSleep: Int64 = 20_000_000

  /// A pacer on a cell's clock.
  package init(clock: CellClock, spin: Int64 = 60_000) {
    self.clock = clock
    self.spin = spin
  }

  /// Ends the run soon, from any thread.
  package func stop() { isStopped.store(true, ordering: .relaxed) }

  /// Makes the starts of a plan on the calling thread; returns after the last, or after `stop`.
  ///
  /// `onDue` is given each arrival and the time at which it is made; it must be short.
  package func run(
    _ plan: some Sequence<PlannedArrival>, onDue: (PlannedArrival, _ actual: Int64) -> Void
  ) -> Report {
    TimerSlack.reduce()
    let before = Self.reading(CLOCK_THREAD_CPUTIME_ID)
    var report = Report()
    var now = clock.now()
    for arrival in plan {
      if now < arrival.intended {
        // The time may have come while earlier arrivals were being started.
        now = clock.now()
        if now < arrival.intended { now = wait(until: arrival.intended) }
      }
      if isStopped.load(ordering: .relaxed) {
        report.wasStopped = true
        break
      }
      report.lateness.record(max(0, now &- arrival.intended))
      report.started += 1
      onDue(arrival, now)
    }
    report.processorTime = Self.reading(CLOCK_THREAD_CPUTIME_ID) &- before
    return report
  }

  /// Runs the plan on a thread of its own and hands the report to `onEnd` there.
  package func start(
    _ plan: ArrivalPlan, onDue: @escaping @Sendable (PlannedArrival, _ actual: Int64) -> Void,
    onEnd: @escaping @Sendable (Report) -> Void
  ) {
    PlainThread.start { [self] in onEnd(run(plan, onDue: onDue)) }
  }

  /// Returns the time once it is at least `time`, or earlier after `stop`.
  private func wait(until time: Int64) -> Int64 {
    var now = clock.now()
    while now < time, !isStopped.load(ordering: .relaxed) {
      let left = time &- now
      // Spin only where it is the smaller part of the gap.
      let early = left > 3 * spin ? spin : 0
      sleep(until: now &+ min(left &- early, Self.longestSleep))
      now = clock.now()
      if early > 0, time &- now <= spin { while now < time { now = clock.now() } }
    }
    return now
  }

  private func sleep(until time: Int64) {
    let absolute = clock.origin &+ time
    var deadline = timespec(
      tv_sec: Int(absolute / 1_000_000_000), tv_nsec: Int(absolute % 1_000_000_000))
    // An interrupted sleep is taken up again by the caller's loop.
    _ = clock_nanosleep(CLOCK_BOOTTIME, TIMER_ABSTIME, &deadline, nil)
  }

  private static func reading(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
