public import LiveFeeds
import Synchronization

/// Flaw: a merge that ends when a source ends and it was the last. Of no sources none ever ends.
///
/// Sound: ``MergedPrices`` looks at the number of sources before it waits for one.
public enum EndlessMerge {
  /// One stream of all these symbols' prices.
  public static func open(_ request: FeedRequest, _ symbols: [String]) -> AsyncStream<Price> {
    AsyncStream(bufferingPolicy: request.buffering.policy) { continuation in
      let slots = symbols.map { _ in SubscriptionSlot() }
      let (observer, ended) = (request.observer, EndedSources())
      continuation.onTermination = { termination in
        for slot in slots { slot.end() }
        observer.ended(termination == .cancelled ? .cancelled : .finished)
      }
      let open: @Sendable (String) -> any PriceSubscription = { symbol in
        request.source.subscribe(
          symbol,
          onPrice: { price in
            observer.offered(price)
            observer.told(continuation.yield(price), of: price)
          }, onEnd: { if ended.another() == symbols.count { continuation.finish() } })
      }
      for (symbol, slot) in zip(symbols, slots) { slot.fill(open(symbol)) }
      // Kept for a source that may yet come, and never does.
      ended.keep(continuation)
    }
  }
}

private final class EndedSources: Sendable {
  private let count = Atomic(0)
  private let continuation = Mutex<AsyncStream<Price>.Continuation?>(nil)

  func another() -> Int { count.wrappingAdd(1, ordering: .relaxed).newValue }
  func keep(_ kept: AsyncStream<Price>.Continuation) { continuation.withLock { $0 = kept } }
}
