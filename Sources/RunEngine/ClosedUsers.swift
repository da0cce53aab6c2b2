internal import LoadGeneration
internal import Scenarios
internal import Synchronization
internal import WorkloadInterface

/// The users of a closed load, each a task that runs one iteration after the other.
final class ClosedUsers: Sendable {
  private let run: CellRun
  private let plan: Mutex<ClosedLoadPlan>
  private let left: Atomic<Int>
  private let first: [UserStart]

  /// A user whose iterations take no time lets others in after so many: in virtual time nothing else would.
  private static let iterationsInARow = 1_000

  init(_ load: ClosedLoad, run: CellRun) throws {
    self.run = run
    var plan = try ClosedLoadPlan(load, seed: run.plan.scenario.seed)
    first = plan.begin()
    self.plan = Mutex(plan)
    left = Atomic(first.count)
  }

  /// Whether every user has left.
  var areDone: Bool { left.load(ordering: .acquiring) == 0 }

  /// Starts all users; each waits for its own beginning.
  func start() {
    for start in first { Task.detached { [self] in await live(start) } }
  }

  private func live(_ first: UserStart) async {
    defer { left.subtract(1, ordering: .releasing) }
    var next: UserStart? = first
    var inARow = 0
    while let start = next, !run.isStopping.load(ordering: .relaxed) {
      if start.time > run.clock.now() { try? await run.clock.sleep(until: start.time) }
      guard !run.isStopping.load(ordering: .relaxed) else { return }
      await run.runAsUser(index: start.iteration)
      let now = run.clock.now()
      inARow = now > start.time ? 0 : inARow + 1
      if inARow >= Self.iterationsInARow {
        inARow = 0
        await Task.yield()
      }
      next = plan.withLock { $0.finished(start.user, at: now) }
    }
  }
}
