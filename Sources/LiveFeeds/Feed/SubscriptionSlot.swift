import Synchronization

/// The place of a subscription between two things that may come in any order: the source hands it over, and
/// the feed ends.
///
/// A source may end while it is still subscribing, on another thread or on this one; whichever comes second
/// then cancels.
public final class SubscriptionSlot: Sendable {
  private enum State {
    case subscribing
    case open(any PriceSubscription)
    case ended
  }
  private let state = Mutex(State.subscribing)

  /// An empty slot.
  public init() {}

  /// The source has subscribed.
  public func fill(_ subscription: any PriceSubscription) {
    let isLate = state.withLock { state in
      if case .ended = state { return true }
      state = .open(subscription)
      return false
    }
    if isLate { subscription.cancel() }
  }

  /// The feed has ended: cancels what is subscribed, or what will be.
  public func end() {
    let subscription = state.withLock { state -> (any PriceSubscription)? in
      defer { state = .ended }
      if case .open(let subscription) = state { return subscription }
      return nil
    }
    subscription?.cancel()
  }
}
