/// Shows the latest price of a symbol.
@MainActor
public final class PriceViewModel {
  /// The price shown; nil before the first.
  public private(set) var latestPrice: Price?
  /// Called after each change.
  public var onChange: ((Price) -> Void)?

  private let open: @Sendable (String) -> Prices
  private let follower: any PriceFollower
  private var task: Task<Void, Never>?
  /// Of the feed that may change what is shown.
  private var generation = 0

  /// A model that opens its feeds with `open`.
  public init(follower: any PriceFollower = WeakFollower(), open: @escaping @Sendable (String) -> Prices) {
    self.follower = follower
    self.open = open
  }

  deinit { task?.cancel() }

  /// Follows the symbol from now on, and nothing else.
  public func start(symbol: String) {
    if let task { follower.replaced(task) }
    generation += 1
    task = follower.follow(self, generation: generation, prices: open(symbol))
  }

  /// Follows nothing any more. No price is shown after this has returned, though some may wait in the buffer.
  public func stop() {
    task?.cancel()
    task = nil
    generation += 1
  }

  /// Shows a price of the feed that was started as that generation. False if it is not the present one.
  public func show(_ price: Price, of generation: Int) -> Bool {
    guard generation == self.generation else { return false }
    show(price)
    return true
  }

  /// Shows a price, whoever brings it.
  public func show(_ price: Price) {
    latestPrice = price
    onChange?(price)
  }
}

/// How a view model follows its feed.
public protocol PriceFollower: Sendable {
  /// Another feed takes the place of the one that this task follows.
  @MainActor func replaced(_ task: Task<Void, Never>)
  /// Begins to show prices in the model.
  @MainActor func follow(_ model: PriceViewModel, generation: Int, prices: Prices) -> Task<Void, Never>
}

/// Looks for the model at each price, so that the loop keeps it no longer than its owner does.
public struct WeakFollower: PriceFollower {
  /// It has no state.
  public init() {}

  /// Cancels it.
  @MainActor public func replaced(_ task: Task<Void, Never>) { task.cancel() }

  /// Ends with the feed, with the model, or when another feed or a stop has taken its place.
  @MainActor public func follow(
    _ model: PriceViewModel, generation: Int, prices: Prices
  ) -> Task<Void, Never> {
    Task { @MainActor [weak model] in
      for await price in prices {
        guard let model, model.show(price, of: generation) else { return }
      }
    }
  }
}
