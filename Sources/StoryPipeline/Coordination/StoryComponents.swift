/// The parts a coordinator and a view model are built from, each replaceable alone. The default is the sound one.
public struct StoryComponents: Sendable {
  /// The sequence that bridges a prose provider.
  public typealias ProseSequence = any AsyncSequence<ProseEvent, any Error> & Sendable

  /// How candidates are kept.
  public var strategy: RegistryStrategy
  /// Makes the registry; by default the strategy does.
  public var makeRegistry: @Sendable (RegistryStrategy) -> any CandidateRegistry
  /// Makes the driver of the slot stages; by default the strategy does.
  public var makeDriver: @Sendable (RegistryStrategy, any CandidateRegistry) -> any StageDriver
  /// Makes a worker's way into the registry; by default the strategy does.
  public var makeIntake: @Sendable (RegistryStrategy, IntakeContext) -> any CandidateIntake
  /// Makes the prose sequence; by default a ``ProseStage`` of the default capacity.
  public var makeProse: @Sendable (ProseSource) -> ProseSequence
  /// Makes the table of regenerations; by default a ``TaskTable``.
  public var makeTaskTable: @Sendable () -> any TaskTracking
  /// Makes the place of the one producer; by default a ``SingleProducerSlot``.
  public var makeProducerSlot: @Sendable () -> any ProducerSlot
  /// Makes the channels behind the coordinator's streams; by default ``HandoverFactory``.
  public var publications: any PublicationFactory
  /// Turns the user's choice into candidates; by default ``FlushingSelection``.
  public var selection: any SelectionPolicy
  /// How a view model follows a stream; by default ``WeakViewLoop``.
  public var viewLoop: any ViewLoop

  /// Sound parts for one strategy.
  public init(strategy: RegistryStrategy = .perElement) {
    self.strategy = strategy
    makeRegistry = { $0.makeRegistry() }
    makeDriver = { $0.makeDriver(for: $1) }
    makeIntake = { $0.makeIntake($1) }
    makeProse = { ProseStage($0) }
    makeTaskTable = { TaskTable() }
    makeProducerSlot = { SingleProducerSlot() }
    publications = HandoverFactory()
    selection = FlushingSelection()
    viewLoop = WeakViewLoop()
  }
}

/// How the user's choice is turned into candidates.
public protocol SelectionPolicy: Sendable {
  /// The candidates chosen, in the user's order. Throws ``SelectionRefusal`` if that cannot be all of them.
  func select(
    _ ids: [CandidateID], registry: any CandidateRegistry, intake: (any CandidateIntake)?
  ) async throws(SelectionRefusal) -> [Candidate]
}

/// Stores what is still in a batch, then selects; what is not there even then is refused.
public struct FlushingSelection: SelectionPolicy {
  /// It has no state.
  public init() {}

  /// All of the choice, or a refusal.
  public func select(
    _ ids: [CandidateID], registry: any CandidateRegistry, intake: (any CandidateIntake)?
  ) async throws(SelectionRefusal) -> [Candidate] {
    await intake?.storePending()
    return try await registry.select(ids)
  }
}

/// What a coordinator needs from outside, beside its providers.
public struct StoryDependencies: Sendable {
  /// Who names candidates.
  public var identifiers: any IdentifierSource
  /// Who chooses among archetypes.
  public var choices: any ChoiceSource
  /// What times the age of batches.
  public var clock: any Clock<Duration>
  /// Who counts.
  public var observer: any StoryObserver
  /// Who keeps the request at each boundary.
  public var persistence: any RequestPersisting
  /// Names and titles for each stage, at least 1.
  public var candidateCount: Int
  /// Steps of an outline, at least 1.
  public var plotPointCount: Int

  /// Dependencies from their parts; the defaults suit an application that stores nothing.
  public init(
    identifiers: any IdentifierSource = CountingIdentifiers(), choices: any ChoiceSource = SystemChoices(),
    clock: any Clock<Duration> = ContinuousClock(), observer: any StoryObserver = NoObserver(),
    persistence: any RequestPersisting = NoPersistence(), candidateCount: Int = 10, plotPointCount: Int = 5
  ) {
    precondition(candidateCount >= 1 && plotPointCount >= 1, "a stage has at least one slot")
    self.identifiers = identifiers
    self.choices = choices
    self.clock = clock
    self.observer = observer
    self.persistence = persistence
    self.candidateCount = candidateCount
    self.plotPointCount = plotPointCount
  }
}
