package import RunRecords
package import RuntimeProbe

/// Waits, holds, depths and routes of a program that was recorded from outside: the figures of a cell, without those
/// that only the process itself can tell.
package struct RecordedActors {
  private let window: ActorWindow

  /// - Parameters:
  ///   - length: How long was recorded, in ns.
  ///   - clockDrift: How far the clock of the times strayed, as a share.
  package init(report: ActorTimesReport, length: Int64, clockDrift: Double) {
    window = ActorWindow(report: report, length: length, clockDrift: clockDrift)
  }

  /// Puts the figures, their distributions, and why others are absent, into the record.
  package func add(to record: inout CellRecord) {
    var figures = CellFigures()
    figures.set(window, calibration: .byLayout)
    for name in figures.metrics.keys where name.hasPrefix("actor.busiest") {
      figures.metrics[name] = nil
      figures.absent[name] = "single actors are not told from outside the program"
    }
    record.metrics.merge(figures.metrics) { $1 }
    record.absent.merge(figures.absent) { $1 }
    record.histograms.merge(figures.histograms) { $1 }
  }
}
