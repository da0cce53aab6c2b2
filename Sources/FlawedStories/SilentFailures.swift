public import StoryPipeline

/// Flaw: what a repeated call throws is swallowed by a `try?`: no candidate, and no word of it.
///
/// Sound: the failure is an event, as that of a first call is.
public struct SwallowingDriver: StageDriver {
  private let sound: any StageDriver

  /// Wraps the sound driver and withholds the failures of repeated calls.
  public init(_ sound: any StageDriver) { self.sound = sound }

  /// As the sound one, but for failures where a slot is asked for again.
  public func drive<Source: SlotSource>(
    _ source: Source, slots: StageSlots,
    deliver: (GenerationEvent<Source.Success>) async throws -> Void
  ) async throws {
    try await sound.drive(source, slots: slots) { event in
      if slots.attempt > 0, case .failure = event { return }
      try await deliver(event)
    }
  }
}

/// Flaw: a bridge that knows no failure: when the provider stops writing, for whatever reason, the story is complete.
///
/// Sound: ``ProseStage`` hands the failure on, and the story can be asked for again.
public enum UnfailingProse {
  /// The sound stage's events, its failure shown as the end.
  public static func open(_ source: ProseSource) -> StoryComponents.ProseSequence {
    ProseStage(source).map { event in
      if case .failure = event { .complete } else { event }
    }
  }
}

/// Flaw: asks for a random archetype of the request and takes it for granted that there is one.
///
/// A request without archetypes ends the process. Sound: a name stage that has none to choose from asks without.
public struct ArchetypeForcingNames: NameProvider {
  private let sound: any NameProvider

  /// Wraps the provider that is asked.
  public init(_ sound: any NameProvider) { self.sound = sound }

  /// One name for any archetype of the request's.
  public func generateName(
    for request: GenerationRequest, archetype: CharacterArchetype?, call: ProviderCall
  ) async throws -> CharacterName {
    let archetype = request.archetypes.randomElement()!
    return try await sound.generateName(for: request, archetype: archetype, call: call)
  }
}
