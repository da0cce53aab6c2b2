public import StoryPipeline

/// Flaw: the index of a failed slot is the number of candidates so far.
///
/// Right for the first failure only: with calls 3 and 5 failing it names slots 2 and 3 instead of 2 and 4.
/// Sound: the slot is that of the call.
public struct CountingSlotDriver: StageDriver {
  private let sound: any StageDriver

  /// Wraps the sound driver and renumbers its failures.
  public init(_ sound: any StageDriver) { self.sound = sound }

  /// As the sound one, but for the slots of failures.
  public func drive<Source: SlotSource>(
    _ source: Source, slots: StageSlots,
    deliver: (GenerationEvent<Source.Success>) async throws -> Void
  ) async throws {
    var candidates = 0
    try await sound.drive(source, slots: slots) { event in
      switch event {
      case .failure(let failure):
        try await deliver(
          .failure(StageFailure(error: failure.error, retryable: failure.retryable, slot: candidates)))
      case .candidate:
        candidates += 1
        try await deliver(event)
      case .progress: try await deliver(event)
      }
    }
  }
}
