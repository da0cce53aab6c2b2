import Dispatch
public import LiveFeeds
import Synchronization

/// Flaw: the streams are finished under the lock that their termination handlers take.
///
/// The thread waits for itself. Sound: ``PriceHub`` finishes outside the lock.
public final class LockedHub: PriceDistribution {
  private struct Member {
    let continuation: AsyncStream<Price>.Continuation
    let observer: any FeedObserver
  }
  /// A lock that waits for whoever holds it, be it its own thread.
  private let lock = DispatchSemaphore(value: 1)
  /// Never contended: taken inside `lock` only.
  private let members = Mutex<[Int: Member]>([:])
  private let lastNumber = Atomic(0)
  private let slot = SubscriptionSlot()

  /// Subscribes to the symbol.
  public init(source: any PriceSource, symbol: String) {
    slot.fill(
      source.subscribe(
        symbol, onPrice: { [weak self] in self?.distribute($0) }, onEnd: { [weak self] in self?.closeAll() }))
  }

  deinit {
    for member in members.withLock({ $0.values.map { $0 } }) { member.continuation.finish() }
    slot.end()
  }

  /// As the sound one.
  public func join(buffering: FeedBuffering, observer: any FeedObserver) -> AsyncStream<Price> {
    let (stream, continuation) = AsyncStream.makeStream(of: Price.self, bufferingPolicy: buffering.policy)
    let number = lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
    locked { $0[number] = Member(continuation: continuation, observer: observer) }
    continuation.onTermination = { [weak self] termination in
      self?.locked { _ = $0.removeValue(forKey: number) }
      observer.ended(termination == .cancelled ? .cancelled : .finished)
    }
    return stream
  }

  /// Waits for ever as soon as there is one consumer.
  public func closeAll() {
    lock.wait()
    defer { lock.signal() }
    for (_, member) in members.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      member.continuation.finish()
    }
    slot.end()
  }

  /// Consumers there are.
  public var count: Int { members.withLock { $0.count } }

  private func locked(_ change: (inout [Int: Member]) -> Void) {
    lock.wait()
    defer { lock.signal() }
    members.withLock { change(&$0) }
  }

  private func distribute(_ price: Price) {
    for (_, member) in members.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      member.observer.offered(price)
      member.observer.told(member.continuation.yield(price), of: price)
    }
  }
}
