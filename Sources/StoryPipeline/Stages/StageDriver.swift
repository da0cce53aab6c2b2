/// How a worker goes through the slots of a stage.
public protocol StageDriver: Sendable {
  /// Fills the slots in order and hands each event to `deliver`, which suspends while the consumer is not ready.
  ///
  /// Runs in the caller's task. Throws `CancellationError` when that task is cancelled, and what `deliver` throws.
  func drive<Source: SlotSource>(
    _ source: Source, slots: StageSlots,
    deliver: (GenerationEvent<Source.Success>) async throws -> Void
  ) async throws
}

/// Iterates the stage's sequence: the ordinary way.
public struct SequenceDriver: StageDriver {
  /// It has no state.
  public init() {}

  /// A `for try await` over ``SlotStage``.
  public func drive<Source: SlotSource>(
    _ source: Source, slots: StageSlots,
    deliver: (GenerationEvent<Source.Success>) async throws -> Void
  ) async throws {
    for try await event in SlotStage(source, slots: slots) {
      try await deliver(event)
    }
  }
}

/// No sequences at all: a plain loop of async calls, for comparison.
public struct PlainCallsDriver: StageDriver {
  /// It has no state.
  public init() {}

  /// One awaited call after another.
  public func drive<Source: SlotSource>(
    _ source: Source, slots: StageSlots,
    deliver: (GenerationEvent<Source.Success>) async throws -> Void
  ) async throws {
    for (index, slot) in slots.slots.enumerated() {
      let call = ProviderCall(kind: source.kind, slot: slot, attempt: slots.attempt)
      try await deliver(try await source.event(for: call))
      try await deliver(.progress(Double(index + 1) / Double(slots.slots.count)))
    }
  }
}

/// Generates inside the registry actor, which stores each candidate before it lets go.
public struct InsideActorDriver: StageDriver {
  let registry: GeneratingRegistry

  /// A driver for one such registry.
  public init(registry: GeneratingRegistry) { self.registry = registry }

  /// One call into the actor for each slot.
  public func drive<Source: SlotSource>(
    _ source: Source, slots: StageSlots,
    deliver: (GenerationEvent<Source.Success>) async throws -> Void
  ) async throws {
    for (index, slot) in slots.slots.enumerated() {
      let call = ProviderCall(kind: source.kind, slot: slot, attempt: slots.attempt)
      try await deliver(try await registry.generate(source, call: call))
      try await deliver(.progress(Double(index + 1) / Double(slots.slots.count)))
    }
  }
}
