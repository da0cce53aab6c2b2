internal import Dispatch
internal import Foundation
internal import RunRecords
internal import RuntimeProbe
internal import Scenarios
internal import Synchronization
internal import WorkloadInterface

/// A cell on the machine's clock: the stock executors, and plain threads for everything of Weir's own.
struct RealCell: Sendable {
  let plan: CellPlan
  let files: CellFiles
  let workload: any Workload

  /// Runs the cell on a thread of its own and serves the main actor on this one. Does not return.
  func run() -> Int32 {
    Thread.detachNewThread {
      do {
        try conduct()
        exit(ExitCode.passed.rawValue)
      } catch {
        exit(CellProcess.end(error))
      }
    }
    dispatchMain()
  }

  private func conduct() throws {
    let rawStart = Probe.rawMonotonic()
    let setting = CellSetting(plan: plan, files: files, workload: workload)
    let calibration = try setting.startProbe().flatMap { _ in
      Self.wait(for: { await Probe.calibrate() }).map(Result.success)
        ?? .failure(ProbeAbsence("calibration did not end within 10 s"))
    }
    let trace = CellTrace(setting, isVirtual: false, calibration)
    let run = try setting.makeRun()
    let poolWatch = PoolWatch()
    if case .success = calibration {
      try? Probe.watchHolds()
      poolWatch.start()
    }
    defer { poolWatch.stop() }
    trace?.start(run.clock)
    let start = WindowSnapshot.begin(run)
    var ending = try RealLoad(run: run).drive(from: start)
    Probe.unwatchHolds()
    if Self.wait(for: { await run.session.finish() }) == nil {
      ending.verdict = min(ending.verdict, .hung)
      ending.reasons.append(
        "the workload's own end did not come within 10 s: what it checks there is not known")
    }
    trace?.stop()
    var record = RecordAssembly(
      run: run, workload: workload.declaration, start: start, calibration: calibration,
      coverage: CellSetting.coverage(), poolWatch: poolWatch
    ).record(ending)
    Probe.stop()
    let cost = CellCosts.now(since: rawStart, jobs: 0)
    record.metrics["cpu.user"] = .integer(cost.cpuUser)
    record.metrics["cpu.system"] = .integer(cost.cpuSystem)
    record.metrics["rss.peak"] = .integer(cost.rssPeak)
    record.metrics["wall"] = .integer(cost.wall)
    try setting.write(record, cost: cost, log: run.log)
  }

  /// Runs an operation on the pool and waits for it on this plain thread; nil when the pool does not get to it
  /// within ten seconds.
  private static func wait<Value: Sendable>(for operation: @escaping @Sendable () async -> Value) -> Value? {
    let done = DispatchSemaphore(value: 0)
    let box = SharedResult<Value>()
    Task.detached {
      let value = await operation()
      box.set(value)
      done.signal()
    }
    guard done.wait(timeout: .now() + 10) == .success else { return nil }
    return box.get()
  }
}

/// A value that a task leaves for a thread.
private final class SharedResult<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)

  func set(_ new: Value) { value.withLock { $0 = new } }
  func get() -> Value? { value.withLock { $0 } }
}
