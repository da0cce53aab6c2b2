internal import RuntimeProbe

/// What progress looks like in words.
enum ProgressText {
  /// Ns as seconds with one decimal: `12.3 s`.
  static func seconds(_ nanoseconds: Int64) -> String {
    let tenths = (max(0, nanoseconds) + 50_000_000) / 100_000_000
    return "\(tenths / 10).\(tenths % 10) s"
  }

  /// Where in its plan the running cell is.
  static func place(_ progress: ProgressBlock) -> String {
    let phase = progress.phase.isEmpty ? "starting" : progress.phase
    guard progress.plannedEnd > 0 else { return "\(phase) \(seconds(progress.cellTime))" }
    if isDraining(progress) {
      return "draining for \(seconds(progress.cellTime - progress.plannedEnd))"
    }
    let time = min(progress.cellTime, progress.plannedEnd)
    return "\(phase) \(seconds(time)) of \(seconds(progress.plannedEnd))"
  }

  /// Whether the planned load is over and only what was begun goes on.
  static func isDraining(_ progress: ProgressBlock) -> Bool {
    progress.phase == "load" && progress.plannedEnd > 0 && progress.cellTime >= progress.plannedEnd
  }

  /// What flows through it.
  ///
  /// - Parameters:
  ///   - rate: Iterations started per second of cell time lately; nil where it cannot be told.
  ///   - left: Wall time until the planned end, in ns; nil where it cannot be told.
  static func flow(_ progress: ProgressBlock, rate: Double?, left: Int64?) -> String {
    var parts = ["\(progress.planned) arrivals", "\(progress.inFlight) in flight"]
    if let rate { parts.append("\(Int(rate.rounded()))/s") }
    parts.append("\(progress.failed) failed")
    if progress.dropped > 0 { parts.append("\(progress.dropped) dropped") }
    if progress.queued > 0 { parts.append("\(progress.queued) queued") }
    if let left { parts.append("\(seconds(left)) left") }
    return parts.joined(separator: " · ")
  }

  /// Cuts a line to a terminal's width.
  static func cut(_ line: String, columns: Int) -> String {
    line.count < columns ? line : String(line.prefix(max(0, columns - 2))) + "…"
  }
}
