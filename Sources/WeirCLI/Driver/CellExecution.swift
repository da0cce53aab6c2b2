internal import Glibc
internal import RunEngine
internal import RunRecords
internal import RuntimeProbe
internal import Scenarios

/// One cell: starts its process, watches it, and makes a record of whatever it leaves.
final class CellExecution {
  /// The cell's plan.
  let plan: CellPlan

  private let directory: String
  private let interrupts: InterruptWatch
  private let start: Int64
  private let notice: CellNotice
  private let process: pid_t
  private var watch: CellWatch

  /// From the wish to stop until a cell is killed: twice a second's work, and some time to write.
  private static let stopLimit: Int64 = 15_000_000_000

  private var files: CellFiles { CellFiles(directory: directory, number: plan.number) }

  /// What a cell came to.
  struct Outcome {
    var result: CellResult
    /// Why there are no raw events of its trace; nil where there are, or none were asked for.
    var traceFailure: String?
  }

  /// Starts the cell's process, with its files in `directory`, the run's `cells`.
  ///
  /// - Throws: `WorkFailure` when it cannot be started.
  init(_ plan: CellPlan, directory: String, interrupts: InterruptWatch) throws(WorkFailure) {
    self.plan = plan
    self.directory = directory
    self.interrupts = interrupts
    let files = CellFiles(directory: directory, number: plan.number)
    try Self.prepare(files, plan)
    start = MonotonicTime.now()
    notice = try CellNotice()
    process = try CellLauncher.start(
      number: plan.number, in: directory, log: files.log, clock: plan.clock, notice: notice)
    interrupts.begin(group: process)
    watch = CellWatch(start: start, watchdog: plan.scenario.watchdog, stopLimit: Self.stopLimit)
  }

  /// Looks at the process, and acts where it is silent or shall stop.
  ///
  /// - Returns: What the cell came to; nil while it runs. Asked again after that, it says nothing true.
  func look(isStopWanted: Bool, _ display: ProgressDisplay) -> Outcome? {
    var status: Int32 = 0
    var usage = rusage()
    let ended = wait4(process, &status, WNOHANG, &usage)
    if ended == process || (ended < 0 && errno == ECHILD) { return outcome(status, usage) }
    // Before it has told anything, people hear at least that it is starting.
    let progress = (try? ProbeFile.readProgress(files.probe)) ?? ProgressBlock()
    let now = MonotonicTime.now()
    watch.saw(progress)
    display.cell(plan.number, progress, now: now)
    switch watch.tick(now: now, stopWanted: isStopWanted, cpu: ProcessorTime.used(by: process)) {
    case .none: break
    case .askToStop: _ = Glibc.kill(process, SIGTERM)
    case .kill: _ = Glibc.kill(-process, SIGKILL)
    }
    return nil
  }

  /// Ends the process, of which nothing will be asked any more.
  func kill() {
    _ = Glibc.kill(-process, SIGKILL)
    var status: Int32 = 0
    _ = waitpid(process, &status, 0)
    interrupts.end(group: process)
  }

  private func outcome(_ status: Int32, _ usage: rusage) -> Outcome {
    interrupts.end(group: process)
    // What the cell may have started and left behind in its group; the group is still its own.
    _ = Glibc.kill(-process, SIGKILL)
    let wall = MonotonicTime.now() - start
    let told = notice.unwritten
    let unwritten = told.filter { !$0.isOfTrace }
    let (verdict, reason) = account(status, watch, unwritten)
    var outcome = Outcome(
      result: lost(verdict, reason, watch, wall: wall, usage),
      traceFailure: told.first(where: \.isOfTrace)?.description)
    if let result = try? RunFiles.decode(CellResult.self, files.result), watch.ending == nil {
      outcome.result = adopt(result, verdict: verdict, reason: reason, wasAsked: watch.wasAsked)
    }
    return outcome
  }

  private func lost(
    _ verdict: Verdict?, _ reason: String?, _ watch: CellWatch, wall: Int64, _ usage: rusage
  ) -> CellResult {
    let cost = CellCost(
      wall: wall, cpuUser: Self.nanoseconds(usage.ru_utime), cpuSystem: Self.nanoseconds(usage.ru_stime),
      rssPeak: Int64(usage.ru_maxrss) * 1024, jobs: 0)
    let lost = LostCell(plan: plan, files: files)
    var record = lost.record(verdict ?? .crashed, reason: reason ?? Self.noResult)
    if verdict == .hung, case .hung(_, let hang)? = watch.ending { record.hang = hang }
    return CellResult(record: record, cost: cost)
  }

  private static let noResult = "the cell's process ended without leaving a result"
  private static let remedy = "what it measured proves nothing: run it again"

  private static func prepare(_ files: CellFiles, _ plan: CellPlan) throws(WorkFailure) {
    for stale in [
      files.probe, files.result, files.iterations, files.steps, files.trace, files.maps, files.log,
    ] {
      unlink(stale)
    }
    try FileSystem.write(try RunFiles.encode(plan), to: files.plan)
  }

  /// A result that was written counts, whatever became of the process afterwards; a later crash is named.
  private func adopt(
    _ result: CellResult, verdict: Verdict?, reason: String?, wasAsked: Bool
  ) -> CellResult {
    var result = result
    if result.record.verdict == .interrupted, !wasAsked, interrupts.signal == nil {
      result.record.verdict = .invalid
      result.record.reasons.insert(
        "the cell's process was asked to stop from outside (SIGTERM); " + Self.remedy, at: 0)
    }
    if let verdict, verdict <= result.record.verdict {
      result.record.verdict = verdict
      if let reason { result.record.reasons.insert(reason, at: 0) }
    }
    return result
  }

  /// What the way the process ended says by itself; nil for an orderly end.
  private func account(
    _ status: Int32, _ watch: CellWatch, _ unwritten: [UnwrittenFile]
  ) -> (Verdict?, String?) {
    switch watch.ending {
    case .hung where LostCell(plan: plan, files: files).isWritingStack:
      return (.crashed, "the cell crashed; its stack was still being written when the watchdog ended it")
    case .hung(let phase, let hang)?: return (.hung, words(hang, phase: phase))
    case .overstayed?:
      return (
        .interrupted, "asked to stop, the cell did not end within \(ProgressText.seconds(Self.stopLimit))"
      )
    case nil: break
    }
    let signal = status & 0x7f
    guard signal == 0 else {
      if watch.wasAsked, signal == SIGTERM { return (.interrupted, "stopped before its load began") }
      let words = "the cell's process was ended by \(SignalName.of(signal))"
      // What was done to the process tells nothing of the pipeline.
      return SignalName.isOfCode(signal) ? (.crashed, words) : (.invalid, words + "; " + Self.remedy)
    }
    // Also of a cell that left a result: runs of its steps may have found no room for theirs.
    if !unwritten.isEmpty {
      let words = unwritten.map(\.description).joined(separator: "; ")
      return (.invalid, "\(words); \(WorkFailure.makeRoom)")
    }
    let code = (status >> 8) & 0xff
    if code == 0 { return (nil, nil) }
    return (.crashed, "the cell's process exited with \(code)")
  }

  private func words(_ hang: HangRecord, phase: String) -> String {
    var words = "no progress for \(ProgressText.seconds(hang.silent)) in phase `\(phase)`"
    if let percent = hang.cpuPercent, let watched = hang.watched {
      words += ", CPU \(percent) % of one core in the last \(ProgressText.seconds(watched))"
    }
    return words + "; the watchdog allows \(ProgressText.seconds(plan.scenario.watchdog)) and ended the cell"
  }

  private static func nanoseconds(_ time: timeval) -> Int64 {
    Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_usec) * 1_000
  }
}

/// The machine's monotonic clock, the one that progress stamps are in.
enum MonotonicTime {
  /// Now, in ns.
  static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

/// The processor time of another process.
enum ProcessorTime {
  /// What all its threads have used so far, in ns; nil where there is no such process, or it cannot be told.
  static func used(by process: pid_t) -> Int64? {
    var clock = clockid_t()
    var time = timespec()
    // The C library takes -1 for the caller.
    guard process > 0, clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else {
      return nil
    }
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
