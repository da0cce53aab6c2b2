/// Bridges a source that calls back into streams, one subscription for each stream.
///
/// A stream unsubscribes when it ends, whatever the reason: the source ended, the consumer's task was cancelled,
/// or nobody holds the stream and its iterator any more. Leaving a loop by `break` ends the stream only when it
/// is held nowhere else.
public struct PriceFeed: Sendable {
  private let source: any PriceSource
  private let buffering: FeedBuffering
  private let observer: any FeedObserver

  /// A feed of this source.
  public init(
    source: any PriceSource, buffering: FeedBuffering, observer: any FeedObserver = UnobservedFeed()
  ) {
    self.source = source
    self.buffering = buffering
    self.observer = observer
  }

  /// A stream of the symbol's prices, subscribed at once.
  public func prices(for symbol: String) -> AsyncStream<Price> {
    AsyncStream(bufferingPolicy: buffering.policy) { connect($0, to: symbol) }
  }

  /// The same, made as a pair: whoever has the continuation may add prices of its own or end the stream.
  public func makePrices(
    for symbol: String
  ) -> (stream: AsyncStream<Price>, continuation: AsyncStream<Price>.Continuation) {
    let (stream, continuation) = AsyncStream.makeStream(of: Price.self, bufferingPolicy: buffering.policy)
    connect(continuation, to: symbol)
    return (stream, continuation)
  }

  private func connect(_ continuation: AsyncStream<Price>.Continuation, to symbol: String) {
    let slot = SubscriptionSlot()
    let observer = observer
    // Before there is a subscription: a stream that ended without a handler never calls one set later.
    continuation.onTermination = { termination in
      slot.end()
      observer.ended(termination == .cancelled ? .cancelled : .finished)
    }
    slot.fill(
      source.subscribe(
        symbol,
        onPrice: { price in
          observer.offered(price)
          observer.told(continuation.yield(price), of: price)
        }, onEnd: { continuation.finish() }))
  }
}
