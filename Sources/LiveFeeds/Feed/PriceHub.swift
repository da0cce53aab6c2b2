import Synchronization

/// One subscription for many consumers: each gets every price, through a buffer of its own. Whoever made it
/// holds it; without it the streams end.
public final class PriceHub: PriceDistribution {
  private struct Member {
    let continuation: AsyncStream<Price>.Continuation
    let observer: any FeedObserver
  }
  private struct State {
    var members: [Int: Member] = [:]
    var lastNumber = 0
    var isClosed = false
  }
  private let state = Mutex(State())
  private let slot = SubscriptionSlot()

  /// Subscribes to the symbol.
  public init(source: any PriceSource, symbol: String) {
    slot.fill(
      source.subscribe(
        symbol, onPrice: { [weak self] in self?.distribute($0) }, onEnd: { [weak self] in self?.closeAll() }))
  }

  deinit { closeAll() }

  /// A stream of its own for one more consumer; one that comes after the end is empty.
  public func join(buffering: FeedBuffering, observer: any FeedObserver) -> AsyncStream<Price> {
    let (stream, continuation) = AsyncStream.makeStream(of: Price.self, bufferingPolicy: buffering.policy)
    let number = state.withLock { state -> Int? in
      guard !state.isClosed else { return nil }
      state.lastNumber += 1
      state.members[state.lastNumber] = Member(continuation: continuation, observer: observer)
      return state.lastNumber
    }
    guard let number else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] termination in
      self?.leave(number)
      observer.ended(termination == .cancelled ? .cancelled : .finished)
    }
    // Whoever closed the hub between the two finished a stream without a handler.
    if state.withLock({ $0.isClosed }) { leave(number) }
    return stream
  }

  /// Ends every stream and the subscription. The streams are finished outside the lock, because their
  /// termination handlers take it.
  public func closeAll() {
    let members = state.withLock { state in
      state.isClosed = true
      return state.members.sorted { $0.key < $1.key }.map(\.value)
    }
    for member in members { member.continuation.finish() }
    slot.end()
  }

  /// Consumers there are.
  public var count: Int { state.withLock { $0.members.count } }

  private func leave(_ number: Int) { state.withLock { _ = $0.members.removeValue(forKey: number) } }

  private func distribute(_ price: Price) {
    let members = state.withLock { state in state.members.sorted { $0.key < $1.key }.map(\.value) }
    for member in members {
      member.observer.offered(price)
      member.observer.told(member.continuation.yield(price), of: price)
    }
  }
}

/// One source for many consumers.
public protocol PriceDistribution: AnyObject, Sendable {
  /// A stream of its own for one more consumer.
  func join(buffering: FeedBuffering, observer: any FeedObserver) -> AsyncStream<Price>
  /// Ends every stream and the subscription.
  func closeAll()
  /// Consumers there are.
  var count: Int { get }
}
