/// What fills one slot of a stage: a provider, the request and the injected sources together.
///
/// A stage is generic over its source; the provider behind it is an existential that is boxed once, when the
/// source is made, and not for each element.
public protocol SlotSource: Sendable {
  /// What a slot holds.
  associatedtype Success: Sendable
  /// The provider that is asked.
  var kind: ProviderKind { get }
  /// Asks the provider once. Throws what it threw.
  func make(_ call: ProviderCall) async throws -> Success
  /// Asks the provider once, holding the thread. Throws ``ProviderCannotBlock`` where it has no such form.
  func makeBlocking(_ call: ProviderCall) throws -> Success
  /// True if a blocking registry should use ``makeBlocking(_:)``.
  var prefersBlocking: Bool { get }
  /// The registry's view of a result; `nil` for what no registry holds.
  func candidate(_ success: Success) -> Candidate?
  /// The way back from the registry's view; `nil` for a candidate of another kind.
  func success(_ candidate: Candidate) -> Success?
  /// Told of a result that nobody will get.
  func drop(_ success: Success)
}

extension SlotSource {
  /// Awaiting is the only form.
  public var prefersBlocking: Bool { false }
  /// No blocking form.
  public func makeBlocking(_ call: ProviderCall) throws -> Success { throw ProviderCannotBlock(kind: kind) }
}

/// A blocking registry was asked to use a provider that has no blocking form.
public struct ProviderCannotBlock: Error, RetryClassifying, CustomStringConvertible {
  /// The provider.
  public let kind: ProviderKind
  /// Asking again cannot help.
  public var isRetryable: Bool { false }
  /// One line for the user.
  public var description: String {
    "the \(kind.rawValue) provider has no blocking form; use the awaiting inside-actor registry"
  }
}

/// Fills a name slot.
public struct NameSource: SlotSource {
  let request: GenerationRequest
  let provider: any NameProvider
  let blockingProvider: (any BlockingNameProvider)?
  let identifiers: any IdentifierSource
  let choices: any ChoiceSource
  let observer: any StoryObserver

  /// A source of names for one request.
  public init(
    request: GenerationRequest, provider: any NameProvider, identifiers: any IdentifierSource,
    choices: any ChoiceSource, observer: any StoryObserver = NoObserver()
  ) {
    self.request = request
    self.provider = provider
    self.blockingProvider = provider as? any BlockingNameProvider
    self.identifiers = identifiers
    self.choices = choices
    self.observer = observer
  }

  /// The name provider.
  public var kind: ProviderKind { .names }

  /// Asks for one name.
  public func make(_ call: ProviderCall) async throws -> CharacterNameCandidate {
    let archetype = archetype(for: call)
    let name = try await observed(call, by: observer) {
      try await provider.generateName(for: request, archetype: archetype, call: call)
    }
    return candidate(name, archetype, call)
  }

  /// Asks for one name, holding the thread.
  public func makeBlocking(_ call: ProviderCall) throws -> CharacterNameCandidate {
    guard let blockingProvider else { throw ProviderCannotBlock(kind: .names) }
    let archetype = archetype(for: call)
    observer.providerCallStarted(call)
    let name: CharacterName
    do {
      name = try blockingProvider.generateNameBlocking(for: request, archetype: archetype, call: call)
    } catch {
      observer.providerCallEnded(call, outcome: error is CancellationError ? .cancelled : .failed)
      throw error
    }
    observer.providerCallEnded(call, outcome: .succeeded)
    return candidate(name, archetype, call)
  }

  /// A registry that blocks should block here, and learns by an error where the provider cannot.
  public var prefersBlocking: Bool { true }

  /// A name in the registry.
  public func candidate(_ success: CharacterNameCandidate) -> Candidate? { .name(success) }

  /// A name out of the registry.
  public func success(_ candidate: Candidate) -> CharacterNameCandidate? {
    if case .name(let name) = candidate { name } else { nil }
  }

  /// Tells the observer.
  public func drop(_ success: CharacterNameCandidate) { observer.candidateDropped(success.id) }

  private func archetype(for call: ProviderCall) -> CharacterArchetype? {
    guard !request.archetypes.isEmpty else { return nil }
    return request.archetypes[choices.choice(below: request.archetypes.count, for: call)]
  }

  private func candidate(
    _ name: CharacterName, _ archetype: CharacterArchetype?, _ call: ProviderCall
  ) -> CharacterNameCandidate {
    let id = identifiers.identifier(for: call)
    observer.candidateMade(id, slot: call.slot)
    return CharacterNameCandidate(id: id, slot: call.slot, archetype: archetype, name: name)
  }
}

/// Fills a title slot.
public struct TitleSource: SlotSource {
  let request: GenerationRequest
  let provider: any TitleProvider
  let identifiers: any IdentifierSource
  let observer: any StoryObserver

  /// A source of titles for a request with its selected names.
  public init(
    request: GenerationRequest, provider: any TitleProvider, identifiers: any IdentifierSource,
    observer: any StoryObserver = NoObserver()
  ) {
    self.request = request
    self.provider = provider
    self.identifiers = identifiers
    self.observer = observer
  }

  /// The title provider.
  public var kind: ProviderKind { .titles }

  /// Asks for one title.
  public func make(_ call: ProviderCall) async throws -> TitleCandidate {
    let title = try await observed(call, by: observer) {
      try await provider.generateTitle(for: request, call: call)
    }
    let id = identifiers.identifier(for: call)
    observer.candidateMade(id, slot: call.slot)
    return TitleCandidate(id: id, slot: call.slot, title: title)
  }

  /// A title in the registry.
  public func candidate(_ success: TitleCandidate) -> Candidate? { .title(success) }

  /// A title out of the registry.
  public func success(_ candidate: Candidate) -> TitleCandidate? {
    if case .title(let title) = candidate { title } else { nil }
  }

  /// Tells the observer.
  public func drop(_ success: TitleCandidate) { observer.candidateDropped(success.id) }
}

/// Fills one step of an outline.
public struct PlotSource: SlotSource {
  let request: GenerationRequest
  let provider: any PlotProvider
  let observer: any StoryObserver

  /// A source of plot points for a request with its selected title.
  public init(
    request: GenerationRequest, provider: any PlotProvider, observer: any StoryObserver = NoObserver()
  ) {
    self.request = request
    self.provider = provider
    self.observer = observer
  }

  /// The plot provider.
  public var kind: ProviderKind { .plot }

  /// Asks for one plot point.
  public func make(_ call: ProviderCall) async throws -> PlotPoint {
    let text = try await observed(call, by: observer) {
      try await provider.generatePlotPoint(for: request, call: call)
    }
    return PlotPoint(slot: call.slot, text: text)
  }

  /// No registry holds plot points.
  public func candidate(_ success: PlotPoint) -> Candidate? { nil }

  /// No registry holds plot points.
  public func success(_ candidate: Candidate) -> PlotPoint? { nil }

  /// Nobody counts them.
  public func drop(_ success: PlotPoint) {}
}

/// Runs one provider call between the observer's two hooks.
func observed<Answer: Sendable>(
  _ call: ProviderCall, by observer: any StoryObserver, ask: () async throws -> Answer
) async throws -> Answer {
  observer.providerCallStarted(call)
  do {
    let answer = try await ask()
    observer.providerCallEnded(call, outcome: .succeeded)
    return answer
  } catch {
    let cancelled = error is CancellationError || Task.isCancelled
    observer.providerCallEnded(call, outcome: cancelled ? .cancelled : .failed)
    throw error
  }
}
