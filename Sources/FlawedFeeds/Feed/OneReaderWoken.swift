public import LiveFeeds
import Synchronization

/// Flaw: the end of a feed wakes the reader that has waited longest, and forgets the others.
///
/// Several readers of one feed wait for good. Sound: an `AsyncStream` ends for all of them.
public struct OneReaderWoken: AsyncSequence, Sendable {
  private let line: ReaderLine

  /// Subscribes at once. Has no bound.
  public init(_ request: FeedRequest) {
    let line = ReaderLine()
    self.line = line
    let observer = request.observer
    line.slot.fill(
      request.source.subscribe(
        request.symbol,
        onPrice: { [weak line] price in
          observer.offered(price)
          observer.accepted(price)
          line?.add(price)
        },
        onEnd: { [weak line] in
          observer.ended(.finished)
          line?.end()
        }))
  }

  /// Waits in the line.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let line: ReaderLine
    /// The next price; nil for who learns of the end, and for a cancelled task.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Price? { await line.next() }
  }

  /// One more reader.
  public func makeAsyncIterator() -> Iterator { Iterator(line: line) }
}

/// Prices that wait, or readers that do.
private final class ReaderLine: Sendable {
  private struct State {
    var prices: [Price] = []
    var readers: [(number: Int, continuation: CheckedContinuation<Price?, Never>)] = []
    var lastNumber = 0
    var isOver = false
  }
  let slot = SubscriptionSlot()
  private let state = Mutex(State())

  deinit { slot.end() }

  func add(_ price: Price) {
    let reader = state.withLock { state -> CheckedContinuation<Price?, Never>? in
      guard !state.readers.isEmpty else {
        state.prices.append(price)
        return nil
      }
      return state.readers.removeFirst().continuation
    }
    reader?.resume(returning: price)
  }

  func end() {
    let reader = state.withLock { state in
      state.isOver = true
      return state.readers.isEmpty ? nil : state.readers.removeFirst().continuation
    }
    reader?.resume(returning: nil)
    slot.end()
  }

  func next() async -> Price? {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let now = state.withLock { state -> Price?? in
          if !state.prices.isEmpty { return state.prices.removeFirst() }
          if state.isOver || Task.isCancelled { return .some(nil) }
          state.readers.append((number, continuation))
          return nil
        }
        if let now { continuation.resume(returning: now) }
      }
    } onCancel: {
      let reader = state.withLock { state -> CheckedContinuation<Price?, Never>? in
        guard let index = state.readers.firstIndex(where: { $0.number == number }) else { return nil }
        return state.readers.remove(at: index).continuation
      }
      reader?.resume(returning: nil)
    }
  }
}
