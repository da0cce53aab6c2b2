internal import RunEngine
internal import RunRecords
internal import RuntimeProbe
internal import Scenarios
internal import WorkloadInterface

/// The record of a cell whose process left no result: built from the counters in its mapped file.
struct LostCell {
  /// The cell's plan.
  var plan: CellPlan
  /// The cell's files.
  var files: CellFiles

  /// Lines of the log that go into the reasons.
  private static let linesKept = 3
  /// Frames of a stack that go into the reasons.
  private static let framesKept = 4

  /// The record, with what was counted until the end.
  ///
  /// - Parameters:
  ///   - verdict: `crashed`, `hung` or `interrupted`.
  ///   - reason: The first reason.
  func record(_ verdict: Verdict, reason: String) -> CellRecord {
    var record = CellRecord(
      strategy: plan.strategy.name, variant: plan.variant, clock: plan.clock.rawValue,
      repetition: plan.repetition, users: plan.users, verdict: verdict)
    record.reasons = [reason]
    if let file = try? ProbeFile.read(files.probe) { add(file, to: &record) }
    record.reasons += lastWords
    return record
  }

  /// Whether the log ends in a stack that is being written: symbols of a large program take seconds.
  var isWritingStack: Bool { (try? FileSystem.read(files.log))?.contains(": Backtracing from 0x") ?? false }

  private func add(_ file: ProbeFile, to record: inout CellRecord) {
    let progress = file.progress
    record.length = progress.cellTime
    if !progress.phase.isEmpty {
      record.reasons.append("the last that it said of itself: \(Self.sentence(progress))")
    }
    let flow: [(String, UInt64)] = [
      ("arrivals.planned", progress.planned), ("arrivals.dropped", progress.dropped),
      ("arrivals.queued", progress.queued), ("iterations.started", progress.started),
      ("iterations.completed", progress.completed), ("iterations.failed", progress.failed),
      ("iterations.cancelled", progress.cancelled), ("iterations.running", progress.inFlight),
    ]
    if progress.lastProgress > 0 {
      for (name, value) in flow { record.metrics[name] = Self.count(value) }
    }
    let counts = file.counts
    guard counts.mode != nil else { return }
    record.coverage = counts.coverage == .wholeRuntime ? .wholeRuntime : .userCode
    record.metrics["hops"] = Self.count(counts.hops)
    for actor in counts.actors { record.metrics["hops{actor=\(actor.name)}"] = Self.count(actor.hops) }
    record.metrics["switches{outcome=same}"] = Self.count(counts.switchesSame)
    record.metrics["tasks.created"] = Self.count(counts.tasksCreated)
    record.metrics["tasks.ended"] = Self.count(counts.tasksEnded)
    record.metrics["tasks.alive.max"] = Self.count(counts.tasksAliveMax)
    record.metrics["probe.lost"] = Self.count(counts.eventsLost)
  }

  private static func count(_ value: UInt64) -> MetricValue { .integer(Int64(clamping: value)) }

  private static func sentence(_ progress: ProgressBlock) -> String {
    "\(progress.phase) at \(ProgressText.seconds(progress.cellTime)) of cell time, "
      + "\(progress.started) iterations started, \(progress.completed) completed, "
      + "\(progress.failed) failed, \(progress.inFlight) running"
  }

  /// What the log says of the end: the message of a failure and the topmost frames of its stack, or else the
  /// last lines. Addresses and directories are left out: a record of virtual time holds none.
  private var lastWords: [String] {
    guard let text = try? FileSystem.read(files.log) else { return [] }
    let lines = text.split(whereSeparator: \.isNewline).filter { line in line.contains { !$0.isWhitespace } }
    guard !lines.isEmpty else { return [] }
    let message = lines.first { $0.contains("Fatal error:") || $0.hasPrefix("weir: cell:") }.map(String.init)
    let frames = lines.compactMap(StackFrame.words).prefix(Self.framesKept).map { "in " + $0 }
    let name = files.log.split(separator: "/").suffix(2).joined(separator: "/")
    let found = [message].compactMap { $0 } + frames
    let words = found.isEmpty ? lines.suffix(Self.linesKept).map { String($0.prefix(200)) } : found
    return words + ["the whole log is in \(name)"]
  }
}

/// A line of a crash's stack, as the Swift runtime prints it.
enum StackFrame {
  /// `run(_:) in MyTool at Checkout.swift:18:48`; nil for other lines, for the system's frames and for code
  /// that the compiler made.
  static func words(_ line: Substring) -> String? {
    let parts = line.split(separator: " ")
    guard parts.count > 3, Int(parts[0]) != nil,
      let address = parts.firstIndex(where: { $0.hasPrefix("0x") }),
      !parts[..<address].contains("[system]"), !parts[..<address].contains("[thunk]"),
      let place = parts.lastIndex(of: "at")
    else { return nil }
    // `+ 334`, the offset within the function, goes with the address.
    let words = parts[(address + 1)..<place].filter { $0 != "+" && Int($0) == nil }
    let file = parts[(place + 1)...].joined(separator: " ").split(separator: "/").last ?? ""
    return words.joined(separator: " ") + " at " + file
  }
}
