public import StoryPipeline

/// Flaw: the choice is looked up in the registry, and what is not there (yet) is passed over.
///
/// Sound: ``FlushingSelection`` stores what is pending first, and refuses what is missing even then.
public struct LossySelection: SelectionPolicy {
  /// It has no state.
  public init() {}

  /// Those of the choice that happen to be stored.
  public func select(
    _ ids: [CandidateID], registry: any CandidateRegistry, intake: (any CandidateIntake)?
  ) async throws(SelectionRefusal) -> [Candidate] {
    await registry.candidates(for: ids)
  }
}
