internal import Glibc
internal import RunEngine
internal import RunRecords
internal import RuntimeProbe

/// The figures of a recorded program, for its whole life or for the windows that were opened.
struct RecordedFigures {
  let recording: Recording?
  let ending: ProgramWatch.Ending
  /// What is to be known of the figures, one sentence each.
  private(set) var notes: [String] = []

  init(recording: Recording?, ending: ProgramWatch.Ending) {
    self.recording = recording
    self.ending = ending
  }

  /// What the program cost; children that it waited for included, as the system counts them.
  var cost: CellCost {
    func nanoseconds(_ time: timeval) -> Int64 {
      Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_usec) * 1_000
    }
    return CellCost(
      wall: ending.wall, cpuUser: nanoseconds(ending.usage.ru_utime),
      cpuSystem: nanoseconds(ending.usage.ru_stime),
      rssPeak: Int64(ending.usage.ru_maxrss) * 1024, jobs: 0)
  }

  /// Puts all figures into the record.
  mutating func add(to cell: inout CellRecord) {
    let cost = cost
    cell.length = cost.wall
    cell.window = cost.wall
    cell.metrics["wall"] = .integer(cost.wall)
    cell.metrics["cpu.user"] = .integer(cost.cpuUser)
    cell.metrics["cpu.system"] = .integer(cost.cpuSystem)
    cell.metrics["rss.peak"] = .integer(cost.rssPeak)
    guard let recording, let whole = recording.counts else {
      let reason = "nothing was counted in this program"
      for name in Self.counted { cell.absent[name] = reason }
      return
    }
    cell.coverage = whole.coverage == .wholeRuntime ? .wholeRuntime : .userCode
    let (counts, window) = windows(recording, whole) ?? (whole, nil)
    if let window { cell.window = window }
    let figures: [(String, UInt64)] =
      [
        ("hops", counts.hops), ("switches{outcome=same}", counts.switchesSame),
        ("switches{outcome=fast}", counts.switchesFast), ("switches{outcome=slow}", counts.switchesSlow),
        ("tasks.created", counts.tasksCreated), ("tasks.ended", counts.tasksEnded),
        ("tasks.alive.max", counts.tasksAliveMax), ("probe.lost", whole.eventsLost),
      ] + counts.actors.map { ("hops{actor=\($0.name)}", $0.hops) }
    for (name, value) in figures { cell.metrics[name] = .integer(Int64(clamping: value)) }
    cell.windowed = cell.metrics.filter { Self.counted.contains($0.key) || $0.key.hasPrefix("hops{") }
    addTimes(recording, window: window, to: &cell)
    if recording.state == .stopped {
      notes.append(
        "recording was stopped after \(ProgressText.seconds(recording.stoppedAt - recording.startedAt)); wall, CPU and memory are the whole program's"
      )
      if !recording.isFrozen {
        notes.append("the program had no memory to keep apart what ended after the stop: it is counted too")
      }
    }
    noteOpenHolds(recording)
  }

  /// At a program's own end its main function is in some hold; nothing is cut short by that.
  private mutating func noteOpenHolds(_ recording: Recording) {
    guard recording.openHolds > 0, recording.state == .stopped || !recording.snapshots.isEmpty else { return }
    let moment = recording.snapshots.isEmpty ? "the recording was stopped" : "a window ended"
    notes.append(
      recording.openHolds == 1
        ? "one hold had not ended when \(moment): it counts with what it had lasted"
        : "\(recording.openHolds) holds had not ended when \(moment): they count with what they had lasted")
  }

  /// Waits, holds, depths and routes of the actors; of the windows, where some were opened.
  private func addTimes(_ recording: Recording, window: Int64?, to cell: inout CellRecord) {
    let times: ActorTimesReport
    switch (recording.windowTimes, recording.times) {
    case (nil, let whole?): times = whole
    case (.success(let windows)?, _): times = windows
    case (.failure(let absence)?, _): return setTimesAbsent(absence.reason, in: &cell)
    case (nil, nil): return setTimesAbsent("nothing was measured", in: &cell)
    }
    if let window {
      RecordedActors(report: times, length: window, clockDrift: recording.clockDrift).add(to: &cell)
      return
    }
    let end = recording.stoppedAt != 0 ? recording.stoppedAt : recording.ledger?.time ?? 0
    let length = end > recording.startedAt ? end - recording.startedAt : ending.wall
    RecordedActors(report: times, length: length, clockDrift: recording.clockDrift).add(to: &cell)
  }

  private func setTimesAbsent(_ reason: String, in cell: inout CellRecord) {
    for name in ["actor.wait", "actor.hold", "actor.depth", "actor.busy", "actor.contended", "hops.from"] {
      cell.absent[name] = reason
    }
  }

  private static let counted = [
    "hops", "switches{outcome=same}", "switches{outcome=fast}", "switches{outcome=slow}", "tasks.created",
    "tasks.ended", "tasks.alive.max",
  ]

  /// The sum over all windows and their length; nil where none was opened. One left open ends with the recording.
  private mutating func windows(
    _ recording: Recording, _ whole: ProbeCounts
  ) -> (counts: ProbeCounts, length: Int64?)? {
    var marks = recording.snapshots
    guard !marks.isEmpty else { return nil }
    let isOpen = marks.count % 2 == 1
    if isOpen {
      let end =
        recording.stoppedAt != 0
        ? recording.stoppedAt : (recording.ledger?.time ?? marks[marks.count - 1].time)
      marks.append((max(end, marks[marks.count - 1].time), whole))
    }
    var sum: ProbeCounts?
    var length: Int64 = 0
    for start in stride(from: 0, to: marks.count, by: 2) {
      let change = marks[start + 1].counts.since(marks[start].counts)
      sum = sum.map { $0.adding(change) } ?? change
      length += marks[start + 1].time - marks[start].time
    }
    let count = marks.count / 2
    notes.append(
      "hops, switches, waits, holds and tasks made and ended are those of \(count == 1 ? "one window" : "\(count) windows") of \(ProgressText.seconds(length))"
        + (isOpen ? ", the last of them never closed" : "")
        + "; the most tasks alive at once, lost events, wall, CPU and memory are the whole recording's")
    return sum.map { ($0, length) }
  }
}
