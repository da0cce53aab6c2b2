// The state of virtual time: what is ready, what waits, what was counted.

internal import CDeterminism

/// Queues, counts and the clock of the process.
///
/// Sendable: `state` is touched by the owner's thread alone; work of other threads goes to the intake, which
/// locks, and readings of other threads (`isOnMain`) look at nothing but the thread.
final class Scheduler: @unchecked Sendable {
  /// Everything that changes from job to job. Behind a pointer, so that access costs no exclusivity check.
  struct State {
    var ready = ReadyQueue()
    var timers = TimerHeap()
    var callbacks = CallbackTable()
    var order: OrderDraw
    var now: UInt64 = 0
    var lastProgress: UInt64 = 0
    var jobsRun: UInt64 = 0
    var timersFired: UInt64 = 0
    var callbacksRun: UInt64 = 0
    /// How often time moved because nothing was ready.
    var timeJumps: UInt64 = 0
    /// Of the ready work, how many came from timers and did not run yet. Exact under the production order, where
    /// they are always the oldest; under `everyHop` `lastProgress` is therefore approximate.
    var firedAndReady = 0
    var isRunningGenericJob = false
    var isDriving = false
    /// Ask the condition also between a jump of time and the work that it made ready.
    var asksAfterJumps = false
  }

  let state: UnsafeMutablePointer<State>
  let schedule: Schedule
  let intake = ForeignIntake()

  init(seed: UInt64, schedule: Schedule) {
    self.schedule = schedule
    state = .allocate(capacity: 1)
    state.initialize(to: State(order: OrderDraw(seed: seed)))
  }

  /// Work that may run now. From any thread.
  @inline(__always)
  func enqueue(_ work: QueuedWork) {
    guard cdt_is_owner() else { return intake.accept(work) }
    state.pointee.ready.append(work)
  }

  /// Work for a later time, in nanoseconds of virtual time. From any thread.
  @inline(__always)
  func enqueue(_ work: QueuedWork, at deadline: UInt64) {
    guard cdt_is_owner() else { return intake.accept(work) }
    if deadline <= state.pointee.now {
      state.pointee.ready.append(work)
    } else {
      state.pointee.timers.insert(work, at: deadline)
    }
  }

  /// True on the owner's thread outside generic jobs.
  var isOnMain: Bool { cdt_is_owner() && !state.pointee.isRunningGenericJob }
}
