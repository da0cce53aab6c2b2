public import StoryPipeline

/// Flaw: `catch` catches all, the cancellation too.
///
/// After a cancel nothing more is asked, but each remaining slot is reported as a failure to retry.
/// Sound: ``SlotSource/event(for:)`` rethrows cancellation.
public struct CancellationAsFailureDriver: StageDriver {
  /// It has no state.
  public init() {}

  /// Turns whatever is thrown into an event.
  public func drive<Source: SlotSource>(
    _ source: Source, slots: StageSlots,
    deliver: (GenerationEvent<Source.Success>) async throws -> Void
  ) async throws {
    for (index, slot) in slots.slots.enumerated() {
      let event: GenerationEvent<Source.Success>
      do {
        try Task.checkCancellation()
        let success = try await source.make(
          ProviderCall(kind: source.kind, slot: slot, attempt: slots.attempt))
        event = .candidate(success, slot: slot)
      } catch {
        event = .failure(StageFailure(error: error, retryable: true, slot: slot))
      }
      try? await deliver(event)
      try? await deliver(.progress(Double(index + 1) / Double(slots.slots.count)))
    }
  }
}
