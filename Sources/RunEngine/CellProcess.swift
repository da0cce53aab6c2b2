internal import Foundation
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
  /// - Returns: The exit code: 0 when a result was written, whatever its verdict; 1 when none could be.
  package static func run(files: CellFiles, workloads: [any Workload]) -> Int32 {
    CellSignals.install()
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
      FileHandle.standardError.write(Data("weir: cell: \(error)\n".utf8))
      return ExitCode.internalError.rawValue
    }
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
  func startProbe() -> Result<Void, ProbeAbsence> {
    Result { () throws(ProbeAbsence) in
      if ProcessInfo.processInfo.environment[Self.probeVariable] == "off" {
        // The driver reads the progress all the same.
        try Probe.open(file: files.probe)
        throw ProbeAbsence("the probe was switched off (\(Self.probeVariable)=off)")
      }
      try Probe.start(mode: plan.clock == .virtual ? .counting : .classifying, file: files.probe)
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
    try encoder.encode(CellResult(record: record, cost: cost))
      .write(to: URL(fileURLWithPath: files.result), options: .atomic)
  }
}
