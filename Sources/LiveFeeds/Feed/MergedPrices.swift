import Synchronization

/// The prices of several symbols in one stream, in the order in which they come.
///
/// It ends when the last source has ended: at once where there is none.
public struct MergedPrices: Sendable {
  private let source: any PriceSource
  private let buffering: FeedBuffering
  private let observer: any FeedObserver

  /// A merge of subscriptions to this source.
  public init(
    source: any PriceSource, buffering: FeedBuffering, observer: any FeedObserver = UnobservedFeed()
  ) {
    self.source = source
    self.buffering = buffering
    self.observer = observer
  }

  /// One stream of all these symbols' prices.
  public func prices(for symbols: [String]) -> AsyncStream<Price> {
    let (stream, continuation) = AsyncStream.makeStream(of: Price.self, bufferingPolicy: buffering.policy)
    let slots = symbols.map { _ in SubscriptionSlot() }
    let open = OpenSources(symbols.count)
    let observer = observer
    continuation.onTermination = { termination in
      for slot in slots { slot.end() }
      observer.ended(termination == .cancelled ? .cancelled : .finished)
    }
    guard !symbols.isEmpty else {
      continuation.finish()
      return stream
    }
    for (symbol, slot) in zip(symbols, slots) {
      slot.fill(
        source.subscribe(
          symbol,
          onPrice: { price in
            observer.offered(price)
            observer.told(continuation.yield(price), of: price)
          }, onEnd: { if open.endedOne() { continuation.finish() } }))
    }
    return stream
  }
}

/// How many sources of a merge have not ended.
private final class OpenSources: Sendable {
  private let count: Atomic<Int>
  init(_ count: Int) { self.count = Atomic(count) }

  /// One has ended; true if it was the last.
  func endedOne() -> Bool { count.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 }
}
