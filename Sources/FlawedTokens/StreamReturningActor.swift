public import TokenStreaming

/// Flaw: an actor whose method returns a stream, in the belief that callers queue up.
///
/// The actor is free as soon as the method returns, and the generation has only begun: the next caller starts
/// another beside it. Sound: ``InferenceEngine`` gives a turn back when the engine has ended.
public actor StreamReturningActor: Inference {
  private let engine: any TokenEngine
  private let makeStream: StreamFactory

  /// Keeps an engine, or means to.
  public init(_ engine: any TokenEngine, makeStream: @escaping StreamFactory) {
    self.engine = engine
    self.makeStream = makeStream
  }

  /// Starts a generation, whoever else's runs.
  public func generate(_ prompt: Prompt, observer: any TokenObserver) async throws -> TokenStream {
    observer.callerAsked(prompt)
    return makeStream(prompt, engine, observer) {}
  }
}
