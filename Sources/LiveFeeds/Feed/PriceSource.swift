/// A service that calls back with each price: what the feed bridges.
public protocol PriceSource: Sendable {
  /// Calls `onPrice` with each price of the symbol, from any thread, until the subscription is cancelled or
  /// `onEnd` has been called. Both may be called before this returns, and `onPrice` once more, from another
  /// thread, while the subscription is being cancelled.
  func subscribe(
    _ symbol: String, onPrice: @escaping @Sendable (Price) -> Void, onEnd: @escaping @Sendable () -> Void
  ) -> any PriceSubscription
}

/// A subscription of one caller.
public protocol PriceSubscription: Sendable {
  /// Ends it; a second time does nothing.
  func cancel()
}

/// A source that is asked for one price after the other.
public protocol PulledPriceSource: Sendable {
  /// The price of this number, when there is one; nil at the end, or for a cancelled caller.
  func price(_ number: Int) async -> Price?
}
