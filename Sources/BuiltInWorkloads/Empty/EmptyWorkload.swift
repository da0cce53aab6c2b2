internal import SeededDraws
public import WorkloadInterface

/// A pipeline that does nothing, or only waits: what is left of a run with it is what Weir itself costs.
public struct EmptyWorkload: Workload {
  /// Makes the workload.
  public init() {}

  /// What can be set.
  public var declaration: WorkloadDeclaration {
    WorkloadDeclaration(
      name: "empty",
      about: "An iteration that does nothing, or only waits: what Weir itself costs.",
      strategies: [StrategyDeclaration(name: "nothing", about: "The one way of doing nothing.")],
      providers: [],
      behaviour: [
        ParameterDeclaration(
          "hold", .distribution, about: "How long each iteration waits before it ends; not at all by default."
        )
      ])
  }

  /// Prepares one cell.
  public func makeSession(_ cell: CellContext) throws -> any WorkloadSession {
    EmptySession(
      hold: cell.behaviour.distribution("hold"), holds: DrawStream(seed: cell.seed, name: "hold"),
      clock: cell.recorder.clock)
  }
}

private struct EmptySession: WorkloadSession {
  let hold: Distribution?
  let holds: DrawStream
  let clock: CellClock

  func run(_ iteration: Iteration) async -> IterationOutcome {
    guard let hold else { return .completed }
    let end = iteration.actualStart + iteration.draws.nanoseconds(hold, holds)
    do {
      try await clock.sleep(until: end)
      return .completed
    } catch {
      return .cancelled
    }
  }
}
