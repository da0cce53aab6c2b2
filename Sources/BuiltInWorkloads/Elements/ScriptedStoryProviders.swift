internal import ProviderScripts
internal import StoryPipeline
internal import WorkloadInterface

/// Names as scripted, by await or by holding the thread.
struct ScriptedNames: BlockingNameProvider {
  let caller: ScriptedCaller
  /// The iteration-wide number of slot 0: workers of one iteration each have slots of their own.
  var firstSlot = 0

  func generateName(
    for request: GenerationRequest, archetype: CharacterArchetype?, call: ProviderCall
  ) async throws -> CharacterName {
    name(try await caller.call(slot: firstSlot + call.slot, attempt: call.attempt), call)
  }

  func generateNameBlocking(
    for request: GenerationRequest, archetype: CharacterArchetype?, call: ProviderCall
  ) throws -> CharacterName {
    name(try caller.callBlocking(slot: firstSlot + call.slot, attempt: call.attempt), call)
  }

  private func name(_ served: Served, _ call: ProviderCall) -> CharacterName {
    CharacterName(
      served.value ?? Words.names[(firstSlot + call.slot) % Words.names.count],
      explanation: "it fits the role")
  }
}

/// Titles as scripted.
struct ScriptedTitles: TitleProvider {
  let caller: ScriptedCaller

  func generateTitle(for request: GenerationRequest, call: ProviderCall) async throws -> StoryTitle {
    let served = try await caller.call(slot: call.slot, attempt: call.attempt)
    return StoryTitle(
      served.value ?? Words.titles[call.slot % Words.titles.count], explanation: "it names the conflict")
  }
}

/// Plot points as scripted.
struct ScriptedPlot: PlotProvider {
  let caller: ScriptedCaller

  func generatePlotPoint(for request: GenerationRequest, call: ProviderCall) async throws -> String {
    try await caller.call(slot: call.slot, attempt: call.attempt).value ?? "the stakes rise"
  }
}

/// Prose as scripted: paragraphs, with progress after each.
struct ScriptedProse: ProseProvider {
  let caller: ScriptedCaller
  let paragraphs: Int

  func generateProse(
    for request: GenerationRequest, call: ProviderCall, onEvent: @escaping @Sendable (ProseEvent) -> Void
  ) async throws {
    let total = paragraphs
    _ = try await caller.stream(slot: call.slot, attempt: call.attempt, count: total) { element in
      onEvent(.paragraph(element.value ?? "And then the tide turned."))
      onEvent(.progress(Double(element.index + 1) / Double(total)))
    }
  }
}

/// What the fakes say where a script gives no values.
private enum Words {
  static let names = [
    "Ines", "Bako", "Yara", "Tomas", "Mirel", "Oke", "Sunniva", "Idris", "Calla", "Ren",
  ]
  static let titles = [
    "The Salt Road", "Nine Lanterns", "A Borrowed Winter", "The Cartographer's Debt", "Low Water",
    "What the Bell Kept", "Hollow Crown Street", "The Last Ferry", "Ash and Almanac", "Small Tyrants",
  ]
}

extension GenerationRequest {
  /// The brief of every scripted story, with the first so many archetypes; all of them by default.
  static func scripted(archetypes: Int = CharacterArchetype.allCases.count) -> GenerationRequest {
    GenerationRequest(
      genre: .fantasy, tone: .hopeful, archetypes: Array(CharacterArchetype.allCases.prefix(archetypes)),
      personality: "stubborn", culturalOrigin: "coastal", setting: "a harbour town",
      conflictDescription: "the harbour silts up and somebody profits", comparableTitles: ["The Salt Road"])
  }
}
