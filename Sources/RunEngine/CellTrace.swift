internal import Foundation
internal import Glibc
internal import RuntimeProbe
internal import Scenarios
internal import WorkloadInterface

/// The trace of a cell that was asked for one. What it leaves is a timeline when the driver has read it.
struct CellTrace {
  /// Opens the trace's file; nil where no trace is asked for or none can be had, which the cell's log then says. After
  /// calibration, whose known work does not belong to it.
  init?(_ setting: CellSetting, isVirtual: Bool, _ calibration: Result<Calibration, ProbeAbsence>) {
    guard let events = setting.plan.traceEvents else { return nil }
    do {
      _ = try calibration.get()
      let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
      try CellOutput.write(maps.utf8, to: setting.files.maps)
      try Self.open(setting.files.trace, events: events, isVirtual: isVirtual)
    } catch {
      CellProcess.log("weir: cell: no trace: \(error)\n")
      // The cell goes on: its figures are whole without.
      if let unwritten = error as? UnwrittenFile { UnwrittenNotice.tell(unwritten) }
      return nil
    }
  }

  private static func open(_ file: String, events: Int, isVirtual: Bool) throws(UnwrittenFile) {
    do throws(ProbeAbsence) {
      try Probe.openTrace(file: file, events: events, isVirtual: isVirtual)
    } catch {
      throw UnwrittenFile(file, errorNumber: error.errorNumber ?? EIO)
    }
  }

  /// Begins to trace, in the cell's time.
  func start(_ clock: CellClock) { Probe.startTrace(cellStart: clock.origin) }

  /// Ends the trace.
  func stop() { Probe.stopTrace() }

  /// The mark of a name.
  static let mark: @Sendable (_ name: String) -> Mark = { name in
    guard let mark = Probe.traceMark(named: name) else { return Mark() }
    return Mark { Probe.traceInstant(mark, value: $0) }
  }
}
