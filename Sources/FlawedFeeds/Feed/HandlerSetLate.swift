public import LiveFeeds

/// Flaw: subscribes first and sets the handler that unsubscribes afterwards, as there is no subscription before.
///
/// A source that ends while it is being subscribed to ends the stream, and a handler set on a stream that has ended is
/// never called: the subscription stays. Sound: ``PriceFeed`` sets the handler first, and a ``SubscriptionSlot`` stands
/// for the subscription until there is one.
public enum HandlerSetLate {
  /// A stream that unsubscribes unless it ends too soon.
  public static func open(_ request: FeedRequest) -> AsyncStream<Price> {
    AsyncStream(bufferingPolicy: request.buffering.policy) { continuation in
      let observer = request.observer
      let subscription = request.source.subscribe(
        request.symbol,
        onPrice: { price in
          observer.offered(price)
          observer.told(continuation.yield(price), of: price)
        }, onEnd: { continuation.finish() })
      continuation.onTermination = { termination in
        subscription.cancel()
        observer.ended(termination == .cancelled ? .cancelled : .finished)
      }
    }
  }
}
