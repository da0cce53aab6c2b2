/// One piece of text as a model makes it.
public struct Token: Sendable, Hashable {
  /// Its place in the generation, from 0.
  public let index: Int
  /// Its text in UTF-8. A model cuts by bytes, so it may begin or end within a character.
  public let utf8: [UInt8]

  /// A token from its parts.
  public init(index: Int, utf8: [UInt8]) {
    self.index = index
    self.utf8 = utf8
  }

  /// A token of whole characters.
  public init(index: Int, text: String) { self.init(index: index, utf8: Array(text.utf8)) }
}

/// What a model is asked to answer.
public struct Prompt: Sendable, Hashable {
  /// The conversation it belongs to.
  public let conversation: Int
  /// Its number in the conversation, from 0; also the number of the reply.
  public let number: Int
  /// What the user wrote.
  public let text: String

  /// A prompt from its parts.
  public init(conversation: Int = 0, number: Int = 0, text: String) {
    self.conversation = conversation
    self.number = number
    self.text = text
  }
}

/// What a running generation calls back. The last event is one of `finished`, `failed` and `stopped`, comes once,
/// and says that the engine holds nothing for the generation any more.
public enum EngineEvent: Sendable {
  /// The next token.
  case token(Token)
  /// All is written.
  case finished
  /// The engine gave up.
  case failed(any Error)
  /// The engine was told to stop, and has.
  case stopped
}

/// A model that runs one generation at a time and calls back.
///
/// It cannot be made to wait for its reader. Whoever starts two generations at once breaks it; keep it behind an
/// ``InferenceEngine``.
public protocol TokenEngine: Sendable {
  /// Starts a generation. `onEvent` is called from any thread, perhaps before this returns, never by two at once.
  func start(_ prompt: Prompt, onEvent: @escaping @Sendable (EngineEvent) -> Void) -> any EngineRun
}

/// A running generation, for the one who wants it stopped.
public protocol EngineRun: Sendable {
  /// Tells the engine to stop and returns at once; idempotent, from any thread. The engine may need a while: it
  /// has stopped when it calls back the last event.
  func stop()
}

/// The engine stopped though its reader had not left.
public struct GenerationStopped: Error, Sendable, CustomStringConvertible {
  /// A stable name of the fault.
  public let code = "tokens.stopped"

  /// The fault has no parts.
  public init() {}

  /// A sentence for people.
  public var description: String { "the engine stopped before the reply was complete; ask again" }
}
