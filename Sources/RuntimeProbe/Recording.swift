internal import CRuntimeProbe
internal import Glibc

/// What a recorded program left: its probe's control file, counters and images. Readable while it runs and after its
/// end, SIGKILL included.
package struct Recording: Sendable {
  /// What became of the probe in the program.
  package enum State: Sendable, Hashable {
    /// There is no concurrency runtime in the program.
    case absent(reason: String)
    /// There is one that the probe does not know, or the probe could not work.
    case refused(reason: String)
    case counting
    /// It was asked to stop.
    case stopped
  }

  /// How the program came to its end, as far as the probe in it was told.
  package enum Ending: Sendable, Hashable {
    /// It was not told: the process was killed or crashed, or it is still running.
    case unseen
    case exit
    case signal
  }

  /// Tasks that the ledger held at one moment.
  package struct LedgerLook: Sendable {
    /// CLOCK_MONOTONIC, ns.
    package var time: Int64
    package var total: Int
    /// The first `CRP_TASK_CAPACITY` of them.
    package var tasks: [LiveTask]
  }

  package var state: State
  package var ending: Ending
  /// CLOCK_MONOTONIC, ns; 0: never.
  package var startedAt: Int64
  package var stoppedAt: Int64
  /// Whether SIGUSR1 to the program opens and closes windows.
  package var takesSignal: Bool
  package var forks: Int
  /// What the program turned itself into.
  package var executed: String?
  /// The number of the task that called `exit`.
  package var endingTask: UInt64
  /// Counts now, or at the end; `nil` where nothing was counted.
  package var counts: ProbeCounts?
  /// Whether nothing that ended after the stop is in the counts.
  package var isFrozen: Bool
  /// How many holds had not ended then, or when a window closed.
  package var openHolds: Int
  /// Waits and holds until then, without instances; a hold that had not ended counts with what it had lasted.
  package var times: ActorTimesReport?
  /// How far the clock of `times` strayed, as a share.
  package var clockDrift: Double
  /// Waits and holds of the windows, one that was left open included; `nil` where none was opened, or why they are
  /// not told.
  package var windowTimes: Result<ActorTimesReport, ProbeAbsence>?
  /// Counts when a window was opened or closed, in order.
  package var snapshots: [(time: Int64, counts: ProbeCounts)]
  package var ledger: LedgerLook?
  /// The program's images at its start.
  package var maps: String

  /// The files of the `number`th program that the process behind `prefix` was.
  package struct Files: Sendable {
    package let control: String
    package let counters: String
    package let maps: String
    package let trace: String

    package init(prefix: String, number: Int) {
      let stem = "\(prefix).\(number)."
      control = stem + "control"
      counters = stem + "probe"
      maps = stem + "maps"
      trace = stem + "trace"
    }

    /// What stands behind the number in the names of these files.
    package static let endings: Set<String> = ["control", "probe", "maps", "trace"]
  }

  /// Behind the prefix: the file with the number of events of a trace that is asked for.
  package static let traceRequest = CRP_TRACE_REQUEST

  /// The names of variables in the environment of a program to be recorded.
  package enum Variable {
    package static let prefix = CRP_VARIABLE_PREFIX
    package static let parent = CRP_VARIABLE_PARENT
    package static let number = CRP_VARIABLE_NUMBER
    package static let preload = CRP_VARIABLE_PRELOAD
  }

  /// Reads what is there; `nil` while the program has not come so far, or takes no part.
  package static func read(_ files: Files) -> Recording? {
    guard let control = ControlFile(files.control) else { return nil }
    return Recording(control: control, files: files)
  }

  private init(control: ControlFile, files: Files) {
    let head = control.head
    let reason = withUnsafeBytes(of: head.reason, Self.text)
    state =
      switch crp_recording_state(rawValue: head.state) {
      case CRP_RECORDING_COUNTING: .counting
      case CRP_RECORDING_STOPPED: .stopped
      case CRP_RECORDING_REFUSED: .refused(reason: reason)
      default: .absent(reason: reason)
      }
    ending = head.has_ended == 1 ? .exit : head.has_ended == 2 ? .signal : .unseen
    startedAt = head.started_at
    stoppedAt = head.stopped_at
    takesSignal = head.takes_signal != 0
    forks = Int(head.forks)
    let path = withUnsafeBytes(of: head.executed, Self.text)
    executed = path.isEmpty ? nil : path
    endingTask = head.ending_task
    clockDrift = head.clock_drift
    let (looked, open) = control.openHolds
    openHolds = head.snapshot_count == 0 ? open.count : Int(head.window_hold_count)
    isFrozen = head.is_frozen != 0
    let file = try? ProbeFile.read(files.counters, open: open)
    counts = file?.counts.mode == nil ? nil : file?.counts
    times = counts == nil ? nil : file?.times
    let count = min(Int(head.snapshot_count), Int(CRP_SNAPSHOT_CAPACITY))
    snapshots = (0..<count).compactMap { control.snapshot($0, counters: files.counters) }
    ledger = control.ledger
    windowTimes = nil
    if let opened = snapshots.last?.time {
      // Of a window that was left open, no more of an open hold than lies in it.
      let length = UInt64(clamping: looked - opened)
      let rest = open.map { $0.within(length) }.filter { $0.lasted > 0 }
      let whole = times == nil ? nil : try? ProbeFile.read(files.counters, open: rest)
      if count % 2 == 1 { openHolds += rest.count }
      windowTimes = Self.windowTimes(control, whole: whole?.times)
    }
    maps = (try? ProbeFile.contents(files.maps, limit: nil)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  private static func windowTimes(
    _ control: ControlFile, whole: ActorTimesReport?
  ) -> Result<ActorTimesReport, ProbeAbsence> {
    control.windowTimes.flatMap { closed, opened in
      let rest = opened.flatMap { opened in whole.map { $0.since(opened) } }
      guard let first = closed ?? rest else {
        return .failure(ProbeAbsence("what was kept of the windows cannot be read"))
      }
      return .success(closed == nil ? first : rest.map(first.adding) ?? first)
    }
  }

  private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Whether a program's open file gives it rights that its user has not (setuid, setgid, capabilities).
  package static func givesRights(_ file: Int32) -> Bool { crp_file_gives_rights(file) }

  // MARK: Commands

  /// What the probe can be asked while the program runs.
  package enum Command: Sendable {
    /// Keep the counts: a window opens or closes.
    case snapshot
    /// Look at the ledger and count no further.
    case stop
  }

  /// Asks the probe in the program and waits, a quarter of a second at most. False where nothing is counting.
  package static func ask(_ command: Command, _ files: Files) -> Bool {
    guard let control = ControlFile(files.control, isWritable: true) else { return false }
    return control.ask(command == .snapshot ? CRP_COMMAND_SNAPSHOT : CRP_COMMAND_STOP)
  }
}
