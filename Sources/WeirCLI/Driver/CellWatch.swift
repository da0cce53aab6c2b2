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
    case hung(phase: String, silent: Int64)
    /// Asked to stop, it did not end in time.
    case overstayed
  }

  private let watchdog: Int64
  private let stopLimit: Int64
  private var lastProgress: Int64
  private var phase = "start"
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

  /// Time has passed; the cell still runs.
  mutating func tick(now: Int64, stopWanted: Bool) -> Action {
    guard ending == nil else { return .none }
    if now - lastProgress > watchdog {
      ending = .hung(phase: phase, silent: now - lastProgress)
      return .kill
    }
    if let asked {
      guard now - asked > stopLimit else { return .none }
      ending = .overstayed
      return .kill
    }
    guard stopWanted else { return .none }
    asked = now
    return .askToStop
  }
}
