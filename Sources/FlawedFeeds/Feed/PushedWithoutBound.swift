public import LiveFeeds

/// Flaw: a wrapper that hides the type of a feed hides its bound too.
///
/// What was to be pulled, or held within a limit, is pushed into a stream without one, and memory grows as long
/// as the source is faster than its consumer. Sound: ``FeedComponents`` opens what the request asks for.
public enum PushedWithoutBound {
  /// Ignores the request's buffering.
  public static func open(_ request: FeedRequest) -> AsyncStream<Price> {
    PriceFeed(source: request.source, buffering: .unbounded, observer: request.observer)
      .prices(for: request.symbol)
  }

  /// Pulls as fast as the source answers.
  public static func pull(_ source: any PulledPriceSource, _ observer: any FeedObserver) -> AsyncStream<Price>
  {
    AsyncStream { continuation in
      let pump = Task {
        for await price in PulledPrices(source) { continuation.yield(price) }
        continuation.finish()
      }
      continuation.onTermination = { _ in pump.cancel() }
    }
  }
}
