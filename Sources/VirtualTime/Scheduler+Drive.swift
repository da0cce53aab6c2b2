// The loop.

internal import CDeterminism
internal import _Concurrency

extension Scheduler {
  /// Why the loop left off.
  enum Halt {
    case conditionHeld
    case idle
    case reachedHorizon
    case attention
  }

  /// What is done between jobs at moments that the raw clock may decide.
  struct Observation {
    /// Called every so many jobs.
    var everyJobs: UInt64
    /// At most so often, in nanoseconds of raw time.
    var everyRawNanoseconds: UInt64
    var body: () -> Void
  }

  /// Runs ready work, and lets time jump to the next timer where nothing is ready, until `condition` holds
  /// (asked before each job), nothing is left, the next timer lies past `horizon`, or attention is asked for.
  func drive(
    _ jobs: JobRunner, until condition: () -> Bool, horizon: UInt64 = .max, observation: Observation?
  ) -> Halt {
    precondition(cdt_is_owner(), "virtual time is driven by the thread that installed it")
    precondition(!state.pointee.isDriving, "virtual time is driven from within one of its own jobs")
    state.pointee.isDriving = true
    defer { state.pointee.isDriving = false }
    var untilObservation = observation?.everyJobs ?? .max
    var lastObservation = cdt_raw_monotonic_ns()
    while true {
      if cdt_attention() != 0 { return .attention }
      if condition() { return .conditionHeld }
      if state.pointee.ready.count == 0 {
        guard state.pointee.timers.count > 0 else { return .idle }
        guard advanceToNextTimer(horizon: horizon) else { return .reachedHorizon }
        if state.pointee.asksAfterJumps { continue }
      }
      runNext(jobs)
      untilObservation &-= 1
      if untilObservation == 0, let observation {
        untilObservation = observation.everyJobs
        observe(observation, last: &lastObservation)
      }
    }
  }

  /// Moves time to the earliest deadline and makes ready everything due then, in the order of insertion.
  /// False where that lies past the horizon.
  private func advanceToNextTimer(horizon: UInt64) -> Bool {
    let due = state.pointee.timers.earliestDeadline
    guard due <= horizon else { return false }
    setNow(due)
    state.pointee.timeJumps &+= 1
    repeat {
      let work = state.pointee.timers.removeEarliest()
      state.pointee.ready.append(work)
      state.pointee.timersFired &+= 1
      state.pointee.firedAndReady &+= 1
    } while state.pointee.timers.count > 0 && state.pointee.timers.earliestDeadline == due
    return true
  }

  /// Sets virtual time. Never backwards.
  func setNow(_ now: UInt64) {
    state.pointee.now = now
    cdt_set_now(now)
  }

  @inline(__always)
  private func runNext(_ jobs: JobRunner) {
    let work: QueuedWork
    if schedule == .production {
      work = state.pointee.ready.removeFirst()
    } else {
      let count = state.pointee.ready.count
      work = state.pointee.ready.remove(at: count == 1 ? 0 : state.pointee.order.next(below: count))
    }
    // The queue is first in, first out and time moves only when it is empty, so what fired comes first.
    if state.pointee.firedAndReady > 0 {
      state.pointee.firedAndReady &-= 1
    } else {
      state.pointee.lastProgress = state.pointee.now
    }
    if work.isCallback {
      state.pointee.callbacksRun &+= 1
      let callback = state.pointee.callbacks.take(work.callbackSlot)
      callback()
    } else {
      state.pointee.jobsRun &+= 1
      jobs.run(work)
    }
  }

  /// Runs the observer where enough raw time has passed, with the real clock and real randomness in sight.
  @inline(never)
  private func observe(_ observation: Observation, last: inout UInt64) {
    let now = cdt_raw_monotonic_ns()
    guard now &- last >= observation.everyRawNanoseconds else { return }
    last = now
    cdt_suspend()
    observation.body()
    cdt_resume()
  }
}

/// Hands jobs to the runtime under the right executor.
struct JobRunner {
  private let main: UnownedSerialExecutor
  private let generic: UnownedSerialExecutor
  private let taskExecutor: UnownedTaskExecutor?
  private let state: UnsafeMutablePointer<Scheduler.State>

  init(_ executors: VirtualExecutors) {
    main = MainActor.sharedUnownedExecutor
    // The generic executor is the one of identity 0: a thread that may become any default actor's.
    generic = unsafeBitCast((UInt(0), UInt(0)), to: UnownedSerialExecutor.self)
    // Under a task executor no hop keeps its thread.
    taskExecutor =
      executors.scheduler.schedule == .everyHop ? executors.generic.asUnownedTaskExecutor() : nil
    state = executors.scheduler.state
  }

  @inline(__always)
  func run(_ work: QueuedWork) {
    if work.isMain {
      ExecutorJob(work.job).runSynchronously(on: main)
      return
    }
    state.pointee.isRunningGenericJob = true
    if let taskExecutor {
      ExecutorJob(work.job).runSynchronously(on: taskExecutor)
    } else {
      ExecutorJob(work.job).runSynchronously(on: generic)
    }
    state.pointee.isRunningGenericJob = false
  }
}
