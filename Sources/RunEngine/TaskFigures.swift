internal import Measurement
internal import RunRecords
internal import RuntimeProbe

extension CellFigures {
  /// What outlived its iteration, and for how long.
  mutating func set(_ watch: OrphanWatch) {
    set("tasks.orphaned", Int64(watch.orphans.count))
    set("tasks.settled", watch.settled)
    set("tasks.settle-time", watch.settleTimes)
    set("tasks.alive", watch.alive)
    set("tasks.retained", Int64(watch.retained.count))
  }

  /// From cancels to the ends of the cancelled tasks, where this linking sees cancels.
  mutating func set(cancelDelays: LatencyHistogram, lost: Int64, _ calibration: Calibration) {
    if case .absent(let reason) = calibration.cancels {
      absent["cancel.delay"] = reason
    } else if lost > 0 {
      absent["cancel.delay"] = "the probe had no room for the ends of \(lost) tasks"
    } else {
      set("cancel.delay", cancelDelays)
    }
  }
}
