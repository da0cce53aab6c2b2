import Synchronization

/// Starts generations for many callers.
public protocol Inference: Sendable {
  /// A running generation, as soon as it is this caller's turn.
  ///
  /// - Throws: `CancellationError` for a caller that is cancelled while it waits.
  func generate(_ prompt: Prompt, observer: any TokenObserver) async throws -> TokenStream
}

/// How a generation becomes a stream: prompt, engine, observer, and what to call when the engine has ended.
public typealias StreamFactory =
  @Sendable (Prompt, any TokenEngine, any TokenObserver, @escaping @Sendable () -> Void) -> TokenStream

/// Keeps a model that must never run two generations at once.
///
/// The next caller's turn comes when the engine itself says that it has ended, by finishing, failing, or having
/// stopped: not when a reader leaves, and not when a method returns. An actor does not give that: it is free again
/// as soon as `generate` has returned its stream, while the generation goes on. So the turn is a place in a queue
/// under a lock, taken before the engine starts and given up by the engine's last event.
///
/// Callers are served in the order in which they came. One that is cancelled while it waits leaves the queue.
/// Waiting costs no task.
public final class InferenceEngine: Inference {
  private typealias Waiter = CheckedContinuation<Bool, Never>

  private let engine: any TokenEngine
  private let makeStream: StreamFactory
  private let queue = Mutex(GenerationQueue<Waiter>())
  private let lastNumber = Atomic<UInt64>(0)

  /// Keeps `engine`; nobody else may start it.
  public init(
    _ engine: any TokenEngine,
    makeStream: @escaping StreamFactory = { TokenStream($0, on: $1, observer: $2, ended: $3) }
  ) {
    self.engine = engine
    self.makeStream = makeStream
  }

  /// Callers that wait now.
  public var waiting: Int { queue.withLock { $0.waiting } }

  /// Waits for the turn and starts the engine.
  public func generate(_ prompt: Prompt, observer: any TokenObserver) async throws -> TokenStream {
    try Task.checkCancellation()
    observer.callerAsked(prompt)
    if !queue.withLock({ $0.ask() }), await !turn(prompt, observer) {
      observer.callerLeft(prompt)
      throw CancellationError()
    }
    // The turn may have come together with the cancel.
    if Task.isCancelled {
      release()
      observer.callerLeft(prompt)
      throw CancellationError()
    }
    return makeStream(prompt, engine, observer) { self.release() }
  }

  /// Waits; false for a caller that was cancelled meanwhile.
  private func turn(_ prompt: Prompt, _ observer: any TokenObserver) async -> Bool {
    let number = lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
    defer { queue.withLock { $0.forget(number) } }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        switch queue.withLock({ $0.enter(number, continuation) }) {
        case .turn: continuation.resume(returning: true)
        case .left: continuation.resume(returning: false)
        case .waits: observer.callerQueued(prompt)
        }
      }
    } onCancel: {
      queue.withLock { $0.leave(number) }?.resume(returning: false)
    }
  }

  private func release() { queue.withLock { $0.finish() }?.resume(returning: true) }
}
