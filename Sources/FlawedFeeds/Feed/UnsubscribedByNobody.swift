public import LiveFeeds

/// Flaw: the stream has no termination handler, so its subscription outlives every consumer.
///
/// The source calls back for ever, and each price reaches nobody. Sound: ``PriceFeed``.
public enum UnsubscribedByNobody {
  /// A stream that only the source can end.
  public static func open(_ request: FeedRequest) -> AsyncStream<Price> {
    AsyncStream(bufferingPolicy: request.buffering.policy) { continuation in
      let observer = request.observer
      _ = request.source.subscribe(
        request.symbol,
        onPrice: { price in
          observer.offered(price)
          observer.told(continuation.yield(price), of: price)
        }, onEnd: { continuation.finish() })
    }
  }
}
