public import StoryPipeline

/// Flaw: the choice is kept in a set, and comes back in the set's order.
///
/// Sound: ``FlushingSelection`` returns it in the user's.
public struct SetOrderSelection: SelectionPolicy {
  /// It has no state.
  public init() {}

  /// All of the choice, or a refusal.
  public func select(
    _ ids: [CandidateID], registry: any CandidateRegistry, intake: (any CandidateIntake)?
  ) async throws(SelectionRefusal) -> [Candidate] {
    let chosen = try await FlushingSelection().select(ids, registry: registry, intake: intake)
    let byID = Dictionary(chosen.map { ($0.id, $0) }) { first, _ in first }
    return Set(ids).compactMap { byID[$0] }
  }
}

/// Flaw: a choice is added to those before it, which nobody takes back.
///
/// Sound: with ``FlushingSelection`` a second choice takes the place of the first.
public struct AccumulatingSelection: SelectionPolicy {
  /// It has no state.
  public init() {}

  /// All that was ever chosen of this kind, or a refusal.
  public func select(
    _ ids: [CandidateID], registry: any CandidateRegistry, intake: (any CandidateIntake)?
  ) async throws(SelectionRefusal) -> [Candidate] {
    let earlier = await registry.selectedCandidates()
    let chosen = try await FlushingSelection().select(ids, registry: registry, intake: intake)
    return earlier.filter { one in
      !ids.contains(one.id) && chosen.contains { Self.isName($0) == Self.isName(one) }
    } + chosen
  }

  private static func isName(_ candidate: Candidate) -> Bool {
    if case .name = candidate { true } else { false }
  }
}
