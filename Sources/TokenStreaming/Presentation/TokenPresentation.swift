/// Why text was handed on.
public enum FlushCause: String, Sendable, CaseIterable {
  /// A token came, and each is shown.
  case token
  /// The cadence's time had come.
  case age
  /// The stream was over: by itself, by failure or by cancellation.
  case end
}

/// Text to add to a reply.
public struct TextUpdate: Sendable, Equatable {
  /// What to add; may be empty at the end of a stream that ended within a character.
  public let text: String
  /// The tokens whose text this completes, by index.
  public let tokens: Range<Int>
  /// Why now.
  public let cause: FlushCause

  /// An update from its parts.
  public init(text: String, tokens: Range<Int>, cause: FlushCause) {
    self.text = text
    self.tokens = tokens
    self.cause = cause
  }
}

/// How a reply ended.
public enum ReplyEnding: Sendable {
  /// The engine finished it.
  case complete
  /// The user did not want more of it.
  case interrupted
  /// The engine, or the way to it, failed.
  case failed(any Error)
}

/// How reading a stream ended: what was thrown, and whether the reader was cancelled.
public struct StreamEnd: Sendable {
  /// What the loop threw; nil where it ran to the end.
  public let error: (any Error)?
  /// Whether the reader's task was cancelled by then.
  public let isCancelled: Bool

  /// An end from its parts.
  public init(error: (any Error)?, isCancelled: Bool) {
    self.error = error
    self.isCancelled = isCancelled
  }
}

/// Shows an update on the main actor.
public typealias ShowUpdate = @MainActor @Sendable (TextUpdate) -> Void

/// How the tokens of a stream become updates of a reply.
public protocol TokenPresentation: Sendable {
  /// Reads the stream to its end and shows its text. Returns when all that was read is shown.
  func present(_ stream: TokenStream, show: @escaping ShowUpdate) async -> StreamEnd
}

/// Shows every token when it comes: simple, and one update of a growing view for each.
public struct PerTokenPresentation: TokenPresentation {
  /// It has no state.
  public init() {}

  /// One update for each token that completes text.
  public func present(_ stream: TokenStream, show: @escaping ShowUpdate) async -> StreamEnd {
    var text = PendingText()
    var failure: (any Error)?
    do {
      for try await token in stream {
        text.append(token)
        if let update = text.take(cause: .token) { await show(update) }
      }
    } catch {
      failure = error
    }
    if let update = text.takeAll() { await show(update) }
    return StreamEnd(error: failure, isCancelled: Task.isCancelled)
  }
}

/// Text that was read and is not shown, as a value.
struct PendingText: Sendable {
  private var joiner = GraphemeJoiner()
  private var text = ""
  /// The first token that is not shown whole.
  private var first = 0
  /// The first token whose text the joiner holds back.
  private var firstHeld = 0
  private var next = 0

  /// Whether there is text that can be shown.
  var canBeShown: Bool { !text.isEmpty }

  mutating func append(_ token: Token) {
    if next == 0 { (first, firstHeld) = (token.index, token.index) }
    text += joiner.append(token.utf8)
    next = token.index + 1
    // Where the joiner keeps something, the tokens since it was last empty are not whole yet.
    if joiner.heldCount == 0 { firstHeld = next }
  }

  /// The text that can be shown; nil where there is none.
  mutating func take(cause: FlushCause) -> TextUpdate? {
    guard canBeShown else { return nil }
    defer {
      text = ""
      first = firstHeld
    }
    return TextUpdate(text: text, tokens: first..<firstHeld, cause: cause)
  }

  /// All that is left; nil where no token is.
  mutating func takeAll() -> TextUpdate? {
    guard canBeShown || first < next else { return nil }
    text += joiner.finish()
    defer {
      text = ""
      (first, firstHeld) = (next, next)
    }
    return TextUpdate(text: text, tokens: first..<next, cause: .end)
  }
}
