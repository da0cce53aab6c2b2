internal import Measurement
internal import ProviderScripts
internal import SeededDraws
public import WorkloadInterface

/// One call with a time limit, built in the ways in which people build it.
///
/// A timeout has two figures: when it was decided, and when the caller got it. Where they differ, the limit is none.
public struct TimeoutWorkload: Workload {
  /// The workload has no state.
  public init() {}

  static let finding = "late-timeout"
  static let flaw = "cancel-before-entry-lost"
  static let defaultLimit: Int64 = 50_000_000

  /// What can be set.
  public var declaration: WorkloadDeclaration {
    WorkloadDeclaration(
      name: "timeout",
      about:
        "One provider call with a time limit, by a group that joins its children or by a task let go of.",
      strategies: [
        StrategyDeclaration(
          name: "joined", about: "A task group races the call against a sleep, and joins both."),
        StrategyDeclaration(
          name: "abandoned", about: "A task of its own makes the call; it is cancelled and not waited for."),
      ],
      providers: [
        ProviderDeclaration(
          name: "work", about: "What takes too long.",
          defaultScript: ProviderScript(latency: Defaults.constant(1_000_000_000)))
      ],
      behaviour: [
        ParameterDeclaration(
          "limit", .duration(atLeast: 1_000_000), default: .duration(Self.defaultLimit),
          about: "The longest that a call may take.")
      ],
      stages: ["work"],
      flaws: [
        FlawDeclaration(
          name: Self.flaw,
          about:
            "a call enters the list of what a cancel reaches in a task of its own, and a cancel before that is lost",
          finding: "orphaned-task", clocks: [.virtual])
      ],
      findings: [
        FindingDeclaration(
          name: Self.finding,
          about: "A call was given up in time, but its caller went on more than twice as late as the limit.",
          advice:
            "A task group joins its children before it returns: the child must heed cancellation, or belong to no group."
        )
      ],
      metrics: [
        MetricDeclaration(
          "timeouts", .counter, .count, .neutral, about: "Calls that were given up at their limit."),
        MetricDeclaration(
          "timeout.decided", .distribution, .nanoseconds, .lower, window: .measured,
          about: "Time from a call's start to the decision to give it up."),
        MetricDeclaration(
          "timeout.returned", .distribution, .nanoseconds, .lower, window: .measured,
          about: "Time from a call's start to the moment its caller went on, of calls that were given up."),
      ])
  }

  /// Prepares one cell.
  public func makeSession(_ cell: CellContext) throws -> any WorkloadSession {
    guard let work = ScriptedProvider("work", in: cell) else {
      throw WorkloadError("the work provider has no script", key: "providers.work")
    }
    if cell.flaw != nil, cell.strategy.kind != "abandoned" {
      throw WorkloadError("the flaw is one of the `abandoned` strategy", key: "variant")
    }
    return TimeoutSession(cell: cell, work: work)
  }
}
