internal import Glibc
internal import RunRecords
internal import RuntimeProbe
internal import Scenarios
internal import WorkloadInterface

/// Tells people on the standard error how far a run has got: two lines redrawn in place on a terminal, plain
/// lines elsewhere (one for each cell's end, and every few seconds while one runs).
final class ProgressDisplay {
  private let isQuiet: Bool
  private let tellsPasses: Bool
  private let isTerminal: Bool
  private let usesColour: Bool
  /// The running cells, by number.
  private var cells: [Int: Shown] = [:]
  /// Columns of each line that stands on the terminal.
  private var drawn: [Int] = []
  private var lastPlain: Int64 = 0

  /// A running cell.
  fileprivate struct Shown {
    let title: String
    /// Two former looks, a second or more apart from each other: paces are taken from the older one.
    var earlier: (progress: ProgressBlock, now: Int64)?
    var recent: (progress: ProgressBlock, now: Int64)?
  }

  private static let plainInterval: Int64 = 5_000_000_000

  /// Decides once how to speak; cells that passed need no line where their scenario has one.
  init(isQuiet: Bool, colour: String?, tellsPasses: Bool = true) {
    self.isQuiet = isQuiet
    self.tellsPasses = tellsPasses
    isTerminal = StandardStreams.isTerminal(STDERR_FILENO)
    usesColour = Colour.isUsed(colour, on: STDERR_FILENO)
  }

  /// A cell begins.
  func begin(_ plan: CellPlan, of count: Int) {
    var parts = ["\(plan.scenario.name): run \(plan.number) of \(count)", plan.strategy.name]
    if plan.variant != "sound" { parts.append(plan.variant) }
    parts.append(plan.clock.rawValue)
    if let users = plan.users { parts.append(CellRecord.text(users: users)) }
    if plan.scenario.repetitions > 1 { parts.append("#\(plan.repetition)") }
    let title = parts.joined(separator: " · ")
    if cells.isEmpty {
      lastPlain = MonotonicTime.now()
      if isTerminal { draw([title, "starting"]) }
    }
    cells[plan.number] = Shown(title: title)
  }

  /// A running cell was looked at. Of several the first is shown.
  func cell(_ number: Int, _ progress: ProgressBlock, now: Int64) {
    guard !isQuiet, !progress.isTorn, let cell = cells[number], number == cells.keys.min() else { return }
    guard isTerminal || now - lastPlain >= Self.plainInterval else { return }
    lastPlain = now
    let place = ProgressText.place(progress)
    let isDraining = ProgressText.isDraining(progress)
    let flow = ProgressText.flow(
      progress, rate: isDraining ? nil : cell.rate(progress),
      left: isDraining ? nil : cell.timeLeft(progress, now))
    cells[number]?.remember(progress, now)
    let others = cells.count > 1 ? " · and \(cells.count - 1) more" : ""
    if isTerminal {
      draw(["\(cell.title) · \(place)\(others)", flow])
    } else {
      StandardStreams.error("\(cell.title): \(place)\(others) · \(flow)\n")
    }
  }

  /// So many cells were asked to stop.
  func stopping(_ count: Int) {
    let words = count == 1 ? ("cell", "it") : ("cells", "they")
    note(
      "stopping: the running \(words.0) may finish what \(words.1) began; a second signal ends all at once")
  }

  /// A cell has ended.
  func end(_ number: Int, _ record: CellRecord, wall: Int64) {
    let title = cells.removeValue(forKey: number)?.title ?? ""
    guard !isQuiet else { return }
    clear()
    guard tellsPasses || record.verdict != .passed else { return }
    let first = record.verdict == .passed ? "" : record.reasons.first.map { ": \($0)" } ?? ""
    // Gates and expectations are judged when all cells have ended.
    let word = record.verdict == .passed ? "ended" : paint(record.verdict)
    StandardStreams.error("\(title): \(word) in \(ProgressText.seconds(wall))\(first)\n")
  }

  /// A sentence beside the progress.
  func note(_ text: String) {
    guard !isQuiet else { return }
    clear()
    StandardStreams.error("weir: \(text)\n")
  }

  /// Something that people should know, quiet or not.
  func warn(_ text: String) {
    clear()
    StandardStreams.error("weir: warning: \(text)\n")
  }

  private func paint(_ verdict: Verdict) -> String {
    guard usesColour else { return verdict.rawValue }
    let code =
      switch verdict {
      case .passed: "32"
      case .inconclusive, .noBaseline, .interrupted: "33"
      default: "31"
      }
    return "\u{1B}[\(code)m\(verdict.rawValue)\u{1B}[0m"
  }

  private func draw(_ lines: [String]) {
    guard !isQuiet else { return }
    let columns = StandardStreams.columns(STDERR_FILENO)
    let cut = lines.map { ProgressText.cut($0, columns: columns) }
    StandardStreams.error(erasure(columns) + cut.map { $0 + "\n" }.joined())
    drawn = cut.map(\.count)
  }

  private func clear() {
    guard !drawn.isEmpty else { return }
    StandardStreams.error(erasure(StandardStreams.columns(STDERR_FILENO)))
    drawn = []
  }

  /// Goes back to the first line drawn and erases from there. A terminal that became narrower has wrapped them.
  private func erasure(_ columns: Int) -> String {
    let rows = drawn.reduce(0) { $0 + max(1, ($1 + columns - 1) / max(1, columns)) }
    return rows > 0 ? "\u{1B}[\(rows)A\r\u{1B}[J" : ""
  }
}

extension ProgressDisplay.Shown {
  /// Keeps a look.
  mutating func remember(_ progress: ProgressBlock, _ now: Int64) {
    guard let recent else {
      (earlier, self.recent) = ((progress, now), (progress, now))
      return
    }
    if now - recent.now > 1_000_000_000 { (earlier, self.recent) = (recent, (progress, now)) }
  }

  /// Iterations started per second of cell time.
  func rate(_ progress: ProgressBlock) -> Double? {
    guard let earlier, progress.started >= earlier.progress.started else { return nil }
    let time = progress.cellTime - earlier.progress.cellTime
    return time > 0 ? Double(progress.started - earlier.progress.started) / Double(time) * 1e9 : nil
  }

  /// The rest of the planned time at the pace that cell time had lately.
  func timeLeft(_ progress: ProgressBlock, _ now: Int64) -> Int64? {
    guard let earlier, progress.plannedEnd > 0 else { return nil }
    let pace = Double(progress.cellTime - earlier.progress.cellTime) / Double(max(1, now - earlier.now))
    guard pace > 0 else { return nil }
    let left = Double(max(0, progress.plannedEnd - progress.cellTime)) / pace
    return left < 1e15 ? Int64(left) : nil
  }
}
