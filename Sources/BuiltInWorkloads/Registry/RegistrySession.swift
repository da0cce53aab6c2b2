internal import ProviderScripts
internal import StoryPipeline
internal import WorkloadInterface

/// The running side of `registry`.
final class RegistrySession: WorkloadSession {
  let roles: [String: String]?
  let rolesWithoutActor: Set<String>

  private let strategy: RegistryStrategy
  private let behaviour: RegistryBehaviour
  private let clock: CellClock
  private let figures: ElementFigures
  private let stage: MeasuredDistribution
  private let readers: RegistryReaders
  private let names: ScriptedProvider
  private let sink: ScriptedSink
  private let books = OpenBooks<RegistryObservation>()

  init(
    cell: CellContext, strategy: RegistryStrategy, behaviour: RegistryBehaviour, names: ScriptedProvider
  ) {
    self.strategy = strategy
    self.behaviour = behaviour
    clock = cell.recorder.clock
    figures = ElementFigures(cell.recorder)
    stage = cell.recorder.distribution("latency.stage{stage=names}")
    readers = RegistryReaders(behaviour, seed: cell.seed, recorder: cell.recorder)
    self.names = names
    sink = ScriptedSink(in: cell)
    roles = RegistryStrategies.roles(for: strategy)
    rolesWithoutActor = RegistryStrategies.rolesWithoutActor(for: strategy)
  }

  func run(_ iteration: Iteration) async -> IterationOutcome {
    let observation = RegistryObservation(iteration, clock: clock, figures: figures)
    books.open(observation, iteration: iteration.index)
    defer { books.ended(iteration: iteration.index) }
    let registry = strategy.makeRegistry()
    guard behaviour.readers > 0 else {
      return await work(into: registry, observation, iteration)
    }
    return await withTaskGroup(of: Void.self) { group in
      for reader in 0..<behaviour.readers {
        group.addTask { [readers] in
          await readers.read(registry, observation, reader: reader, iteration: iteration)
        }
      }
      let outcome = await work(into: registry, observation, iteration)
      group.cancelAll()
      return outcome
    }
  }

  func finish() async { books.close() }

  private func work(
    into registry: any CandidateRegistry, _ observation: RegistryObservation, _ iteration: Iteration
  ) async -> IterationOutcome {
    var failed = 0
    if behaviour.workers == 1 {
      failed = await drain(0, into: registry, observation, iteration)
    } else {
      failed = await withTaskGroup(of: Int.self) { group in
        for worker in 0..<behaviour.workers {
          group.addTask { await self.drain(worker, into: registry, observation, iteration) }
        }
        return await group.reduce(0, +)
      }
    }
    if Task.isCancelled { return .cancelled }
    return failed == 0 ? .completed : .failed(reason: "empty-slots")
  }

  /// One worker; returns how many slots stayed empty.
  private func drain(
    _ worker: Int, into registry: any CandidateRegistry, _ observation: RegistryObservation,
    _ iteration: Iteration
  ) async -> Int {
    let began = clock.now()
    let place = StageSlotPlace(first: worker * behaviour.elements)
    let source = NameSource(
      request: .scripted,
      provider: ScriptedNames(caller: names.caller(for: iteration), firstSlot: place.first),
      identifiers: place, choices: RotatingChoices(), observer: observation)
    let intake = strategy.makeIntake(
      IntakeContext(
        registry: registry, observer: observation,
        show: { [sink] candidate in
          observation.shown(candidate)
          sink.update(shown: candidate.slot + 1)
        }))
    var filled = 0
    var ending = StageEnding.finished
    do {
      try await strategy.makeDriver(for: registry).drive(source, slots: .first(behaviour.elements)) { event in
        guard case .candidate(let name, _) = event else { return }
        filled += 1
        try await intake.accept(.name(name))
      }
    } catch {
      ending = .cancelled
    }
    await intake.finish(ending)
    stage.record(clock.now() - began, in: iteration)
    return behaviour.elements - filled
  }
}

/// The place of one worker's stage among all slots of the iteration: its slots follow those of the workers
/// before it, and an element's identity is its slot there.
struct StageSlotPlace: IdentifierSource {
  /// The iteration-wide number of the stage's first slot.
  let first: Int

  /// The iteration-wide number of a call's slot.
  func slot(of call: ProviderCall) -> Int { first + call.slot }

  func identifier(for call: ProviderCall) -> CandidateID { CandidateID(UInt64(slot(of: call))) }
}
