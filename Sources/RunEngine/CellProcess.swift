internal import Foundation
internal import Glibc
internal import RunRecords
internal import RuntimeProbe
internal import Scenarios
package import WorkloadInterface

/// The process of one cell, from its start to the result that it leaves for the driver.
package enum CellProcess {
  /// Runs the planned cell. First thing in a synchronous main; never inside a task.
  ///
  /// On the real clock it does not return: the main thread serves the main actor, and the process exits when
  /// the result is written.
  /// - Returns: The exit code: 0 when a result was written, whatever its verdict; that of `invalid` when a file could
  ///   not be written, of which the driver is told; 1 when there is none for another reason.
  package static func run(files: CellFiles, workloads: [any Workload]) -> Int32 {
    CellSignals.install()
    UnwrittenNotice.prepare()
    do {
      let plan = try JSONDecoder().decode(
        CellPlan.self, from: Data(contentsOf: URL(fileURLWithPath: files.plan)))
      guard let workload = workloads.first(where: { $0.declaration.name == plan.scenario.pipeline }) else {
        throw CellError("there is no pipeline `\(plan.scenario.pipeline)` in this program")
      }
      return switch plan.clock {
      case .virtual: try VirtualCell(plan: plan, files: files, workload: workload).run()
      case .real: RealCell(plan: plan, files: files, workload: workload).run()
      }
    } catch {
      return end(error)
    }
  }

  /// Writes into the cell's log. The disk that it lies on may be full: that ends nothing.
  static func log(_ words: String) { try? FileHandle.standardError.write(contentsOf: Data(words.utf8)) }

  /// Says why the process ends without a result.
  ///
  /// - Returns: Its exit code.
  static func end(_ error: any Error) -> Int32 {
    log("weir: cell: \(error)\n")
    guard let unwritten = error as? UnwrittenFile else { return ExitCode.internalError.rawValue }
    UnwrittenNotice.tell(unwritten)
    return ExitCode.invalid.rawValue
  }
}

/// Why a cell could not be run at all.
struct CellError: Error, CustomStringConvertible {
  let message: String
  init(_ message: String) { self.message = message }
  var description: String { message }
}

/// What both kinds of cell do before and after the load.
struct CellSetting {
  let plan: CellPlan
  let files: CellFiles
  let workload: any Workload

  /// The workload's session on a recorder whose time begins now.
  func makeRun() throws -> CellRun {
    let recorder = Recorder(clock: CellClock(), marks: plan.traceEvents == nil ? nil : CellTrace.mark)
    let scenario = plan.scenario
    let session = try workload.makeSession(
      CellContext(
        strategy: plan.strategy, flaw: plan.variant == "sound" ? nil : plan.variant, clock: plan.clock,
        seed: scenario.seed, providers: scenario.providers, behaviour: scenario.behaviour,
        sink: scenario.sink,
        recorder: recorder))
    return CellRun(
      plan: plan, recorder: recorder, session: session, log: scenario.keepsIterations ? IterationLog() : nil)
  }

  /// The variable that, set to `off`, runs cells without the probe: for measuring what the probe costs.
  static let probeVariable = "WEIR_PROBE"

  /// Starts the probe; what it cannot measure is absent, for the reason it gives.
  ///
  /// - Throws: `UnwrittenFile` where its file cannot be made: the driver would see no progress, and what the cell
  ///   counts would be lost with it.
  func startProbe() throws(UnwrittenFile) -> Result<Void, ProbeAbsence> {
    do throws(ProbeAbsence) {
      try Probe.open(file: files.probe)
    } catch {
      throw UnwrittenFile(files.probe, errorNumber: error.errorNumber ?? EIO)
    }
    return Result { () throws(ProbeAbsence) in
      if ProcessInfo.processInfo.environment[Self.probeVariable] == "off" {
        throw ProbeAbsence("the probe was switched off (\(Self.probeVariable)=off)")
      }
      try Probe.start(mode: plan.clock == .virtual ? .counting : .classifying)
    }
  }

  /// The coverage of counts.
  static func coverage() -> Coverage {
    switch Probe.coverage {
    case .success(.userCode): .userCode
    case .success(.wholeRuntime): .wholeRuntime
    case .failure: .absent
    }
  }

  /// Writes the result and, if kept, the iterations.
  func write(_ record: CellRecord, cost: CellCost, log: IterationLog?) throws {
    try log?.write(to: files.iterations)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    try CellOutput.write(encoder.encode(CellResult(record: record, cost: cost)), to: files.result)
  }
}
