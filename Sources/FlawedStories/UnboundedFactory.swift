public import StoryPipeline
import Synchronization

/// Flaw: the coordinator publishes through an `AsyncStream` without a bound.
///
/// `yield` never waits, so the stage runs ahead of its consumer as fast as its provider answers.
/// Sound: ``HandoverFactory``.
public struct UnboundedFactory: PublicationFactory {
  /// It has no state.
  public init() {}

  /// An ``UnboundedChannel``.
  public func makeChannel<Element: Sendable>(of element: Element.Type) -> any PublicationChannel<Element> {
    UnboundedChannel<Element>()
  }
}

/// A channel that takes everything at once.
public final class UnboundedChannel<Element: Sendable>: PublicationChannel {
  private let continuation: AsyncThrowingStream<Element, any Error>.Continuation
  private let stream: AsyncThrowingStream<Element, any Error>
  private let isCancelled = Mutex(false)
  private let actions = Mutex<[@Sendable () -> Void]>([])

  /// An open channel.
  public init() { (stream, continuation) = AsyncThrowingStream.makeStream(of: Element.self) }

  /// Never waits. Throws `CancellationError` after a cancel, so that this twin has one flaw only.
  public func send(_ element: Element) async throws {
    try Task.checkCancellation()
    if isCancelled.withLock({ $0 }) { throw CancellationError() }
    continuation.yield(element)
  }

  /// No more comes.
  public func finish() { continuation.finish() }

  /// Ends at once.
  public func cancel() {
    let isFirst = isCancelled.withLock { isCancelled in
      defer { isCancelled = true }
      return !isCancelled
    }
    guard isFirst else { return }
    continuation.finish(throwing: CancellationError())
    let actions = actions.withLock { actions in
      defer { actions = [] }
      return actions
    }
    for action in actions { action() }
  }

  /// Takes the next element.
  public func receive() async throws -> Element? {
    try Task.checkCancellation()
    var iterator = stream.makeAsyncIterator()
    return try await withTaskCancellationHandler {
      try await iterator.next()
    } onCancel: {
      cancel()
    }
  }

  /// Sets what to do when the consumer leaves.
  public func onCancel(_ action: @escaping @Sendable () -> Void) {
    actions.withLock { $0.append(action) }
    if isCancelled.withLock({ $0 }) { action() }
  }
}
