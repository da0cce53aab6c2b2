internal import ProviderScripts
internal import StoryPipeline
internal import WorkloadInterface

/// The running side of `registry`.
final class RegistrySession: WorkloadSession {
  let roles: [String: String]?
  let rolesWithoutActor: Set<String>

  private let parts: RegistryParts
  /// The registry of all iterations, where they share one.
  private let shared: RegistryParts.Instance?
  private let behaviour: RegistryBehaviour
  private let clock: CellClock
  private let figures: ElementFigures
  private let stage: MeasuredDistribution
  private let readers: RegistryReaders
  private let names: ScriptedProvider
  private let sink: ScriptedSink
  private let books = OpenBooks<RegistryObservation>()

  init(
    cell: CellContext, parts: RegistryParts, behaviour: RegistryBehaviour, names: ScriptedProvider
  ) {
    self.parts = parts
    shared = behaviour.isShared ? parts.make() : nil
    self.behaviour = behaviour
    clock = cell.recorder.clock
    figures = ElementFigures(cell.recorder)
    stage = cell.recorder.distribution("latency.stage{stage=names}")
    readers = RegistryReaders(behaviour, seed: cell.seed, recorder: cell.recorder)
    self.names = names
    sink = ScriptedSink(in: cell)
    roles = parts.roles
    rolesWithoutActor = parts.rolesWithoutActor
  }

  func run(_ iteration: Iteration) async -> IterationOutcome {
    let observation = RegistryObservation(iteration, clock: clock, figures: figures)
    books.open(observation, iteration: iteration.index)
    defer { books.ended(iteration: iteration.index) }
    let instance = shared ?? parts.make()
    guard behaviour.readers > 0 else { return await workAtPriority(into: instance, observation, iteration) }
    return await withTaskGroup(of: Void.self) { group in
      for reader in 0..<behaviour.readers {
        group.addTask { [readers] in
          await readers.read(instance.registry, observation, reader: reader, iteration: iteration)
        }
      }
      let outcome = await workAtPriority(into: instance, observation, iteration)
      group.cancelAll()
      return outcome
    }
  }

  func finish() async { books.close() }

  /// In a task of its own where the workers have a priority of their own: on Linux a child of a group runs at its
  /// parent's, whatever it is given.
  private func workAtPriority(
    into instance: RegistryParts.Instance, _ observation: RegistryObservation, _ iteration: Iteration
  ) async -> IterationOutcome {
    guard let priority = behaviour.priority else {
      return await workAndKeep(instance, observation, iteration)
    }
    let task = Task(priority: priority) { await workAndKeep(instance, observation, iteration) }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// The workers, and beside them what keeps the registry in order.
  private func workAndKeep(
    _ instance: RegistryParts.Instance, _ observation: RegistryObservation, _ iteration: Iteration
  ) async -> IterationOutcome {
    guard let housekeeping = instance.housekeeping else {
      return await work(into: instance, observation, iteration)
    }
    async let kept: Void = housekeeping()
    let outcome = await work(into: instance, observation, iteration)
    await kept
    return outcome
  }

  private func work(
    into instance: RegistryParts.Instance, _ observation: RegistryObservation, _ iteration: Iteration
  ) async -> IterationOutcome {
    var failed = 0
    if behaviour.workers == 1 {
      failed = await drain(0, into: instance, observation, iteration)
    } else {
      failed = await withTaskGroup(of: Int.self) { group in
        for worker in 0..<behaviour.workers {
          group.addTask { await self.drain(worker, into: instance, observation, iteration) }
        }
        return await group.reduce(0, +)
      }
    }
    if Task.isCancelled { return .cancelled }
    return failed == 0 ? .completed : .failed(reason: "empty-slots")
  }

  /// One worker; returns how many slots stayed empty.
  private func drain(
    _ worker: Int, into instance: RegistryParts.Instance, _ observation: RegistryObservation,
    _ iteration: Iteration
  ) async -> Int {
    let began = clock.now()
    let place = StageSlotPlace(
      first: worker * behaviour.elements,
      before: behaviour.isShared ? iteration.index * behaviour.workers * behaviour.elements : 0)
    let source = NameSource(
      request: .scripted(),
      provider: ScriptedNames(caller: names.caller(for: iteration), firstSlot: place.first),
      identifiers: place, choices: RotatingChoices(), observer: observation)
    let intake = instance.makeIntake(
      IntakeContext(
        registry: instance.registry, observer: observation,
        show: { [sink] candidate in
          observation.shown(candidate)
          sink.update(shown: candidate.slot + 1)
        }))
    var filled = 0
    var ending = StageEnding.finished
    do {
      try await instance.makeDriver().drive(source, slots: .first(behaviour.elements)) { event in
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
  /// How many elements of other iterations the registry may hold: identities go on from there.
  var before = 0

  /// The iteration-wide number of a call's slot.
  func slot(of call: ProviderCall) -> Int { first + call.slot }

  func identifier(for call: ProviderCall) -> CandidateID { CandidateID(UInt64(before + slot(of: call))) }
}
