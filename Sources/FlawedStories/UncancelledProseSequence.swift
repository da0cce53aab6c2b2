public import StoryPipeline
import Synchronization

/// Flaw: the iterator starts a task, and no one holds it.
///
/// The consumer leaves, the provider writes on to the end of the story, into a buffer without bound.
/// Sound: ``ProseStage``, whose iterator cancels the task when it goes.
public struct UncancelledProseSequence: AsyncSequence, Sendable {
  /// What the stage hands on.
  public typealias Element = ProseEvent

  private let source: ProseSource

  /// A sequence that starts nothing yet.
  public init(_ source: ProseSource) { self.source = source }

  /// Starts the task that nobody cancels.
  public func makeAsyncIterator() -> Iterator {
    let (stream, continuation) = AsyncStream.makeStream(of: ProseEvent.self)
    let source = self.source
    Task {
      let made = Mutex(0)
      do {
        try await source.write { event in
          if case .paragraph = event {
            let index = made.withLock { made in
              defer { made += 1 }
              return made
            }
            source.observer.paragraphMade(index: index)
          }
          continuation.yield(event)
        }
        continuation.yield(.progress(1))
        continuation.yield(.complete)
      } catch {
        continuation.yield(.failure(StageFailure(error, slot: 0)))
      }
      continuation.finish()
    }
    return Iterator(stream: stream.makeAsyncIterator())
  }

  /// The consumer's end.
  public struct Iterator: AsyncIteratorProtocol {
    var stream: AsyncStream<ProseEvent>.Iterator

    /// The next event. Declared throwing like the sound stage's; never throws.
    public mutating func next() async throws -> ProseEvent? { await stream.next() }
  }
}
