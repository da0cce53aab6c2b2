internal import RunEngine
internal import RunRecords
internal import Scenarios

/// Runs the cells of one scenario, each in a process of its own, as many at once as its schedule says.
struct CellPool {
  private let count: Int
  private let interrupts: InterruptWatch
  private let display: ProgressDisplay
  private var schedule: CellSchedule
  private var running: [CellExecution] = []
  private var hasToldOfStop = false

  private static let pollMilliseconds = 100

  /// A pool for the cells of a schedule, of which there are `count`.
  init(_ schedule: CellSchedule, count: Int, interrupts: InterruptWatch, display: ProgressDisplay) {
    self.schedule = schedule
    self.count = count
    self.interrupts = interrupts
    self.display = display
  }

  /// Runs cells until none is left, or until `isStopping`: no other is started then, and those that run are asked to
  /// stop.
  ///
  /// - Parameters:
  ///   - start: Starts a cell; nil where it cannot be and the run shall stop.
  ///   - ended: Told what each came to, in the order in which they ended.
  /// - Throws: What `start` and `ended` throw; what runs is killed then.
  mutating func run(
    isStopping: () -> Bool, start: (CellPlan) throws(WorkFailure) -> CellExecution?,
    ended: (CellPlan, CellExecution.Outcome) throws(WorkFailure) -> Void
  ) throws(WorkFailure) {
    defer { for cell in running { cell.kill() } }
    while true {
      while !isStopping(), let plan = schedule.next() {
        guard let cell = try start(plan) else {
          schedule.ended()
          continue
        }
        display.begin(plan, of: count)
        running.append(cell)
      }
      guard !running.isEmpty else { return }
      if try !look(isStopping: isStopping(), ended) { interrupts.pause(milliseconds: Self.pollMilliseconds) }
    }
  }

  /// Looks at each once; whether one has ended.
  private mutating func look(
    isStopping: Bool, _ ended: (CellPlan, CellExecution.Outcome) throws(WorkFailure) -> Void
  ) throws(WorkFailure) -> Bool {
    if interrupts.signal != nil, !hasToldOfStop {
      hasToldOfStop = true
      display.stopping(running.count)
    }
    let before = running.count
    for cell in running {
      guard let outcome = cell.look(isStopWanted: isStopping, display) else { continue }
      running.removeAll { $0 === cell }
      schedule.ended()
      display.end(cell.plan.number, outcome.result.record, wall: outcome.result.cost.wall)
      try ended(cell.plan, outcome)
    }
    return running.count < before
  }
}
