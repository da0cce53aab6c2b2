internal import LiveFeeds
internal import Measurement
internal import SeededDraws
internal import Synchronization
internal import WorkloadInterface

/// The price service of one iteration: calls back everyone who is subscribed, and counts it.
final class ScriptedMarket: PriceSource {
  private struct Subscriber {
    let symbol: String
    let onPrice: @Sendable (Price) -> Void
    let onEnd: @Sendable () -> Void
    /// Prices with which it is called though it was cancelled; nil while it was not.
    var late: Int?
  }
  private struct State {
    var subscribers: [Subscriber?] = []
    var open = 0
  }

  private let state = Mutex(State())
  private let lastNumber = Atomic(0)
  private let symbols: [String]
  private let lateTicks: Int
  private let draws: DrawStream
  private let iteration: Int
  private let clock: CellClock
  private let subscriptions: Counter

  init(
    _ behaviour: FeedBehaviour, iteration: Iteration, draws: DrawStream, clock: CellClock,
    subscriptions: Counter
  ) {
    symbols = behaviour.symbols
    lateTicks = behaviour.lateTicks
    self.draws = draws
    self.iteration = iteration.index
    self.clock = clock
    self.subscriptions = subscriptions
  }

  /// Subscriptions that nobody has cancelled.
  var openCount: Int { state.withLock { $0.open } }

  func subscribe(
    _ symbol: String, onPrice: @escaping @Sendable (Price) -> Void, onEnd: @escaping @Sendable () -> Void
  ) -> any PriceSubscription {
    subscriptions.add()
    return state.withLock { state in
      state.subscribers.append(Subscriber(symbol: symbol, onPrice: onPrice, onEnd: onEnd))
      state.open += 1
      return Subscription(market: self, number: state.subscribers.count - 1)
    }
  }

  /// The next price, of the next symbol in turn, to all its subscribers. From any thread.
  func tick() {
    guard !symbols.isEmpty else { return }
    let price = makePrice()
    let called = state.withLock { state -> [@Sendable (Price) -> Void] in
      var called: [@Sendable (Price) -> Void] = []
      for index in state.subscribers.indices {
        guard let subscriber = state.subscribers[index], subscriber.symbol == price.symbol else { continue }
        called.append(subscriber.onPrice)
        if let late = subscriber.late {
          state.subscribers[index]?.late = late - 1
          if late <= 1 { state.subscribers[index] = nil }
        }
      }
      return called
    }
    for call in called { call(price) }
  }

  /// The next price, made now.
  func makePrice() -> Price {
    let number = lastNumber.wrappingAdd(1, ordering: .relaxed).oldValue
    let cents = 10_000 + Int64(draws.bits(iteration: iteration, slot: number) % 2_000)
    return Price(
      symbol: symbols[number % symbols.count], cents: cents, number: number, madeAt: ContinuousClock.now)
  }

  /// All sources end.
  func end() {
    let ended = state.withLock { $0.subscribers.compactMap { $0?.late == nil ? $0?.onEnd : nil } }
    for call in ended { call() }
  }

  private func cancel(_ number: Int) {
    state.withLock { state in
      guard state.subscribers[number] != nil, state.subscribers[number]?.late == nil else { return }
      state.open -= 1
      if lateTicks > 0 {
        state.subscribers[number]?.late = lateTicks
      } else {
        state.subscribers[number] = nil
      }
    }
  }

  private struct Subscription: PriceSubscription {
    let market: ScriptedMarket
    let number: Int
    func cancel() { market.cancel(number) }
  }
}
