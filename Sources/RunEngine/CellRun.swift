internal import LoadGeneration
internal import Measurement
internal import RuntimeProbe
internal import Scenarios
internal import SeededDraws
internal import Synchronization
internal import WorkloadInterface

/// A cell while it runs: starts iterations, keeps their books, and knows when all have ended.
///
/// What is on a lock here is entered twice for each iteration and never within one.
final class CellRun: Sendable {
  let plan: CellPlan
  let recorder: Recorder
  let session: any WorkloadSession
  let clock: CellClock
  let log: IterationLog?

  let latency = SharedHistogram()
  let service = SharedHistogram()
  /// From a task's cancel to its end.
  let cancelDelays = SharedHistogram()
  /// Ends of tasks that the probe had no room for.
  let endsLost = Atomic<Int64>(0)
  let plannedSeries = SharedTimeSeries(.count)
  let startedSeries = SharedTimeSeries(.count)
  let completedSeries = SharedTimeSeries(.count)
  let failedSeries = SharedTimeSeries(.count)
  let cancelledSeries = SharedTimeSeries(.count)
  let inFlightSeries = SharedTimeSeries(.gauge)

  private let books: Mutex<Books>
  /// Handles of what runs, where the scenario cancels at scheduling steps.
  let cancellable: CancellableIterations?
  /// Set once: no more arrivals are taken.
  let isStopping = Atomic<Bool>(false)

  /// Books, admission and orphan watch change together.
  private struct Books: Sendable {
    var accounts = IterationAccounts()
    var admission: Admission
    var waiting: ArrivalQueue
    var watch: OrphanWatch
  }

  /// An arrival that has not started.
  struct Arrival: Sendable {
    var index: Int
    var intended: Int64
  }

  init(plan: CellPlan, recorder: Recorder, session: any WorkloadSession, log: IterationLog?) {
    self.plan = plan
    self.recorder = recorder
    self.session = session
    self.clock = recorder.clock
    self.log = log
    cancellable = plan.scenario.cancel == nil ? nil : CancellableIterations()
    books = Mutex(
      Books(
        admission: Admission(plan.scenario.load.model), waiting: ArrivalQueue(),
        watch: OrphanWatch(grace: plan.scenario.grace)))
  }

  /// The books as they stand.
  var accounts: IterationAccounts { books.withLock { $0.accounts } }
  /// The orphan watch as it stands.
  var watch: OrphanWatch { books.withLock { $0.watch } }
  /// Nothing runs and nothing waits.
  var isDrained: Bool { books.withLock { $0.accounts.isEmpty } }

  // MARK: Open load

  /// An arrival of the open load comes, now or late.
  func arrive(_ arrival: Arrival) {
    let now = clock.now()
    plannedSeries.record(1, at: arrival.intended)
    let starts = books.withLock { books in
      books.accounts.arrived(at: now)
      switch books.admission.arrival() {
      case .start:
        books.accounts.begins(at: now)
        return true
      case .drop:
        books.accounts.wasDropped()
        return false
      case .queue:
        books.accounts.wasQueued()
        books.waiting.append(arrival)
        return false
      }
    }
    if starts { launch(arrival, at: now) }
  }

  private func launch(_ arrival: Arrival, at now: Int64) {
    startedSeries.record(1, at: now)
    let iteration = iteration(arrival.index, intended: arrival.intended, actual: now)
    let task = Task.detached { [self] in
      let outcome = await perform(iteration)
      ended(iteration, outcome)
    }
    cancellable?.began(iteration.index) { task.cancel() }
  }

  private func perform(_ iteration: Iteration) async -> IterationOutcome {
    Probe.setIteration(OrphanWatch.tag(of: iteration.index))
    let outcome = await session.run(iteration)
    Probe.setIteration(0)
    return outcome
  }

  // MARK: Closed load

  /// A user of the closed load runs one iteration.
  func runAsUser(index: Int) async {
    let now = clock.now()
    plannedSeries.record(1, at: now)
    startedSeries.record(1, at: now)
    books.withLock { books in
      books.accounts.arrived(at: now)
      books.accounts.begins(at: now)
    }
    let iteration = iteration(index, intended: now, actual: now)
    guard let cancellable else { return ended(iteration, await perform(iteration)) }
    // A task of its own: the user goes on to the next iteration.
    let task = Task { await perform(iteration) }
    cancellable.began(index) { task.cancel() }
    ended(iteration, await task.value)
  }

  // MARK: Ends

  private func ended(_ iteration: Iteration, _ outcome: IterationOutcome) {
    let now = clock.now()
    cancellable?.ended(iteration.index, outcome)
    if !iteration.isWarmUp {
      latency.record(now - iteration.intendedStart)
      service.record(now - iteration.actualStart)
    }
    series(of: outcome).record(1, at: now)
    log?.append(iteration, outcome, end: now)
    let next = books.withLock { books -> Arrival? in
      books.accounts.ended(iteration, outcome, at: now, objective: plan.scenario.objective)
      books.watch.iterationEnded(iteration.index, at: now)
      guard books.admission.finish(), !isStopping.load(ordering: .relaxed) else { return nil }
      books.accounts.leftQueue()
      books.accounts.begins(at: now)
      return books.waiting.removeFirst()
    }
    if let next { launch(next, at: now) }
  }

  private func series(of outcome: IterationOutcome) -> SharedTimeSeries {
    switch outcome {
    case .completed: completedSeries
    case .failed: failedSeries
    case .cancelled: cancelledSeries
    }
  }

  private func iteration(_ index: Int, intended: Int64, actual: Int64) -> Iteration {
    Iteration(
      index: index, intendedStart: intended, actualStart: actual,
      isWarmUp: intended < plan.scenario.load.warmUp,
      draws: IterationDraws(seed: plan.scenario.seed, iteration: index))
  }

  // MARK: Looking

  /// Looks for tasks that outlived their iteration, and takes over what has ended since the last look.
  func lookForOrphans() {
    let live = Probe.liveTasks()
    // Afterwards: who is missing above has its end entered by now.
    let ended = takeEnds()
    let now = clock.now()
    let look = books.withLock { books in
      let look = books.watch.look(at: live, now: now, ends: ended)
      books.watch.describeNewOrphans(limit: 200) { Probe.readChain(of: &$0) }
      return look
    }
    for task in look.suspects { Probe.follow(task) }
  }

  /// The last look: what is left is described as it stands.
  func describeOrphans() {
    books.withLock { books in
      books.watch.describeOrphans(limit: 2_000) { Probe.readChain(of: &$0) }
    }
  }

  /// When tasks ended, by number; cancelled ones are entered into their distribution.
  private func takeEnds() -> [UInt64: Int64] {
    let (ended, lost) = Probe.takeEndedTasks()
    endsLost.store(Int64(lost), ordering: .relaxed)
    for task in ended where task.iteration != 0 && task.iteration != Probe.calibrationTag {
      if let delay = task.cancelDelay { cancelDelays.record(delay) }
    }
    return Dictionary(
      ended.map { ($0.id, $0.endedAt - clock.origin) }, uniquingKeysWith: { first, _ in first })
  }

  /// Enters the level of running iterations into its series.
  func sampleInFlight() {
    inFlightSeries.record(accounts.running, at: clock.now())
  }

  /// How far the cell has got at `now`, for the driver. The time is given: an observer of virtual time sees the
  /// machine's clock.
  func progress(phase: String, at now: Int64, plannedEnd: Int64) -> ProgressBlock {
    let accounts = accounts
    var block = ProgressBlock()
    block.phase = phase
    block.planned = UInt64(accounts.planned)
    block.started = UInt64(accounts.started)
    block.completed = UInt64(accounts.completed)
    block.failed = UInt64(accounts.failed)
    block.cancelled = UInt64(accounts.cancelled)
    block.dropped = UInt64(accounts.dropped)
    block.queued = UInt64(accounts.queued)
    block.inFlight = UInt64(accounts.running)
    block.cellTime = now
    if plan.clock == .virtual { block.virtualNow = block.cellTime }
    block.plannedEnd = plannedEnd
    return block
  }
}

/// Arrivals that wait for their turn, first come, first served. Both operations take constant time.
struct ArrivalQueue: Sendable {
  private var incoming: [CellRun.Arrival] = []
  private var head = 0

  mutating func append(_ arrival: CellRun.Arrival) { incoming.append(arrival) }

  mutating func removeFirst() -> CellRun.Arrival? {
    guard head < incoming.count else { return nil }
    defer {
      head += 1
      if head > 1024, head * 2 > incoming.count {
        incoming.removeFirst(head)
        head = 0
      }
    }
    return incoming[head]
  }
}
