public import LiveFeeds

/// Flaw: whatever the buffer gave up, the price just offered is said to be the dropped one.
///
/// With `newest` the buffer gives up an older one: the report names prices that arrive later, and is silent
/// about those that never do. Sound: what the stream says was dropped.
public enum MisreportedDrops {
  /// A stream that unsubscribes as it should.
  public static func open(_ request: FeedRequest) -> AsyncStream<Price> {
    AsyncStream(bufferingPolicy: request.buffering.policy) { continuation in
      let (slot, observer) = (SubscriptionSlot(), request.observer)
      continuation.onTermination = { termination in
        slot.end()
        observer.ended(termination == .cancelled ? .cancelled : .finished)
      }
      slot.fill(
        request.source.subscribe(
          request.symbol,
          onPrice: { price in
            observer.offered(price)
            switch continuation.yield(price) {
            case .dropped: observer.dropped(price, for: nil)
            case let result: observer.told(result, of: price)
            }
          }, onEnd: { continuation.finish() }))
    }
  }
}
