public import TokenStreaming

/// Flaw: the stream has no termination handler, so the engine does not learn that its reader has gone.
///
/// Sound: ``TokenStream`` stops the engine when its stream terminates.
public enum UnterminatedStream {
  /// Starts the engine and forgets how to stop it.
  public static func make(
    _ prompt: Prompt, on engine: any TokenEngine, observer: any TokenObserver,
    ended: @escaping @Sendable () -> Void
  ) -> TokenStream {
    let (tokens, continuation) = AsyncThrowingStream.makeStream(of: Token.self)
    _ = engine.start(prompt) {
      TokenStream.forward($0, of: prompt, to: continuation, observer: observer, ended: ended)
    }
    return TokenStream(prompt, tokens, observer: observer) {}
  }
}

/// Flaw: there is a termination handler, but it closes the reader's stream and not the session behind it.
///
/// The download goes on to its end. Sound: ``TokenStream``.
public enum UnclosedSessionStream {
  /// Starts a session that lives as long as the engine has something to say.
  public static func make(
    _ prompt: Prompt, on engine: any TokenEngine, observer: any TokenObserver,
    ended: @escaping @Sendable () -> Void
  ) -> TokenStream {
    let (tokens, continuation) = AsyncThrowingStream.makeStream(of: Token.self)
    continuation.onTermination = { _ in continuation.finish() }
    let session = Session(prompt: prompt, engine: engine)
    session.open { TokenStream.forward($0, of: prompt, to: continuation, observer: observer, ended: ended) }
    return TokenStream(prompt, tokens, observer: observer) { continuation.finish() }
  }

  /// Opened once; has no way to be closed.
  private struct Session {
    let prompt: Prompt
    let engine: any TokenEngine

    func open(_ onEvent: @escaping @Sendable (EngineEvent) -> Void) {
      _ = engine.start(prompt, onEvent: onEvent)
    }
  }
}

/// Flaw: a stream in name only: all tokens are collected first, then handed over in one go.
///
/// The totals are those of a stream. Sound: ``TokenStream`` passes each token on when it is made.
public enum CollectingStream {
  /// Starts the engine; the stream has its first token when the engine has ended.
  public static func make(
    _ prompt: Prompt, on engine: any TokenEngine, observer: any TokenObserver,
    ended: @escaping @Sendable () -> Void
  ) -> TokenStream {
    let source = TokenStream(prompt, on: engine, observer: NoObserver(), ended: ended)
    let (tokens, continuation) = AsyncThrowingStream.makeStream(of: Token.self)
    let collector = Task {
      var all: [Token] = []
      var failure: (any Error)?
      do {
        for try await token in source { all.append(token) }
      } catch {
        failure = error
      }
      for token in all {
        if case .terminated = continuation.yield(token) { observer.tokenDropped(prompt, index: token.index) }
      }
      continuation.finish(throwing: failure)
    }
    // Otherwise sound: a reader that leaves ends the collecting, and so the engine.
    continuation.onTermination = { _ in collector.cancel() }
    return TokenStream(prompt, tokens, observer: observer) { continuation.finish() }
  }
}
