// Virtual time of this process: how it is installed, driven and asked.

internal import CDeterminism
@_spi(ExperimentalCustomExecutors) internal import _Concurrency

/// Virtual time of this process.
///
/// Installed first thing in a synchronous main, it replaces the executors, the clock and the randomness of the
/// process for good. Unmodified code that sleeps, reads `ContinuousClock` or draws random elements then runs
/// on one thread in an order that follows from the seed, and time jumps to the next timer where nothing is
/// ready. Hashing is repeatable only where SWIFT_DETERMINISTIC_HASHING=1 was in the environment at start.
///
/// Not `Sendable`: it belongs to the thread that installed it. `requestStop` may be called from anywhere.
package struct VirtualProcess {
  private let scheduler: Scheduler
  private let jobs: JobRunner
  private let threadsAtInstallation: Int
  private var observation: Scheduler.Observation?

  /// Installs virtual time, at nanosecond 0, and checks that the runtime really reads it.
  ///
  /// - Parameters:
  ///   - seed: Decides the program's random numbers and, under `everyHop`, the order of jobs.
  ///   - schedule: In which order ready work runs.
  /// - Throws: `VirtualTimeError`. The process should then exit: its executors may be replaced already.
  package static func install(
    seed: UInt64, schedule: Schedule = .production
  ) throws(VirtualTimeError) -> VirtualProcess {
    guard VirtualExecutors.installed == nil else { throw .alreadyInstalled }
    let executors = VirtualExecutors(scheduler: Scheduler(seed: seed, schedule: schedule))
    VirtualExecutors.installed = executors
    cdt_enable(seed)
    do throws(VirtualTimeError) {
      _createExecutors(factory: VirtualExecutorFactory.self)
      try verifyRuntimeUses(executors)
      try verifyFirstTask(executors)
      try verifyClockAndRandomness()
    } catch {
      cdt_disable()
      throw error
    }
    executors.scheduler.setNow(0)
    // The stream from its start again, without what the check drew.
    cdt_enable(seed)
    return VirtualProcess(
      scheduler: executors.scheduler, jobs: JobRunner(executors),
      threadsAtInstallation: Int(cdt_thread_count()), observation: nil)
  }

  private static func verifyRuntimeUses(_ executors: VirtualExecutors) throws(VirtualTimeError) {
    guard MainActor.executor === executors.main, Task.defaultExecutor === executors.generic
    else { throw .executorsNotTakenOver }
  }

  /// Creates a task and looks at its number: the runtime counts from 1.
  private static func verifyFirstTask(_ executors: VirtualExecutors) throws(VirtualTimeError) {
    let scheduler = executors.scheduler
    Task.detached {}
    guard scheduler.state.pointee.ready.count == 1 else { throw .executorsNotTakenOver }
    let first = scheduler.state.pointee.ready.removeFirst()
    let number = cdt_task_number(UnsafeMutableRawPointer(bitPattern: first.word))
    JobRunner(executors).run(first)
    guard number == 1 else { throw .tasksCreatedBefore }
  }

  private static func verifyClockAndRandomness() throws(VirtualTimeError) {
    let probe: UInt64 = 7_000_000_123
    cdt_set_now(probe)
    guard deadline(of: ContinuousClock.now, clock: ContinuousClock()) == probe,
      deadline(of: SuspendingClock.now, clock: SuspendingClock()) == probe
    else { throw .clockNotTakenOver }
    let before = cdt_random_bytes_drawn()
    var generator = SystemRandomNumberGenerator()
    _ = generator.next()
    guard cdt_random_bytes_drawn() == before + 8 else { throw .randomnessNotTakenOver }
  }

  // MARK: Driving

  /// Runs until `condition` holds. It is asked before each job and should cost nanoseconds.
  ///
  /// Where everything stands still, waits up to `patience` nanoseconds of real time for other threads before
  /// it calls that a deadlock (asked when it has come to that), and ten times as long where the process has more threads than at installation:
  /// one of them may be at real I/O. May be called again after it returned, except after a foreign enqueue.
  package func run(
    until condition: () -> Bool, patience: @autoclosure () -> UInt64 = 200_000_000
  ) -> VirtualOutcome {
    let halt = scheduler.drive(jobs, until: condition, observation: observation)
    return switch halt {
    case .conditionHeld: .finished
    case .attention: attention()
    case .idle, .reachedHorizon: standstill(patience: patience())
    }
  }

  /// Runs `operation` in a task of its own on the default executor until it has returned. Other tasks may be
  /// unfinished then; they go on in the next run.
  package func run(_ operation: @escaping @Sendable () async -> Void) -> VirtualOutcome {
    let completion = Completion()
    Task.detached {
      await operation()
      completion.isComplete = true
    }
    return run(until: { completion.isComplete })
  }

  /// Runs everything due up to `nanoseconds` from now, and leaves time standing there.
  ///
  /// - Returns: The timers fired on the way and, where something other than time ended it, the outcome.
  package func advance(by nanoseconds: UInt64) -> (timersFired: UInt64, interruption: VirtualOutcome?) {
    let horizon = min(now &+ nanoseconds, latestDeadline)
    let before = timersFired
    let halt = scheduler.drive(
      jobs, until: { false }, horizon: horizon, observation: observation)
    if halt == .attention { return (timersFired - before, attention()) }
    scheduler.setNow(horizon)
    return (timersFired - before, nil)
  }

  /// Runs `callback` at `deadline`, in nanoseconds of virtual time, outside any task and in turn with the jobs
  /// and timers of that moment. Deadlines that have passed run next. For whoever starts load: the callback may
  /// create tasks and schedule itself again. Allocates nothing beyond the closure itself.
  package func schedule(at deadline: UInt64, _ callback: @escaping () -> Void) {
    precondition(cdt_is_owner(), "callbacks are scheduled by the thread that owns virtual time")
    let slot = scheduler.state.pointee.callbacks.insert(callback)
    scheduler.enqueue(QueuedWork(callback: slot), at: min(deadline, latestDeadline))
  }

  /// Calls `body` between two jobs, about every `rawNanoseconds` of real time, and asks the raw clock every
  /// `jobs` jobs. `body` sees the real clock and real randomness; it must start no task and keep no memory, for
  /// it is called at moments that differ from run to run.
  package mutating func observe(
    everyJobs jobs: UInt64 = 1024, rawNanoseconds: UInt64 = 100_000_000, _ body: @escaping () -> Void
  ) {
    observation = Scheduler.Observation(
      everyJobs: max(jobs, 1), everyRawNanoseconds: rawNanoseconds, body: body)
  }

  /// Has the condition of runs asked at every scheduling step: before each job and callback, and between a jump of
  /// time and the work that it made ready. Without this a jump and what follows it are one.
  package func askAtEveryStep() { scheduler.state.pointee.asksAfterJumps = true }

  /// Draws the order of jobs under `everyHop` from another seed from now on.
  package func reorder(seed: UInt64) { scheduler.state.pointee.order = OrderDraw(seed: seed) }

  /// Ends the run before its next job, with `.stopped`. From any thread; in signal handlers, too.
  package static func requestStop() {
    cdt_request_stop()
  }

  // MARK: Asking

  /// Virtual time in nanoseconds since installation.
  package var now: UInt64 { scheduler.state.pointee.now }

  /// Jobs handed to the runtime so far. Callbacks are not among them.
  package var jobsRun: UInt64 { scheduler.state.pointee.jobsRun }

  /// Callbacks run so far.
  package var callbacksRun: UInt64 { scheduler.state.pointee.callbacksRun }

  /// Scheduling steps so far: jobs, callbacks and jumps of time.
  package var steps: UInt64 { jobsRun &+ callbacksRun &+ scheduler.state.pointee.timeJumps }

  /// Timers that came due so far, those of callbacks and of cancelled sleeps among them.
  package var timersFired: UInt64 { scheduler.state.pointee.timersFired }

  /// Timers that wait for their time, those of cancelled sleeps among them.
  package var timersPending: Int { scheduler.state.pointee.timers.count }

  /// Jobs and callbacks that could run now.
  package var ready: Int { scheduler.state.pointee.ready.count }

  /// Threads the process has now beyond those at installation. Swift concurrency starts none in virtual time: a
  /// number above 0 says that dispatch or plain threads are at work, which may have resumed a continuation
  /// before it was awaited, the one thing from outside that leaves no enqueue to report. Reads /proc.
  package var threadsAdded: Int { max(0, Int(cdt_thread_count()) - threadsAtInstallation) }

  /// In which order ready work runs.
  package var schedule: Schedule { scheduler.schedule }

  // MARK: Ends

  private func attention() -> VirtualOutcome {
    if cdt_attention() & UInt32(CDT_ATTENTION_FOREIGN) != 0 {
      while true {
        if let first = scheduler.intake.first { return .foreignEnqueue(first) }
        cdt_raw_sleep(1_000_000)
      }
    }
    cdt_clear_attention(UInt32(CDT_ATTENTION_STOP))
    return .stopped
  }

  /// Nothing to do: another thread may be about to enqueue something, which is not a deadlock.
  private func standstill(patience: UInt64) -> VirtualOutcome {
    let limit = threadsAdded > 0 ? patience &* 10 : patience
    let start = cdt_raw_monotonic_ns()
    while cdt_attention() == 0 {
      if cdt_raw_monotonic_ns() &- start >= limit {
        return .deadlock(.init(at: now, lastProgress: scheduler.state.pointee.lastProgress))
      }
      cdt_raw_sleep(1_000_000)
    }
    return attention()
  }
}

/// Set by the task of a run when its operation has returned.
///
/// Sendable: the task and the loop that reads it take turns on the owner's thread.
private final class Completion: @unchecked Sendable {
  var isComplete = false
}
