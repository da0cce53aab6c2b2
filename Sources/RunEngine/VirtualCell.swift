internal import Glibc
internal import LoadGeneration
internal import Measurement
internal import RunRecords
internal import RuntimeProbe
internal import Scenarios
internal import SeededDraws
internal import VirtualTime
internal import WorkloadInterface

/// A cell under virtual time: one thread, executors of our own, time that jumps.
struct VirtualCell {
  let plan: CellPlan
  let files: CellFiles
  let workload: any Workload

  /// How often the books are looked at, in ns of virtual time.
  static let lookInterval: Int64 = 100_000_000

  func run() throws -> Int32 {
    let rawStart = Probe.rawMonotonic()
    let process = try VirtualProcess.install(
      seed: plan.scenario.seed, schedule: plan.scenario.schedule == .fifo ? .production : .everyHop)
    Probe.setMainExecutor(MainActor.sharedUnownedExecutor)
    let setting = CellSetting(plan: plan, files: files, workload: workload)
    let calibration = calibrate(try setting.startProbe(), on: process)
    let trace = CellTrace(setting, isVirtual: true, calibration)
    let run = try setting.makeRun()
    try prepareSweep(process)
    let load = try VirtualLoad(run: run, process: process)
    load.publishRegularly()
    trace?.start(run.clock)
    let start = WindowSnapshot.begin(run)
    var ending = load.drive(from: start)
    judgeThreads(process, &ending)
    finishSession(run, on: process, &ending)
    trace?.stop()
    let assembly = RecordAssembly(
      run: run, workload: workload.declaration, start: start, calibration: calibration,
      coverage: CellSetting.coverage())
    if load.isCopy { leaveResult(of: load, run, assembly.findingsOfWorkload(), ending) }
    var record = assembly.record(ending)
    Probe.stop()
    if let sweep = load.sweep { finish(sweep, &record) }
    try setting.write(record, cost: CellCosts.now(since: rawStart, jobs: process.jobsRun), log: run.log)
    return ExitCode.passed.rawValue
  }

  private func calibrate(
    _ started: Result<Void, ProbeAbsence>, on process: VirtualProcess
  ) -> Result<Calibration, ProbeAbsence> {
    started.flatMap {
      let result = Handover<Calibration>()
      _ = process.run { result.value = await Probe.calibrate() }
      return result.value.map(Result.success) ?? .failure(ProbeAbsence("calibration did not end"))
    }
  }

  /// A thread that the pipeline started may have resumed something without a trace.
  private func judgeThreads(_ process: VirtualProcess, _ ending: inout CellEnding) {
    guard process.threadsAdded > 0, ending.verdict == .passed else { return }
    ending.verdict = .invalid
    ending.reasons.append(
      "the pipeline started \(process.threadsAdded) threads: what they do comes in no fixed order, so the figures "
        + "need not repeat; use the real clock for it")
  }

  /// What the workload checks at its own end must be known before anything passes.
  private func finishSession(_ run: CellRun, on process: VirtualProcess, _ ending: inout CellEnding) {
    let unknown = "what the workload checks there is not known"
    switch process.run({ await run.session.finish() }) {
    case .finished: return
    case .stopped:
      ending.verdict = min(ending.verdict, .interrupted)
      ending.reasons.append("interrupted at the workload's own end: \(unknown)")
    case .deadlock:
      ending.verdict = min(ending.verdict, .hung)
      ending.reasons.append("deadlock at the workload's own end: \(unknown)")
    case .foreignEnqueue(let foreign):
      ending.invalidate(
        "a job was enqueued by thread `\(foreign.threadName)` at the workload's own end (caller: \(foreign.caller)): "
          + unknown)
    }
  }
}

// MARK: Cancels at scheduling steps

extension VirtualCell {
  /// Orders after the first are drawn from other seeds; copies of the process count for themselves.
  private func prepareSweep(_ process: VirtualProcess) throws {
    guard let cancel = plan.scenario.cancel else { return }
    if plan.repetition > 1 {
      process.reorder(seed: plan.scenario.seed &+ UInt64(plan.repetition - 1) &* 0x9E37_79B9_7F4A_7C15)
    }
    guard cancel.step == nil else { return }
    guard Probe.keepCountsPrivate() else { throw CellError("the probe's counters cannot be kept private") }
  }

  /// The end of a copy: a line of what it found, and no result of the cell.
  private func leaveResult(
    of load: VirtualLoad, _ run: CellRun, _ findings: [FindingRecord], _ ending: CellEnding
  ) -> Never {
    let counts = run.cancellable?.counts ?? (asked: 0, cancelled: 0)
    let result = StepResult(
      step: load.sweep?.cancelledAt ?? 0, verdict: ending.verdict, reasons: ending.reasons,
      findings: findings,
      outliving: OutlivingTasks(run.watch), stuck: load.stuck, asked: counts.asked,
      cancelled: counts.cancelled,
      lost: run.recorder.counterValues()["elements.lost"] ?? 0)
    do {
      try SweepReport.leave(result, in: files.steps)
      _exit(0)
    } catch {
      _exit(CellProcess.end(error))
    }
  }

  /// The end of the cell that has made the copies, or has cancelled at one step itself.
  private func finish(_ sweep: StepSweep, _ record: inout CellRecord) {
    guard let endings = sweep.finish() else {
      if let step = plan.scenario.cancel?.step, sweep.cancelledAt == nil, record.verdict == .passed {
        record.verdict = .invalid
        record.reasons.append("step \(step) was never reached: the run had \(sweep.stepsReached)")
      }
      return
    }
    forgiveScriptedHang(sweep, &record)
    if sweep.stepsLeftOut > 0 {
      record.verdict = min(record.verdict, .invalid)
      record.reasons.append(
        "a sweep is for small runs: \(sweep.stepsLeftOut) steps after the first \(StepCopies.limit) were left out"
      )
    }
    var report = SweepReport(
      plan: plan, workload: workload.declaration, endings: Array(endings),
      results: SweepReport.results(in: files.steps))
    report.add(to: &record)
  }

  /// A provider that never answers, as scripted, brings a run to a stand that nobody cancels. The sweep's last step
  /// is that stand: its cancel has to end it.
  private func forgiveScriptedHang(_ sweep: StepSweep, _ record: inout CellRecord) {
    let hangs = plan.scenario.providers.values.contains { $0.failures.contains { $0.kind == .hang } }
    guard hangs else { return }
    if record.verdict == .hung {
      record.verdict = .passed
      record.reasons = [
        "without a cancel it stands still after step \(sweep.stepsReached), as a scripted hang has it"
      ]
    }
    record.findings.removeAll { $0.name == "iteration-never-ended" }
  }
}

/// A value that a task leaves for the thread that runs it.
///
/// Sendable: task and reader take turns on the one thread of virtual time.
private final class Handover<Value>: @unchecked Sendable {
  var value: Value?
}
