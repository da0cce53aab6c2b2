internal import FlawedFlows
internal import Flowline
internal import ProviderScripts
public import WorkloadInterface

/// A flow of steps by a scripted owner: prepared early as their prerequisites allow, executed in order.
///
/// Preparing and executing a step each ask a scripted provider, the step's place being part of the draw, so that
/// every strategy meets the same durations. The owner may pause, confirm, cancel, run again and give up.
public struct FlowWorkload: Workload {
  /// The workload has no state.
  public init() {}

  /// What can be set.
  public var declaration: WorkloadDeclaration {
    WorkloadDeclaration(
      name: "flow",
      about: "Steps with prerequisites are prepared concurrently and executed one at a time, in order.",
      strategies: [
        StrategyDeclaration(
          name: "ordered", about: "Early preparation within a limit, execution in order meanwhile.",
          parameters: [
            ParameterDeclaration(
              "limit", .integer(1...100_000), default: .integer(8), about: "Preparations at once.")
          ]),
        StrategyDeclaration(
          name: "all-at-once", about: "All preparations at once, then all executions."),
        StrategyDeclaration(name: "sequential", about: "One step after the other."),
      ],
      providers: [
        ProviderDeclaration(
          name: "prepare", about: "Prepares one step for each call.",
          defaultScript: ProviderScript(latency: Defaults.lognormal(median: 120_000_000, p99: 900_000_000))),
        ProviderDeclaration(
          name: "execute", about: "Executes one step for each call.",
          defaultScript: ProviderScript(latency: Defaults.constant(2_000_000))),
      ],
      behaviour: FlowBehaviour.declared,
      stages: ["flow"],
      flaws: FlowFlaw.allCases.map {
        FlawDeclaration(
          name: $0.rawValue, about: $0.about, finding: Self.finding(naming: $0),
          clocks: $0.needsThreads ? [.real] : ClockKind.allCases, report: $0.report)
      },
      findings: FlowOracles.declarations + [EndedFlows.keptAlive],
      metrics: FlowFigures.declared)
  }

  /// Prepares one cell.
  public func makeSession(_ cell: CellContext) throws -> any WorkloadSession {
    let behaviour = FlowBehaviour(cell.behaviour)
    let strategy: FlowStrategy =
      switch cell.strategy.kind {
      case "sequential": .sequential
      case "all-at-once": .allAtOnce
      case "ordered": .ordered(limit: cell.strategy.parameters.integer("limit") ?? 8)
      default: throw WorkloadError("no strategy is called `\(cell.strategy.kind)`", key: "strategies")
      }
    if cell.strategy.kind != "ordered", behaviour.pauses {
      throw WorkloadError(
        "only `ordered` can be paused; leave `pause`, `confirm` and `skip-and-pause` out for the others",
        key: "strategies.\(cell.strategy.kind)")
    }
    if cell.strategy.kind != "ordered", cell.flaw != nil {
      throw WorkloadError("the flaws are those of the `ordered` strategy", key: "variant")
    }
    let flaw = try cell.flaw.map { name in
      guard let flaw = FlowFlaw(rawValue: name) else {
        throw WorkloadError("no flaw of `flow` is called `\(name)`", key: "variant")
      }
      return flaw
    }
    func provider(_ name: String) throws -> ScriptedProvider {
      guard let provider = ScriptedProvider(name, in: cell) else {
        throw WorkloadError("the \(name) provider has no script", key: "providers.\(name)")
      }
      return provider
    }
    return FlowSession(
      cell: cell, strategy: strategy, flaw: flaw, behaviour: behaviour, prepare: try provider("prepare"),
      execute: try provider("execute"))
  }

  /// The finding that names a flaw.
  private static func finding(naming flaw: FlowFlaw) -> String {
    switch flaw {
    case .executionByCompletion: ExecutionOutOfOrder.declaration.name
    case .taskPerExecution: OverlappingExecutions.declaration.name
    case .dependentsWaitForExecution: DependentHeldBack.declaration.name
    case .prerequisitesByLuck: StartedBeforePrerequisite.declaration.name
    case .skipBlocksDependents: SkipNotSatisfied.declaration.name
    case .oneDependentWoken: DependentNeverStarted.declaration.name
    case .limitIgnored: TooManyPreparations.declaration.name
    case .sharedInputs: UndeclaredInput.declaration.name
    case .failureNotHeld: FailureOutOfTurn.declaration.name
    case .preparesInPause: StartedWhilePaused.declaration.name
    case .pauseDiscardsPreparations: PreparationRepeated.declaration.name
    case .earlyResumeLost: LostResume.declaration.name
    case .lockedExecution: PauseNeverReturned.declaration.name
    case .deafPause: CancelNeverAnswered.declaration.name
    case .detachedRun: WorkAfterCancel.declaration.name
    case .deafPreparations: CancelUnheard.declaration.name
    case .locksCrossed: "hung"
    case .outcomeLost: OutcomeLost.declaration.name
    case .emptyFlowWaits: FlowNeverEnded.declaration.name
    case .runsAgain: RanTwice.declaration.name
    case .definitionUnchecked: MalformedAccepted.declaration.name
    case .keptByItself: EndedFlows.keptAlive.name
    }
  }
}
