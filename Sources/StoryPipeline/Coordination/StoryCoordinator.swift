import Synchronization

/// The one owner of a story's state: takes the user's actions, starts and stops stages, publishes what they make.
///
/// It never generates: stages run in tasks of their own and meet it only when they end. Each stream it returns
/// has one consumer, keeps the bound of the stage behind it, and keeps the coordinator alive.
/// Dropping the coordinator and its streams cancels what runs.
public actor StoryCoordinator {
  /// Everything settled so far.
  public private(set) var request: GenerationRequest
  /// What prevented the last write at the end of a stage; `nil` if it went well. Selections throw theirs.
  public private(set) var persistenceFailure: (any Error)?
  /// The registry of this story.
  public nonisolated let registry: any CandidateRegistry
  /// The table of what runs beside the stages.
  public nonisolated let tasks: any TaskTracking

  let providers: StoryProviders
  let dependencies: StoryDependencies
  let components: StoryComponents
  private let producers: any ProducerSlot
  private let driver: any StageDriver
  private var state: CoordinatorState
  private var intake: (any CandidateIntake)?
  private var nextAttempts: [ProviderKind: [Int: Int]] = [:]
  private var names: [Int: CharacterNameCandidate] = [:]
  private var titles: [Int: TitleCandidate] = [:]
  private var plot: [Int: PlotPoint] = [:]
  private var isRestored: Bool

  /// A coordinator for a request, new or stored: it stands at the request's boundary. Asks nothing yet.
  public init(
    request: GenerationRequest, providers: StoryProviders, dependencies: StoryDependencies = .init(),
    components: StoryComponents = .init()
  ) {
    self.request = request
    self.providers = providers
    self.dependencies = dependencies
    self.components = components
    registry = components.makeRegistry(components.strategy)
    driver = components.makeDriver(components.strategy, registry)
    tasks = components.makeTaskTable()
    producers = components.makeProducerSlot()
    state = CoordinatorState(resuming: request.boundary)
    let storedNames = request.offeredNames ?? []
    let storedTitles = request.offeredTitles ?? []
    isRestored = storedNames.isEmpty && storedTitles.isEmpty
    for name in storedNames { names[name.slot] = name }
    for title in storedTitles { titles[title.slot] = title }
  }

  deinit {
    producers.stop()
    tasks.cancelAll()
  }

  /// Where the story stands.
  public var phase: StoryPhase { state.phase }

  /// The names there are to choose from, by slot.
  public var offeredNames: [CharacterNameCandidate] { names.values.sorted { $0.slot < $1.slot } }

  /// The titles there are to choose from, by slot.
  public var offeredTitles: [TitleCandidate] { titles.values.sorted { $0.slot < $1.slot } }

  // MARK: Names

  /// Starts the name stage; one that runs is stopped, and its stream ends. Throws ``IllegalTransition``.
  public func startNames() throws -> Publication<NameEvent> {
    let actions = try state.handle(.startNames)
    names = [:]
    request.offeredNames = nil
    return start(
      nameSource, slots: slots(dependencies.candidateCount, of: .names), actions,
      delivered: { [observer] in observer.candidateDelivered($0.id) }, results: StageResults.names)
  }

  /// Chooses names, in the order given, and stops the name stage if it still runs.
  /// Throws ``IllegalTransition``; ``SelectionRefusal``, and then nothing changes; or what prevented the write.
  @discardableResult
  public func selectNames(_ ids: [CandidateID]) async throws -> [CharacterNameCandidate] {
    try state.check(.selectNames)
    let chosen = try await select(ids, as: nameSource)
    let actions = try state.handle(.selectNames)
    for name in chosen { names[name.slot] = name }
    request.selectedNames = chosen
    request.offeredNames = offeredNames
    try await perform(actions)
    return chosen
  }

  /// Asks for one name again, beside whatever runs. A failure is an event. Throws ``IllegalTransition``.
  public func regenerateName(slot: Int) throws -> Regeneration<CharacterNameCandidate> {
    _ = try state.handle(.regenerateName)
    return runBeside(
      nameSource, slot: slot, delivered: { [observer] in observer.candidateDelivered($0.id) },
      results: StageResults.names)
  }

  // MARK: Titles

  /// Starts the title stage, for the selected names. Throws ``IllegalTransition``.
  public func startTitles() throws -> Publication<TitleEvent> {
    let actions = try state.handle(.startTitles)
    titles = [:]
    request.offeredTitles = nil
    return start(
      titleSource, slots: slots(dependencies.candidateCount, of: .titles), actions,
      delivered: { [observer] in observer.candidateDelivered($0.id) }, results: StageResults.titles)
  }

  /// Chooses a title and stops the title stage if it still runs. Throws as ``selectNames(_:)``.
  @discardableResult
  public func selectTitle(_ id: CandidateID) async throws -> TitleCandidate {
    try state.check(.selectTitle)
    guard let chosen = try await select([id], as: titleSource).first else {
      throw SelectionRefusal(notStored: [id])
    }
    let actions = try state.handle(.selectTitle)
    titles[chosen.slot] = chosen
    request.selectedTitle = chosen
    request.offeredTitles = offeredTitles
    try await perform(actions)
    return chosen
  }

  /// Asks for one title again. A failure is an event. Throws ``IllegalTransition``.
  public func regenerateTitle(slot: Int) throws -> Regeneration<TitleCandidate> {
    _ = try state.handle(.regenerateTitle)
    return runBeside(
      titleSource, slot: slot, delivered: { [observer] in observer.candidateDelivered($0.id) },
      results: StageResults.titles)
  }

  // MARK: Outline and prose

  /// Starts the outline; after failures, started again, it asks for the missing steps alone.
  /// Throws ``IllegalTransition``.
  public func startOutline() throws -> Publication<PlotEvent> {
    let actions = try state.handle(.startOutline)
    let missing = (0..<dependencies.plotPointCount).filter { plot[$0] == nil }
    let source = PlotSource(request: request, provider: providers.plot, observer: observer)
    return start(
      source, slots: StageSlots(missing, attempt: takeAttempt(missing, of: .plot)), actions,
      delivered: { _ in }, results: StageResults.plot)
  }

  /// Starts the prose. Throws ``IllegalTransition``.
  public func startProse() throws -> Publication<ProseEvent> {
    let actions = try state.handle(.startProse)
    let source = ProseSource(
      request: request, provider: providers.prose, attempt: takeAttempt([0], of: .prose), observer: observer)
    let channel = components.publications.makeChannel(of: ProseEvent.self)
    let worker = ProseWorker(
      source: source, sequence: components.makeProse(source), channel: channel)
    install(actions, channel: channel) { await worker.run() }
    return Publication(channel, owner: self, onDelivered: ParagraphCounter(observer: observer).count)
  }

  /// Stops what runs; the story falls back to where it can be gone on with. Always possible.
  public func cancel() {
    let actions = (try? state.handle(.cancel)) ?? []
    stop(actions)
  }

  /// Cancels one regeneration. False if it has ended.
  @discardableResult
  public nonisolated func cancelTask(_ id: TaskID) -> Bool { tasks.cancel(id) }

  // MARK: Producers

  private nonisolated var observer: any StoryObserver { dependencies.observer }

  private func start<Source: SlotSource>(
    _ source: Source, slots: StageSlots, _ actions: [CoordinatorState.Action],
    delivered: @escaping @Sendable (Source.Success) -> Void,
    results: @escaping @Sendable ([Source.Success]) -> StageResults
  ) -> Publication<GenerationEvent<Source.Success>> {
    let channel = components.publications.makeChannel(of: GenerationEvent<Source.Success>.self)
    let worker = worker(source, slots: slots, channel: channel)
    intake = worker.intake
    observer.workerStarted(source.kind)
    install(actions, channel: channel) { [observer] in
      let outcome = await worker.run()
      observer.workerEnded(source.kind)
      return (results(outcome.results), outcome.ending)
    }
    return Publication(channel, owner: self) { event in
      if case .candidate(let success, _) = event { delivered(success) }
    }
  }

  private func worker<Source: SlotSource>(
    _ source: Source, slots: StageSlots,
    channel: any PublicationChannel<GenerationEvent<Source.Success>>
  ) -> StageWorker<Source> {
    let context = IntakeContext(
      registry: registry, clock: dependencies.clock, observer: observer,
      show: { candidate in
        guard let success = source.success(candidate) else { return }
        try await channel.send(.candidate(success, slot: candidate.slot))
      })
    return StageWorker(
      source: source, slots: slots, driver: driver,
      intake: components.makeIntake(components.strategy, context), channel: channel, observer: observer)
  }

  /// Starts the producer's task and puts it in its place; the former one is cancelled there.
  private func install<Element: Sendable>(
    _ actions: [CoordinatorState.Action], channel: any PublicationChannel<Element>,
    work: @escaping @Sendable () async -> (StageResults, StageEnding)
  ) {
    stop(actions)
    for case .startProducer(_, let generation) in actions {
      let task = Task { [weak self] in
        let (results, ending) = await work()
        await self?.stageEnded(generation, results, ending)
        if ending == .finished { channel.finish() } else { channel.cancel() }
      }
      producers.install(
        Producer(generation: generation, task: task, closeStream: { channel.cancel() }))
      channel.onCancel { task.cancel() }
    }
  }

  private func runBeside<Source: SlotSource>(
    _ source: Source, slot: Int, delivered: @escaping @Sendable (Source.Success) -> Void,
    results: @escaping @Sendable ([Source.Success]) -> StageResults
  ) -> Regeneration<Source.Success> {
    let channel = components.publications.makeChannel(of: GenerationEvent<Source.Success>.self)
    let slots = StageSlots([slot], attempt: takeAttempt([slot], of: source.kind))
    let worker = worker(source, slots: slots, channel: channel)
    observer.workerStarted(source.kind)
    let task = tasks.run { [weak self, observer] in
      let outcome = await withTaskCancellationHandler {
        await worker.run()
      } onCancel: {
        channel.cancel()
      }
      await self?.record(results(outcome.results))
      if outcome.ending == .finished { channel.finish() } else { channel.cancel() }
      observer.workerEnded(source.kind)
    }
    channel.onCancel { [tasks] in tasks.cancel(task) }
    let events = Publication(channel, owner: self) { event in
      if case .candidate(let success, _) = event { delivered(success) }
    }
    return Regeneration(task: task, events: events)
  }

  private func stageEnded(_ generation: UInt64, _ results: StageResults, _ ending: StageEnding) async {
    producers.ended(generation: generation)
    guard generation == state.generation else { return }
    record(results)
    let actions =
      (try? state.handle(
        .stageEnded(generation: generation, complete: ending == .finished && isComplete(results)))) ?? []
    guard actions.contains(.persist) else { return }
    note(results)
    do {
      persistenceFailure = nil
      try await perform(actions)
    } catch {
      persistenceFailure = error
    }
  }

  private func record(_ results: StageResults) {
    switch results {
    case .names(let made): for name in made { names[name.slot] = name }
    case .titles(let made): for title in made { titles[title.slot] = title }
    case .plot(let made): for point in made { plot[point.slot] = point }
    case .prose: break
    }
  }

  private func isComplete(_ results: StageResults) -> Bool {
    switch results {
    case .names, .titles: true
    case .plot: plot.count == dependencies.plotPointCount
    case .prose(_, let complete): complete
    }
  }

  /// Writes a finished stage's results into the request.
  private func note(_ results: StageResults) {
    switch results {
    case .names: request.offeredNames = offeredNames
    case .titles: request.offeredTitles = offeredTitles
    case .plot: request.plotPoints = plot.values.sorted { $0.slot < $1.slot }
    case .prose(let paragraphs, _): request.paragraphs = paragraphs
    }
  }

  // MARK: Selections and effects

  private func select<Source: SlotSource>(
    _ ids: [CandidateID], as source: Source
  ) async throws -> [Source.Success] {
    await restore()
    let chosen: [Candidate]
    do {
      chosen = try await components.selection.select(ids, registry: registry, intake: intake)
    } catch {
      observer.selectionRefused(count: error.notStored.count)
      throw error
    }
    let wrongKind = chosen.filter { source.success($0) == nil }
    guard wrongKind.isEmpty else { throw SelectionRefusal(notStored: wrongKind.map(\.id)) }
    if chosen.count < ids.count { observer.selectionLost(count: ids.count - chosen.count) }
    return chosen.compactMap { source.success($0) }
  }

  /// Puts the candidates of a stored request back where they can be chosen from.
  private func restore() async {
    guard !isRestored else { return }
    isRestored = true
    let stored = offeredNames.map(Candidate.name) + offeredTitles.map(Candidate.title)
    await registry.store(contentsOf: stored)
  }

  private func perform(_ actions: [CoordinatorState.Action]) async throws {
    stop(actions)
    if actions.contains(.persist) { try await dependencies.persistence.save(request) }
  }

  private func stop(_ actions: [CoordinatorState.Action]) {
    if actions.contains(.stopProducer) { producers.stop() }
    if actions.contains(.cancelRegenerations) { tasks.cancelAll() }
  }

  private var nameSource: NameSource {
    NameSource(
      request: request, provider: providers.names, identifiers: dependencies.identifiers,
      choices: dependencies.choices, observer: observer)
  }

  private var titleSource: TitleSource {
    TitleSource(
      request: request, provider: providers.titles, identifiers: dependencies.identifiers, observer: observer)
  }

  private func slots(_ count: Int, of kind: ProviderKind) -> StageSlots {
    .first(count, attempt: takeAttempt(Array(0..<count), of: kind))
  }

  /// The attempt for a start of these slots: one more than the latest of any of them.
  private func takeAttempt(_ slots: [Int], of kind: ProviderKind) -> Int {
    let attempt = slots.map { nextAttempts[kind]?[$0] ?? 0 }.max() ?? 0
    for slot in slots { nextAttempts[kind, default: [:]][slot] = attempt + 1 }
    return attempt
  }
}

/// A single call beside the stages.
public struct Regeneration<Success: Sendable>: Sendable {
  /// Its entry in the table, for cancelling it alone.
  public let task: TaskID
  /// Its candidate or its failure, then the end. Throws `CancellationError` when it is cancelled.
  public let events: Publication<GenerationEvent<Success>>
}
