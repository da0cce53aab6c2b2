public import LiveFeeds
import Synchronization

/// Flaw: every stream is also put on a list, and stays there.
///
/// Whoever leaves a loop by `break` lets go of its iterator alone: a stream that something else holds has not ended,
/// its termination handler is not called, and the source calls back on. A cancel would end it, held or not. Sound: the
/// stream is held by its consumer alone.
public final class HeldStreams: Sendable {
  private let streams = Mutex<[Prices]>([])

  /// An empty list.
  public init() {}

  /// The sound stream, held here as well.
  public func open(_ request: FeedRequest) -> Prices {
    let stream = FeedComponents().open(request)
    streams.withLock { $0.append(stream) }
    return stream
  }
}
