public import StoryPipeline

/// Flaw: a stage that leaves cancellation to its provider, and hands on without asking whether anyone is there.
///
/// With a provider that does not look at cancellation, all remaining slots are asked for after a cancel.
/// Sound: ``SlotStage`` checks before each call.
public struct DeafDriver: StageDriver {
  /// It has no state.
  public init() {}

  /// Every slot, whatever happens.
  public func drive<Source: SlotSource>(
    _ source: Source, slots: StageSlots,
    deliver: (GenerationEvent<Source.Success>) async throws -> Void
  ) async throws {
    for (index, slot) in slots.slots.enumerated() {
      do {
        let success = try await source.make(
          ProviderCall(kind: source.kind, slot: slot, attempt: slots.attempt))
        try? await deliver(.candidate(success, slot: slot))
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        try? await deliver(.failure(StageFailure(error, slot: slot)))
      }
      try? await deliver(.progress(Double(index + 1) / Double(slots.slots.count)))
    }
  }
}
