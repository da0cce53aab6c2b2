import Synchronization

/// A plain class on the main actor: enough where one user drives one story.
@MainActor
public final class MainActorRegistry: CandidateRegistry {
  private var table = CandidateTable()

  /// An empty registry; can be made anywhere.
  public nonisolated init() {}

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

/// A table under a lock: no executor to hop to, the caller's thread waits instead.
public final class LockedRegistry: CandidateRegistry {
  private let table = Mutex(CandidateTable())

  /// An empty registry.
  public init() {}

  /// Keeps one candidate.
  public func store(_ candidate: Candidate) { table.withLock { $0.store(candidate) } }

  /// Keeps a batch.
  public func store(contentsOf batch: [Candidate]) {
    table.withLock { $0.store(contentsOf: batch) }
  }

  /// Makes the user's choice, all or nothing.
  public func select(_ ids: [CandidateID]) throws(SelectionRefusal) -> [Candidate] {
    try table.withLock { table throws(SelectionRefusal) in try table.select(ids) }
  }

  /// The choice, in the user's order.
  public func selectedCandidates() -> [Candidate] {
    table.withLock { $0.candidates(for: $0.selected) }
  }

  /// Those of `ids` that are kept.
  public func candidates(for ids: [CandidateID]) -> [Candidate] {
    table.withLock { $0.candidates(for: ids) }
  }

  /// How many candidates are kept.
  public func count() -> Int { table.withLock { $0.count } }

  /// A copy of everything.
  public func snapshot() -> RegistrySnapshot { table.withLock { $0.snapshot() } }
}
