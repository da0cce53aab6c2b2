import LiveFeeds
import Synchronization

/// A source that is driven by hand.
final class HandSource: PriceSource {
  private struct Subscriber {
    let onPrice: @Sendable (Price) -> Void
    let onEnd: @Sendable () -> Void
    var isOpen = true
  }
  private let subscribers = Mutex<[Subscriber]>([])
  private let next = Atomic(0)
  /// Whether it ends while it subscribes.
  let endsAtOnce: Bool

  init(endsAtOnce: Bool = false) { self.endsAtOnce = endsAtOnce }

  var openCount: Int { subscribers.withLock { $0.count { $0.isOpen } } }

  func subscribe(
    _ symbol: String, onPrice: @escaping @Sendable (Price) -> Void, onEnd: @escaping @Sendable () -> Void
  ) -> any PriceSubscription {
    let number = subscribers.withLock { subscribers in
      subscribers.append(Subscriber(onPrice: onPrice, onEnd: onEnd))
      return subscribers.count - 1
    }
    if endsAtOnce { onEnd() }
    return Subscription(source: self, number: number)
  }

  /// Calls back everyone, also those who have cancelled, if `late`.
  func tick(_ count: Int = 1, late: Bool = false) {
    for _ in 0..<count {
      let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
      let price = Price(symbol: "A", cents: Int64(number), number: number, madeAt: .now)
      for call in subscribers.withLock({ $0.filter { late || $0.isOpen }.map(\.onPrice) }) { call(price) }
    }
  }

  func end() { for call in subscribers.withLock({ $0.filter(\.isOpen).map(\.onEnd) }) { call() } }

  private struct Subscription: PriceSubscription {
    let source: HandSource
    let number: Int
    func cancel() { source.subscribers.withLock { $0[number].isOpen = false } }
  }
}

/// Writes down what a feed says of itself.
final class Notes: FeedObserver {
  struct Seen {
    var offered: [Int] = []
    var accepted: [Int] = []
    var dropped: [Int] = []
    var refused: [Int] = []
    var endings: [FeedEnding] = []
  }
  private let state = Mutex(Seen())
  var seen: Seen { state.withLock { $0 } }

  func offered(_ price: Price) { state.withLock { $0.offered.append(price.number) } }
  func accepted(_ price: Price) { state.withLock { $0.accepted.append(price.number) } }
  func dropped(_ price: Price, for newer: Price?) { state.withLock { $0.dropped.append(price.number) } }
  func refused(_ price: Price) { state.withLock { $0.refused.append(price.number) } }
  func ended(_ ending: FeedEnding) { state.withLock { $0.endings.append(ending) } }
}

/// Pages by number, written down as they are asked for.
final class HandPages: PageSource {
  struct Broken: Error {}
  private let pages: [RawPage]
  private let failures: Mutex<Set<Int>>
  private let log = Mutex<[Int]>([])

  /// Each page fails once whose number, from 0, is in `failingOnce`.
  init(_ pages: [RawPage], failingOnce: Set<Int> = []) {
    self.pages = pages
    failures = Mutex(failingOnce)
  }

  /// Pages of so many rows each.
  convenience init(pages: Int, rows: Int, failingOnce: Set<Int> = []) {
    self.init(
      (0..<pages).map { page in
        RawPage(
          rows: (0..<rows).map { "\(page * rows + $0)" }, next: page + 1 < pages ? Self.token(page + 1) : nil)
      }, failingOnce: failingOnce)
  }

  static func token(_ page: Int) -> PageToken { PageToken(String(page)) }

  /// Pages asked for, in order.
  var asked: [Int] { log.withLock { $0 } }

  func page(at token: PageToken?) async throws -> RawPage {
    let page = token.flatMap { Int($0.text) } ?? 0
    log.withLock { $0.append(page) }
    if failures.withLock({ $0.remove(page) }) != nil { throw Broken() }
    // Never without end.
    if asked.count > 50 { throw Broken() }
    return pages[page]
  }
}

/// Chunks of bytes, cut as given.
struct HandChunks: AsyncSequence, Sendable {
  let chunks: [[UInt8]]

  init(_ text: String, size: Int) {
    let bytes = Array(text.utf8)
    chunks = stride(from: 0, to: bytes.count, by: size).map {
      Array(bytes[$0..<Swift.min($0 + size, bytes.count)])
    }
  }

  struct Iterator: AsyncIteratorProtocol {
    var rest: ArraySlice<[UInt8]>
    mutating func next() async throws -> [UInt8]? { rest.popFirst() }
  }

  func makeAsyncIterator() -> Iterator { Iterator(rest: chunks[...]) }
}

extension AsyncSequence {
  /// All elements.
  func all() async throws -> [Element] {
    var all: [Element] = []
    for try await element in self { all.append(element) }
    return all
  }
}
