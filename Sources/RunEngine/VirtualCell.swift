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
    let calibration = calibrate(setting.startProbe(), on: process)
    let trace = CellTrace(setting, isVirtual: true, calibration)
    let run = try setting.makeRun()
    let load = try VirtualLoad(run: run, process: process)
    load.publishRegularly()
    trace?.start(run.clock)
    let start = WindowSnapshot.begin(run)
    var ending = load.drive(from: start)
    judgeThreads(process, &ending)
    finishSession(run, on: process, &ending)
    trace?.stop()
    let record = RecordAssembly(
      run: run, workload: workload.declaration, start: start, calibration: calibration,
      coverage: CellSetting.coverage()
    ).record(ending)
    Probe.stop()
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

/// A value that a task leaves for the thread that runs it.
///
/// Sendable: task and reader take turns on the one thread of virtual time.
private final class Handover<Value>: @unchecked Sendable {
  var value: Value?
}
