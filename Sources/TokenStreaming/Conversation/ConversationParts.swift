/// What a conversation leaves to others.
public struct ConversationParts: Sendable {
  /// How tokens become updates.
  public var presentation: any TokenPresentation
  /// What becomes of replies.
  public var policy: any ReplyPolicy
  /// How the conversation is held while a reply is generated.
  public var loop: any GenerationLoop

  /// Sound parts around a presentation.
  public init(
    presentation: any TokenPresentation, policy: any ReplyPolicy = KeepingPolicy(),
    loop: any GenerationLoop = WeakGenerationLoop()
  ) {
    self.presentation = presentation
    self.policy = policy
    self.loop = loop
  }
}

/// The decisions about replies. Each has a sound default.
public protocol ReplyPolicy: Sendable {
  /// The number of the reply that text made for a prompt goes into; `last` is that of the newest.
  func reply(for prompt: Int, last: Int) -> Int
  /// How a reply ended.
  func ending(of end: StreamEnd) -> ReplyEnding
  /// The text of a reply that has ended.
  func kept(_ text: String, after ending: ReplyEnding) -> String
}

extension ReplyPolicy {
  /// The prompt's own.
  public func reply(for prompt: Int, last: Int) -> Int { prompt }

  /// Whatever is thrown while the reader is cancelled is an interruption, and so is an end that comes then: a
  /// cancelled `AsyncThrowingStream` ends without an error.
  public func ending(of end: StreamEnd) -> ReplyEnding {
    if end.isCancelled || end.error is CancellationError { return .interrupted }
    return end.error.map { .failed($0) } ?? .complete
  }

  /// All that was written.
  public func kept(_ text: String, after ending: ReplyEnding) -> String { text }
}

/// The sound policy: each reply has its own text, keeps it, and knows why it ended.
public struct KeepingPolicy: ReplyPolicy {
  /// It has no state.
  public init() {}
}

/// How a task that fills a reply holds the conversation.
public protocol GenerationLoop: Sendable {
  /// Starts a task. `body` asks for the conversation whenever it has something for it.
  @MainActor
  func start(
    _ conversation: Conversation,
    body: @escaping @MainActor @Sendable (@escaping @MainActor @Sendable () -> Conversation?) async -> Void
  ) -> Task<Void, Never>
}

/// The sound loop: the conversation is known only while something is put into it, so letting go of it ends the task.
public struct WeakGenerationLoop: GenerationLoop {
  /// It has no state.
  public init() {}

  /// Holds the conversation weakly.
  @MainActor
  public func start(
    _ conversation: Conversation,
    body: @escaping @MainActor @Sendable (@escaping @MainActor @Sendable () -> Conversation?) async -> Void
  ) -> Task<Void, Never> {
    Task { @MainActor [weak conversation] in
      await body { [weak conversation] in conversation }
    }
  }
}

/// The parts of the pipeline that a flaw may replace.
public struct TokenComponents: Sendable {
  /// How a generation becomes a stream.
  public var makeStream: StreamFactory
  /// Who keeps the engine from running two generations, given the way to make streams.
  public var makeInference: @Sendable (any TokenEngine, @escaping StreamFactory) -> any Inference
  /// What a conversation leaves to others.
  public var parts: ConversationParts

  /// Sound components around a presentation.
  public init(presentation: any TokenPresentation) {
    makeStream = { TokenStream($0, on: $1, observer: $2, ended: $3) }
    makeInference = { InferenceEngine($0, makeStream: $1) }
    parts = ConversationParts(presentation: presentation)
  }

  /// An engine's keeper made of these components.
  public func inference(for engine: any TokenEngine) -> any Inference { makeInference(engine, makeStream) }
}
