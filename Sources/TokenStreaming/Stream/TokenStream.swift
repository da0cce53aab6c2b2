import Synchronization

/// A generation as a sequence for one reader. Whichever way the reader goes, the engine is stopped.
///
/// Behind it is an `AsyncThrowingStream`, whose termination stops the engine: by the end of the loop's task, by
/// cancelling it, by dropping the stream. That stream is not told when a loop is left by `break` while somebody
/// keeps the sequence; the iterator is, and stops the engine then.
///
/// A reader that is cancelled gets what was made before the cancel, and then the *end*, not a `CancellationError`:
/// that is how `AsyncThrowingStream` behaves. Look at `Task.isCancelled` after the loop.
///
/// What the engine makes ahead of a slow reader is kept without a bound: an engine cannot be made to wait, and
/// a reply is finite.
public struct TokenStream: AsyncSequence, Sendable {
  /// What is read.
  public typealias Element = Token

  private let tokens: AsyncThrowingStream<Token, any Error>
  private let prompt: Prompt
  private let observer: any TokenObserver
  private let leave: @Sendable () -> Void

  /// Starts `engine` now. `ended` is called once, when the engine has called back its last event.
  public init(
    _ prompt: Prompt, on engine: any TokenEngine, observer: any TokenObserver = NoObserver(),
    ended: @escaping @Sendable () -> Void = {}
  ) {
    let (tokens, continuation) = AsyncThrowingStream.makeStream(of: Token.self)
    let reader = Reader()
    let run = engine.start(prompt) {
      Self.forward(
        $0, of: prompt, to: continuation, observer: observer, hasReader: { !reader.hasLeft }, ended: ended)
    }
    continuation.onTermination = { _ in
      reader.leave()
      run.stop()
    }
    self.init(prompt, tokens, observer: observer) { continuation.finish() }
  }

  /// Wraps a stream that is fed by somebody else. `leave` is called when a reader's iterator goes; it must be
  /// idempotent.
  public init(
    _ prompt: Prompt, _ tokens: AsyncThrowingStream<Token, any Error>, observer: any TokenObserver,
    leave: @escaping @Sendable () -> Void
  ) {
    self.prompt = prompt
    self.tokens = tokens
    self.observer = observer
    self.leave = leave
  }

  /// Whether the reader has gone.
  private final class Reader: Sendable {
    private let isGone = Atomic(false)
    var hasLeft: Bool { isGone.load(ordering: .acquiring) }
    func leave() { isGone.store(true, ordering: .releasing) }
  }

  /// Hands an engine's event to a stream; `ended` is called after the last.
  ///
  /// A stream calls its termination handler before it ends, so the engine that the handler stops can be the one
  /// that ends it: `hasReader` says whether that is to be an error.
  public static func forward(
    _ event: EngineEvent, of prompt: Prompt,
    to continuation: AsyncThrowingStream<Token, any Error>.Continuation, observer: any TokenObserver,
    hasReader: () -> Bool = { true }, ended: () -> Void
  ) {
    switch event {
    case .token(let token):
      if case .terminated = continuation.yield(token) {
        observer.tokenDropped(prompt, index: token.index)
      }
      return
    case .finished: continuation.finish()
    case .failed(let error): continuation.finish(throwing: error)
    case .stopped: continuation.finish(throwing: hasReader() ? GenerationStopped() : nil)
    }
    ended()
  }

  /// The reader's end.
  public func makeAsyncIterator() -> Iterator {
    Iterator(tokens: tokens.makeAsyncIterator(), prompt: prompt, observer: observer, lease: Lease(leave))
  }

  /// Reads one token after the other.
  public struct Iterator: AsyncIteratorProtocol {
    private var tokens: AsyncThrowingStream<Token, any Error>.Iterator
    private let prompt: Prompt
    private let observer: any TokenObserver
    private let lease: Lease

    fileprivate init(
      tokens: AsyncThrowingStream<Token, any Error>.Iterator, prompt: Prompt, observer: any TokenObserver,
      lease: Lease
    ) {
      self.tokens = tokens
      self.prompt = prompt
      self.observer = observer
      self.lease = lease
    }

    /// The next token; nil at the end, and for a cancelled reader when it has what was made before.
    ///
    /// - Throws: What the engine failed with; ``GenerationStopped``.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Token? {
      let token = try await tokens.next(isolation: actor)
      if let token { observer.tokenRead(prompt, index: token.index) }
      return token
    }

    /// The same, from no actor.
    public mutating func next() async throws -> Token? { try await next(isolation: nil) }
  }

  /// Lives as long as the loop: leaving it stops the engine, though somebody keeps the stream.
  fileprivate final class Lease: Sendable {
    private let leave: @Sendable () -> Void
    init(_ leave: @escaping @Sendable () -> Void) { self.leave = leave }
    deinit { leave() }
  }
}
