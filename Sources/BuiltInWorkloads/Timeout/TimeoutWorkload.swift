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
  static let neverWoken = FindingDeclaration(
    name: "sleeper-never-woken",
    about: "A clock was moved by hand before its sleeper had come to it, and the sleeper slept on.",
    advice: "Wait until the sleepers are there before the clock is moved: yielding does not make them come.")
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
        StrategyDeclaration(
          name: "by-hand",
          about: "As abandoned, by a clock that is moved by hand, and moved past the limit at once."),
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
      flaws: TimeoutFlaw.allCases.map {
        FlawDeclaration(
          name: $0.rawValue, about: $0.about, finding: $0.finding, clocks: $0.clocks, report: $0.report)
      },
      findings: [
        FindingDeclaration(
          name: Self.finding,
          about: "A call was given up in time, but its caller went on more than twice as late as the limit.",
          advice:
            "A task group joins its children before it returns: the child must heed cancellation, or belong to no group."
        ), Self.neverWoken, TimerList.keptToDeadline, TimerList.neverRemoved,
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
        MetricDeclaration(
          "timers.kept", .gauge, .count, .lower,
          about: "The most entries at once that time limits had in their list, by the `abandoned` strategy."),
      ])
  }

  /// Prepares one cell.
  public func makeSession(_ cell: CellContext) throws -> any WorkloadSession {
    guard let work = ScriptedProvider("work", in: cell) else {
      throw WorkloadError("the work provider has no script", key: "providers.work")
    }
    guard let strategy = TimeoutStrategy(rawValue: cell.strategy.kind) else {
      throw WorkloadError("no strategy is called `\(cell.strategy.kind)`", key: "strategies")
    }
    guard let name = cell.flaw else {
      return TimeoutSession(cell: cell, work: work, strategy: strategy, flaw: nil)
    }
    guard let flaw = TimeoutFlaw(rawValue: name) else {
      throw WorkloadError("no flaw of `timeout` is called `\(name)`", key: "variant")
    }
    guard flaw.strategy == strategy else {
      throw WorkloadError("the flaw is one of the `\(flaw.strategy.rawValue)` strategy", key: "variant")
    }
    return TimeoutSession(cell: cell, work: work, strategy: strategy, flaw: flaw)
  }
}
