// What the runtime sees: the executors.

@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) internal import _Concurrency

/// The executor of the process: main, default and scheduling executor in one class, two instances of which
/// share one scheduler and differ in the identity their jobs run under.
///
/// Sendable: its properties are immutable, and the scheduler sends every call of another thread elsewhere.
final class VirtualExecutor: MainExecutor, TaskExecutor, SchedulingExecutor, Sendable {
  let scheduler: Scheduler
  let isMain: Bool

  init(scheduler: Scheduler, isMain: Bool) {
    self.scheduler = scheduler
    self.isMain = isMain
  }

  func enqueue(_ job: UnownedJob) {
    scheduler.enqueue(QueuedWork(job: job, onMain: isMain))
  }

  func enqueue(_ job: consuming ExecutorJob) {
    scheduler.enqueue(QueuedWork(job: UnownedJob(job), onMain: isMain))
  }

  func enqueue<C: Clock>(
    _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
  ) {
    scheduler.enqueue(
      QueuedWork(job: UnownedJob(job), onMain: isMain), at: deadline(of: instant, clock: clock))
  }

  func enqueue<C: Clock>(
    _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
  ) {
    scheduler.enqueue(
      QueuedWork(job: UnownedJob(job), onMain: isMain), at: deadline(after: delay, clock: clock))
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  /// The main actor is what the owner's thread is outside generic jobs: in main-actor jobs, in callbacks, and
  /// in the synchronous main around the run.
  func isIsolatingCurrentContext() -> Bool? {
    isMain ? scheduler.isOnMain : nil
  }

  func checkIsolated() {
    guard isMain, scheduler.isOnMain else {
      fatalError("expected to run on the main actor of virtual time")
    }
  }

  // The run loop's protocol. The runtime calls these for an async main, which virtual time does not have.

  func run() throws {
    throw VirtualTimeError.asyncMain
  }

  func runUntil(_ condition: () -> Bool) throws {
    throw VirtualTimeError.asyncMain
  }

  func stop() {}
}

/// The pair of executors that a process has, over one scheduler.
struct VirtualExecutors: Sendable {
  let scheduler: Scheduler
  let main: VirtualExecutor
  let generic: VirtualExecutor

  init(scheduler: Scheduler) {
    self.scheduler = scheduler
    main = VirtualExecutor(scheduler: scheduler, isMain: true)
    generic = VirtualExecutor(scheduler: scheduler, isMain: false)
  }

  /// Those of this process. Assigned once, by `VirtualProcess.install`.
  // Safe: written on the owner's thread before the runtime or another thread can reach the executors.
  nonisolated(unsafe) static var installed: VirtualExecutors?
}

/// Hands the installed executors to the runtime, which asks a type and not a value.
struct VirtualExecutorFactory: ExecutorFactory {
  static var mainExecutor: any MainExecutor { executors.main }
  static var defaultExecutor: any TaskExecutor { executors.generic }

  private static var executors: VirtualExecutors {
    guard let installed = VirtualExecutors.installed else {
      preconditionFailure("virtual time is not installed")
    }
    return installed
  }
}
