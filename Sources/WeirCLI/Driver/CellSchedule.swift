internal import Scenarios
internal import WorkloadInterface

/// Which cells of a scenario run when. A value: told what ends, it says what may start.
///
/// Nothing that the machine does shows in a cell of the virtual clock, so a few of them run at a time, and before all
/// others. One of the real clock has the machine to itself, and so has the one that is traced.
struct CellSchedule {
  private var waiting: ArraySlice<CellPlan>
  private var lonely: ArraySlice<CellPlan>
  private let atOnce: Int
  private var running = 0
  private var isLonelyRunning = false

  /// The most cells that run at once where nobody says how many: each needs its own memory.
  private static let most = 8

  /// A schedule of all `plans`.
  ///
  /// - Parameters:
  ///   - atOnce: How many cells of the virtual clock run at once, from 1.
  ///   - traced: The number of the cell that is traced; nil where none is.
  init(_ plans: [CellPlan], atOnce: Int, traced: Int?) {
    func isLonely(_ plan: CellPlan) -> Bool { plan.clock == .real || plan.number == traced }
    waiting = plans.filter { !isLonely($0) }[...]
    lonely = plans.filter(isLonely)[...]
    self.atOnce = max(1, atOnce)
  }

  /// How many run at once on a machine with so many cores, where nobody says.
  static func atOnce(cores: Int) -> Int { max(1, min(cores, most)) }

  /// The next cell that may start now, which counts as running from here on; nil where none may.
  mutating func next() -> CellPlan? {
    guard running < atOnce, !isLonelyRunning else { return nil }
    if let plan = waiting.popFirst() {
      running += 1
      return plan
    }
    guard running == 0, let plan = lonely.popFirst() else { return nil }
    isLonelyRunning = true
    running = 1
    return plan
  }

  /// One of those that run has ended.
  mutating func ended() {
    running -= 1
    isLonelyRunning = false
  }
}
