internal import FlawedStories
internal import Measurement
internal import ProviderScripts
internal import SeededDraws
internal import StoryPipeline
internal import Synchronization
internal import WorkloadInterface

/// The running side of `story`.
final class StorySession: WorkloadSession {
  let roles: [String: String]?
  let rolesWithoutActor: Set<String>
  let behaviour: StoryBehaviour
  let components: StoryComponents
  private let flaw: StoryFlaw?
  let figures: StoryFigures
  let recorder: Recorder
  let sink: ScriptedSink
  let streams: UserStreams
  private let choices: SeededChoices
  private let fakes: StoryFakes
  private let paragraphs: Int
  private let books = OpenBooks<StoryObservation>()
  private let cancelled = Mutex<[StoryCallers]>([])

  init(
    cell: CellContext, components: StoryComponents, flaw: StoryFlaw?, behaviour: StoryBehaviour,
    providers: StoryFakes
  ) {
    self.components = components
    self.flaw = flaw
    self.behaviour = behaviour
    fakes = providers
    recorder = cell.recorder
    figures = StoryFigures(cell.recorder, exit: behaviour.exit)
    sink = ScriptedSink(in: cell)
    streams = UserStreams(seed: cell.seed)
    choices = SeededChoices(seed: cell.seed)
    paragraphs = cell.providers["prose"]?.tokens ?? behaviour.paragraphs
    roles = RegistryStrategies.roles(for: components.strategy, beside: StoryDeclarations.roles)
    rolesWithoutActor = RegistryStrategies.rolesWithoutActor(for: components.strategy)
  }

  func run(_ iteration: Iteration) async -> IterationOutcome {
    let observation = StoryObservation(
      iteration, strategy: components.strategy, figures: figures, recorder: recorder)
    books.open(observation, iteration: iteration.index)
    let user = ScriptedUser(behaviour, draws: iteration.draws, streams: streams)
    let outcome = await tell(iteration, user, observation)
    observation.ended()
    // What a stage does after it was stopped is looked at until the cell is over.
    let wasStopped = user.cancelAfter != nil || user.restartAfter != nil || outcome == .cancelled
    books.ended(iteration: iteration.index, keep: wasStopped)
    return outcome
  }

  func finish() async {
    books.close()
    for callers in cancelled.withLock({ $0 }) {
      figures.cameLate(calls: callers.late.calls, elements: callers.late.elements)
    }
  }

  /// The story was cancelled: what its providers do from now on is added up at the end of the cell.
  func keep(_ callers: StoryCallers) { cancelled.withLock { $0.append(callers) } }

  private func tell(
    _ iteration: Iteration, _ user: ScriptedUser, _ observation: StoryObservation
  ) async -> IterationOutcome {
    let callers = StoryCallers(fakes, iteration: iteration, paragraphs: paragraphs)
    let coordinator = StoryCoordinator(
      request: .scripted(archetypes: behaviour.archetypes),
      providers: flaw?.providers(in: callers.providers) ?? callers.providers,
      dependencies: StoryDependencies(
        identifiers: StoryIdentifiers(), choices: choices, observer: observation,
        plotPointCount: behaviour.plotPoints),
      components: components)
    observation.watch(coordinator.tasks)
    let consumer: any StoryConsumer
    if behaviour.hasView {
      consumer = await ViewConsumer(
        coordinator: coordinator, loop: components.viewLoop, observation: observation, sink: sink)
    } else {
      consumer = DirectConsumer(
        coordinator: coordinator, observation: observation, sink: sink, clock: recorder.clock,
        iteration: iteration, exit: behaviour.exit,
        reading: behaviour.reading.map { ($0, streams.reading) })
    }
    let run = StoryRun(
      user: user, iteration: iteration, session: self, observation: observation, coordinator: coordinator,
      consumer: consumer, callers: callers)
    return await run.outcome()
  }
}
