internal import LoadGeneration
internal import Measurement
internal import RunRecords
internal import RuntimeProbe
internal import Scenarios
internal import Synchronization
internal import VirtualTime
internal import WorkloadInterface

/// Drives the load of a virtual cell: arrivals at their very instants, looks at the books in between, an end.
///
/// Not Sendable: it lives on the thread of virtual time.
final class VirtualLoad {
  private let run: CellRun
  private var process: VirtualProcess
  /// Virtual time at the start of the cell.
  private let origin: UInt64
  private var arrivals: ArrivalPlan.Iterator?
  private let users: ClosedUsers?
  private let planLength: Int64
  private var isPlanOver = false
  private var nextLook = VirtualCell.lookInterval
  private var windowStart: WindowSnapshot?
  private var nextOrphanLook: Int64
  private var phase = "load"
  /// When the stop was asked for, in virtual time.
  private var stopTime: Int64?
  /// A load that only a number of iterations bounds stands still for longer than the drain time.
  private var isStanding = false
  /// Cancels what runs at scheduling steps, where the scenario says so.
  let sweep: StepSweep?
  /// The tasks that were alive in a deadlock.
  private(set) var stuck: [LiveTask] = []
  /// Jobs run and iterations started before time last moved.
  private var lastMove: (time: Int64, jobs: UInt64, started: Int64) = (-1, 0, 0)
  /// Whether time was found to stand still.
  private var isTimeStuck = false

  /// More jobs than this at one instant are a loop that never waits.
  private static let jobsAtOneInstant: UInt64 = 10_000_000
  /// And so are more iterations than this, where only time could end them.
  private static let iterationsAtOneInstant: Int64 = 1_000_000

  init(run: CellRun, process: VirtualProcess) throws {
    self.run = run
    self.process = process
    origin = process.now
    sweep = run.cancellable.flatMap { iterations in
      run.plan.scenario.cancel.map {
        StepSweep($0, iterations: iterations, firstStep: process.steps, watchdog: run.plan.scenario.watchdog)
      }
    }
    if sweep != nil { process.askAtEveryStep() }
    let load = run.plan.scenario.load
    switch load.model {
    case .open(let open):
      let plan = try ArrivalPlan(open, seed: run.plan.scenario.seed)
      arrivals = plan.makeIterator()
      planLength = plan.duration
      users = nil
    case .closed(let closed):
      arrivals = nil
      users = try ClosedUsers(closed, run: run)
      planLength = closed.duration ?? 0
    }
    nextOrphanLook = max(VirtualCell.lookInterval, run.plan.scenario.grace / 2)
  }

  private var now: Int64 { Int64(process.now &- origin) }

  /// Runs the whole load, the drain and the grace time.
  func drive(from start: WindowSnapshot) -> CellEnding {
    windowStart = run.plan.scenario.load.warmUp == 0 ? start : nil
    begin()
    let outcome = goOn()
    // A run of a sweep is asked for its findings alone.
    let end = isCopy ? start : WindowSnapshot.end(run)
    var ending = CellEnding(
      windowStart: windowStart ?? end, windowEnd: end, settled: end, planLength: max(planLength, 1),
      lateness: LatencyHistogram())
    judge(outcome, &ending)
    if case .finished = outcome, ending.verdict == .passed, let outcome = settle() { judge(outcome, &ending) }
    if !isCopy { ending.settled = WindowSnapshot.end(run) }
    // Arrivals come at their very instants: how late each was is known without a clock.
    if isOpen { ending.lateness.record(0, count: UInt64(run.accounts.planned)) }
    if ending.verdict == .passed { Validity.check(run, ending: &ending) }
    return ending
  }

  private var warmUp: Int64 { run.plan.scenario.load.warmUp }

  private var isOpen: Bool { arrivals != nil }

  // MARK: Starting

  private func begin() {
    if isOpen { scheduleNextArrival() }
    users?.start()
  }

  private func scheduleNextArrival() {
    guard !run.isStopping.load(ordering: .relaxed), let next = arrivals?.next() else {
      isPlanOver = true
      return
    }
    process.schedule(at: origin &+ UInt64(next.intended)) { [self] in
      guard !run.isStopping.load(ordering: .relaxed) else { return isPlanOver = true }
      run.arrive(CellRun.Arrival(index: next.index, intended: next.intended))
      scheduleNextArrival()
    }
  }

  // MARK: Going on

  private var isOver: Bool {
    // What waits for its turn when a stop is asked for never gets it.
    if stopTime != nil { return run.accounts.running == 0 }
    if let users { return users.areDone }
    return isPlanOver && run.isDrained
  }

  /// Whether this process is the run of one step of a sweep.
  var isCopy: Bool { sweep?.isCopy ?? false }

  private func goOn() -> VirtualOutcome {
    while true {
      let outcome = process.run(
        until: { [self] in
          if let sweep {
            sweep.reached(process.steps, isStopping: stopTime != nil)
            // The cell waits while copies run, and jobs are few: this is its progress.
            publish()
          }
          let time = now
          if time >= nextLook { look(at: time) }
          noteTime(time)
          return isOver || isDrainOver(at: time) || isTimeStuck
        }, patience: patience)
      guard outcome == .stopped, stopTime == nil else { return outcome }
      // Asked to stop: no more arrivals; what runs may end.
      run.isStopping.store(true, ordering: .relaxed)
      stopTime = now
      phase = "stopping"
    }
  }

  /// A copy has no other thread that could end a standstill.
  private var patience: UInt64 { isCopy ? 0 : 200_000_000 }

  /// A load that is bounded by iterations has no planned end: its drain time runs from the last sign of life.
  private func isDrainOver(at time: Int64) -> Bool {
    let drain = run.plan.scenario.load.drain
    if let stopTime { return time - stopTime > drain }
    return planLength > 0 ? time - drain > planLength : isStanding
  }

  /// Finds out whether time still moves.
  private func noteTime(_ time: Int64) {
    guard time == lastMove.time else {
      lastMove = (time, process.jobsRun, run.accounts.started)
      return
    }
    let jobs = process.jobsRun - lastMove.jobs
    let isTurn = isBoundByTimeAlone && jobs % 16 == 0
    isTimeStuck =
      jobs > Self.jobsAtOneInstant
      || isTurn && run.accounts.started - lastMove.started > Self.iterationsAtOneInstant
  }

  /// Users that nothing but the time can stop.
  private var isBoundByTimeAlone: Bool {
    guard case .closed(let closed) = run.plan.scenario.load.model else { return false }
    return closed.iterations == nil
  }

  /// What has to be done at times of its own. Not a timer, so that it is no reason for time to go on.
  private func look(at time: Int64) {
    nextLook = time + VirtualCell.lookInterval
    if windowStart == nil, warmUp > time { nextLook = min(nextLook, warmUp) }
    run.sampleInFlight()
    if planLength == 0 { isStanding = run.accounts.stand(stillFor: run.plan.scenario.load.drain, at: time) }
    if windowStart == nil, time >= warmUp { windowStart = .begin(run) }
    if time >= nextOrphanLook {
      nextOrphanLook = time + max(VirtualCell.lookInterval, run.plan.scenario.grace / 2)
      run.lookForOrphans()
    }
  }

  /// Lets the grace time pass, looking more than once. Returns what ended it before its time.
  private func settle() -> VirtualOutcome? {
    phase = "settling"
    run.lookForOrphans()
    let step = max(1, UInt64(run.plan.scenario.grace) / 4)
    for _ in 0..<4 {
      if let interruption = process.advance(by: step).interruption { return interruption }
      run.lookForOrphans()
    }
    run.describeOrphans()
    return nil
  }

  private func judge(_ outcome: VirtualOutcome, _ ending: inout CellEnding) {
    switch outcome {
    case .finished where stopTime == nil && isTimeStuck:
      ending.verdict = .hung
      ending.reasons = [
        "time stands still at \(Self.seconds(now)): \(process.jobsRun - lastMove.jobs) jobs ran at that instant, and "
          + "\(run.accounts.started) iterations have started; something goes round without ever waiting, such as users "
          + "without think time whose providers take no time. Give the users `think`, the providers a latency, or the "
          + "load `iterations` in place of `for`"
      ]
    case .finished where stopTime == nil: return
    case .deadlock where stopTime != nil, .finished, .stopped:
      ending.verdict = .interrupted
      let whole = planLength > 0 ? " of \(Self.seconds(planLength))" : ""
      ending.reasons = ["interrupted at \(Self.seconds(now))\(whole) of virtual time"]
    case .deadlock(let deadlock):
      ending.verdict = .hung
      ending.reasons = [
        "deadlock at \(Self.seconds(now)): nothing is ready and no timer is set; last progress at "
          + "\(Self.seconds(Int64(deadlock.lastProgress &- origin))); \(run.accounts.running) iterations wait"
      ]
      stuck = StuckTasks.read()
      // Whoever made the copy names its tasks: symbols take long, and are the same for all copies.
      guard !isCopy else { return }
      var descriptions = TaskDescriptions()
      ending.reasons += StuckTasks.describe(stuck, &descriptions)
    case .foreignEnqueue(let foreign):
      ending.verdict = .invalid
      ending.reasons = [
        "a job was enqueued by thread `\(foreign.threadName)`, which virtual time does not own (caller: "
          + "\(foreign.caller)): real I/O or threads make the order depend on the machine; use `clock: real`"
      ]
    }
  }

  /// Has the progress published about ten times a second of raw time. Asked of the load's own process value:
  /// an observer belongs to the value that drives.
  func publishRegularly() {
    process.observe(everyJobs: 4096, rawNanoseconds: 100_000_000) { [unowned self] in publish() }
  }

  /// Writes the progress block; called between jobs at moments of the raw clock, so it keeps no memory.
  private func publish() {
    // The file is the cell's own.
    if isCopy { return }
    run.progress(phase: phase, at: now, plannedEnd: planLength).store()
  }

  private static func seconds(_ nanoseconds: Int64) -> String {
    let tenths = nanoseconds / 100_000_000
    return "\(tenths / 10).\(tenths % 10) s"
  }
}
