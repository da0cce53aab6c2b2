/// Which provider a call goes to.
public enum ProviderKind: String, Sendable, Codable, CaseIterable {
  /// The four providers of a story.
  case names, titles, plot, prose

  var number: UInt64 {
    switch self {
    case .names: 1
    case .titles: 2
    case .plot: 3
    case .prose: 4
    }
  }
}

/// Which call this is: enough for a scripted provider to draw its answer without state of its own.
public struct ProviderCall: Sendable, Hashable {
  /// The provider asked.
  public let kind: ProviderKind
  /// The place the answer is for, from 0. Call number n of a first attempt has slot n - 1. Prose has slot 0.
  public let slot: Int
  /// How often this slot was asked for before, from 0.
  public let attempt: Int

  /// A call from its parts.
  public init(kind: ProviderKind, slot: Int, attempt: Int = 0) {
    self.kind = kind
    self.slot = slot
    self.attempt = attempt
  }
}

/// Makes character names.
public protocol NameProvider: Sendable {
  /// One name. `archetype` is the stage's choice, `nil` where the request names none.
  /// Throws what went wrong; `CancellationError` if it stopped because its task was cancelled.
  func generateName(
    for request: GenerationRequest, archetype: CharacterArchetype?, call: ProviderCall
  ) async throws -> CharacterName
}

/// A name provider that can also be asked without suspending: it holds the thread until it has an answer.
public protocol BlockingNameProvider: NameProvider {
  /// One name, blocking the calling thread.
  func generateNameBlocking(
    for request: GenerationRequest, archetype: CharacterArchetype?, call: ProviderCall
  ) throws -> CharacterName
}

/// Makes titles.
public protocol TitleProvider: Sendable {
  /// One title for the request with its selected names.
  func generateTitle(for request: GenerationRequest, call: ProviderCall) async throws -> StoryTitle
}

/// Makes outlines.
public protocol PlotProvider: Sendable {
  /// The text of one step of the outline.
  func generatePlotPoint(for request: GenerationRequest, call: ProviderCall) async throws -> String
}

/// Writes prose, by callback.
public protocol ProseProvider: Sendable {
  /// Writes the story, calling `onEvent` for each paragraph and each step of progress, from any thread.
  /// Returns when all is written; throws what went wrong. Should stop when its task is cancelled;
  /// what it still calls back after that is ignored.
  func generateProse(
    for request: GenerationRequest, call: ProviderCall, onEvent: @escaping @Sendable (ProseEvent) -> Void
  ) async throws
}

/// An error that knows whether the same call may be tried again.
public protocol RetryClassifying: Error {
  /// True if asking again may help.
  var isRetryable: Bool { get }
}

/// The providers of one story.
public struct StoryProviders: Sendable {
  /// Makes names.
  public var names: any NameProvider
  /// Makes titles.
  public var titles: any TitleProvider
  /// Makes outlines.
  public var plot: any PlotProvider
  /// Writes prose.
  public var prose: any ProseProvider

  /// Providers from their parts.
  public init(
    names: any NameProvider, titles: any TitleProvider, plot: any PlotProvider, prose: any ProseProvider
  ) {
    self.names = names
    self.titles = titles
    self.plot = plot
    self.prose = prose
  }
}
