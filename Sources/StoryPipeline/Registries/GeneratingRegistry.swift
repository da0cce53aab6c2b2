/// The mistake, for comparison: generation inside the registry's actor.
///
/// Awaiting, the actor is free while the provider works, but every call starts and ends on it;
/// blocking, everybody else waits until the provider has answered.
public actor GeneratingRegistry: CandidateRegistry {
  private var table = CandidateTable()
  /// True if names are generated while the actor's thread is held.
  public nonisolated let isBlocking: Bool

  /// An empty registry. Blocking needs a ``BlockingNameProvider``; titles and outlines are always awaited.
  public init(blocking: Bool) { isBlocking = blocking }

  /// Fills one slot and keeps the candidate. Throws `CancellationError` only, as ``SlotSource/event(for:)``.
  public func generate<Source: SlotSource>(
    _ source: Source, call: ProviderCall
  ) async throws -> GenerationEvent<Source.Success> {
    let event: GenerationEvent<Source.Success>
    if isBlocking && source.prefersBlocking {
      event = try blockingEvent(source, call: call)
    } else {
      event = try await source.event(for: call)
    }
    if case .candidate(let success, _) = event, let candidate = source.candidate(success) {
      table.store(candidate)
    }
    return event
  }

  private func blockingEvent<Source: SlotSource>(
    _ source: Source, call: ProviderCall
  ) throws -> GenerationEvent<Source.Success> {
    try Task.checkCancellation()
    let success: Source.Success
    do {
      success = try source.makeBlocking(call)
    } catch {
      if error is CancellationError || Task.isCancelled { throw CancellationError() }
      return .failure(StageFailure(error, slot: call.slot))
    }
    guard !Task.isCancelled else {
      source.drop(success)
      throw CancellationError()
    }
    return .candidate(success, slot: call.slot)
  }

  /// Keeps one candidate.
  public func store(_ candidate: Candidate) { table.store(candidate) }

  /// Keeps a batch.
  public func store(contentsOf batch: [Candidate]) { table.store(contentsOf: batch) }

  /// Makes the user's choice, all or nothing.
  public func select(_ ids: [CandidateID]) throws(SelectionRefusal) -> [Candidate] { try table.select(ids) }

  /// The choice, in the user's order.
  public func selectedCandidates() -> [Candidate] { table.candidates(for: table.selected) }

  /// Those of `ids` that are kept.
  public func candidates(for ids: [CandidateID]) -> [Candidate] { table.candidates(for: ids) }

  /// How many candidates are kept.
  public func count() -> Int { table.count }

  /// A copy of everything.
  public func snapshot() -> RegistrySnapshot { table.snapshot() }
}
