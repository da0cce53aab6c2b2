internal import Foundation
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
      try maps.write(toFile: setting.files.maps, atomically: false, encoding: .utf8)
      try Probe.openTrace(file: setting.files.trace, events: events, isVirtual: isVirtual)
    } catch {
      FileHandle.standardError.write(Data("weir: cell: no trace: \(error)\n".utf8))
      return nil
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
