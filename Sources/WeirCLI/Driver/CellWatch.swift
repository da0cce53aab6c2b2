internal import RunRecords
internal import RuntimeProbe

/// Decides when a cell's process has to be stopped. A value: the driver tells it what it sees, it answers what
/// to do. All times in ns of the machine's monotonic clock.
struct CellWatch {
  /// What the driver shall do.
  enum Action: Equatable {
    /// Go on.
    case none
    /// Ask the cell to stop offering, to drain and to write its result (SIGTERM).
    case askToStop
    /// End it (SIGKILL).
    case kill
  }

  /// How a cell that did not end by itself was ended.
  enum Ending: Equatable {
    /// Without progress for longer than the watchdog allows, in this phase.
    case hung(phase: String, HangRecord)
    /// Asked to stop, it did not end in time.
    case overstayed
  }

  private let watchdog: Int64
  private let stopLimit: Int64
  private var lastProgress: Int64
  private var phase = "start"
  /// The first tick after the last progress, and the processor time of the process then.
  private var silence: (progress: Int64, time: Int64, cpu: Int64)?
  private var asked: Int64?

  /// Why the cell was ended; nil while it was not.
  private(set) var ending: Ending?

  /// Whether the cell was asked to stop.
  var wasAsked: Bool { asked != nil }

  /// Begins with the start of the process.
  ///
  /// - Parameters:
  ///   - watchdog: The longest time without progress.
  ///   - stopLimit: The time from the wish to stop to the end of all patience.
  init(start: Int64, watchdog: Int64, stopLimit: Int64) {
    self.watchdog = watchdog
    self.stopLimit = stopLimit
    lastProgress = start
  }

  /// The cell's file was looked at.
  mutating func saw(_ progress: ProgressBlock) {
    guard !progress.isTorn else { return }
    lastProgress = max(lastProgress, progress.lastProgress)
    if !progress.phase.isEmpty { phase = progress.phase }
  }

  /// Time has passed; the cell still runs, and its process has used `cpu` so far (nil where that is not known).
  mutating func tick(now: Int64, stopWanted: Bool, cpu: Int64? = nil) -> Action {
    guard ending == nil else { return .none }
    if now - lastProgress > watchdog {
      ending = .hung(phase: phase, hang(now: now, cpu: cpu))
      return .kill
    }
    if let cpu, silence?.progress != lastProgress { silence = (lastProgress, now, cpu) }
    if let asked {
      guard now - asked > stopLimit else { return .none }
      ending = .overstayed
      return .kill
    }
    guard stopWanted else { return .none }
    asked = now
    return .askToStop
  }

  private func hang(now: Int64, cpu: Int64?) -> HangRecord {
    var hang = HangRecord(silent: now - lastProgress)
    guard let cpu, let silence, silence.progress == lastProgress, now > silence.time else { return hang }
    hang.watched = now - silence.time
    hang.cpuPercent = Int64((Double(cpu - silence.cpu) / Double(now - silence.time) * 100).rounded())
    return hang
  }
}
