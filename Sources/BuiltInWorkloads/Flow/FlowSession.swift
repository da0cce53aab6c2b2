internal import FlawedFlows
internal import Flowline
internal import ProviderScripts
internal import WorkloadInterface

/// The running side of `flow`.
final class FlowSession: WorkloadSession {
  let behaviour: FlowBehaviour
  let recorder: Recorder
  let figures: FlowFigures
  let prepare, execute: ScriptedProvider
  private let strategy: FlowStrategy
  private let flaw: FlowFlaw?
  private let streams: FlowStreams
  private let books = OpenBooks<FlowObservation>()
  private let endedFlows = EndedFlows()

  init(
    cell: CellContext, strategy: FlowStrategy, flaw: FlowFlaw?, behaviour: FlowBehaviour,
    prepare: ScriptedProvider, execute: ScriptedProvider
  ) {
    self.behaviour = behaviour
    self.strategy = strategy
    self.flaw = flaw
    self.prepare = prepare
    self.execute = execute
    recorder = cell.recorder
    figures = FlowFigures(cell.recorder)
    streams = FlowStreams(seed: cell.seed)
  }

  func run(_ iteration: Iteration) async -> IterationOutcome {
    let shape = FlowShape(
      behaviour.shape, count: behaviour.operations, limit: strategy.limit, stream: streams.shape,
      iteration: iteration.index)
    let observation = FlowObservation(iteration, shape: shape, figures: figures, recorder: recorder)
    books.open(observation, iteration: iteration.index)
    let owner = FlowOwner(behaviour, draws: iteration.draws, streams: streams)
    let run = FlowRun(
      owner: owner, iteration: iteration, session: self, shape: shape, observation: observation)
    let outcome = await run.outcome()
    // What a flow does after it was cancelled or given up is looked at until the cell is over.
    let isWatched = owner.cancelAfter != nil || Task.isCancelled || outcome == .failed(reason: "stuck")
    books.ended(iteration: iteration.index, keep: isWatched)
    // What was cancelled or given up may rightly be on its way out.
    if !isWatched { endedFlows.add(run, iteration: iteration.index) }
    return outcome
  }

  func finish() async {
    books.close()
    for finding in endedFlows.findings() { recorder.report(finding) }
  }

  /// A flow of the cell's strategy, with the cell's flaw in it.
  func makeFlow(
    _ operations: [FlowOperation<Int, Int>], _ handlers: FlowHandlers<Int, Int>
  ) throws -> any OrderedFlow<Int> {
    if let flaw {
      return try flaw.makeFlow(operations, handlers: handlers, limit: strategy.limit ?? 8)
    }
    return try strategy.makeFlow(FlowDefinition(operations), handlers: handlers)
  }
}

extension FlowStrategy {
  /// Preparations at once; nil for no limit.
  var limit: Int? {
    switch self {
    case .sequential: 1
    case .allAtOnce: nil
    case .ordered(let limit): limit
    }
  }
}
