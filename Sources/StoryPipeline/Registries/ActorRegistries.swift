/// An actor that is called once for each candidate.
public actor PerElementRegistry: CandidateRegistry {
  private var table = CandidateTable()

  /// An empty registry.
  public init() {}

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

/// An actor that is called once for each batch; the worker collects (``CandidateCollector``).
public actor BatchRegistry: CandidateRegistry {
  private var table = CandidateTable()

  /// An empty registry.
  public init() {}

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
