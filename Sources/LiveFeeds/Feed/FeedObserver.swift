/// Why a feed ended.
public enum FeedEnding: String, Sendable, Hashable, CaseIterable {
  /// The source ended it.
  case finished
  /// The consumer's task was cancelled, or nobody holds the stream any more.
  case cancelled
}

/// Watches one feed from the inside. Called from the thread of the source; must not block.
public protocol FeedObserver: Sendable {
  /// The source called back.
  func offered(_ price: Price)
  /// The price is in the buffer, or with a consumer that waited for it.
  func accepted(_ price: Price)
  /// The buffer's policy gave up this price: to make room for a newer one, or, where that is nil, itself when it
  /// was offered.
  func dropped(_ price: Price, for newer: Price?)
  /// The feed had ended: the price reaches nobody.
  func refused(_ price: Price)
  /// The feed has ended and unsubscribed.
  func ended(_ ending: FeedEnding)
}

/// Watches nothing.
public struct UnobservedFeed: FeedObserver {
  /// It has no state.
  public init() {}
  /// Nothing.
  public func offered(_ price: Price) {}
  /// Nothing.
  public func accepted(_ price: Price) {}
  /// Nothing.
  public func dropped(_ price: Price, for newer: Price?) {}
  /// Nothing.
  public func refused(_ price: Price) {}
  /// Nothing.
  public func ended(_ ending: FeedEnding) {}
}

extension FeedObserver {
  /// Tells what became of a price, by what the stream said about it.
  public func told(_ result: AsyncStream<Price>.Continuation.YieldResult, of price: Price) {
    switch result {
    case .enqueued: accepted(price)
    case .dropped(let lost):
      // With `newest` an older one is out, and the price itself is in.
      let isOlder = lost.number != price.number || lost.symbol != price.symbol
      dropped(lost, for: isOlder ? price : nil)
      if isOlder { accepted(price) }
    case .terminated: refused(price)
    @unknown default: accepted(price)
    }
  }
}
