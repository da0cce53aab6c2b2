/// What a feed is to be.
public struct FeedRequest: Sendable {
  /// How the stream is made; both behave alike.
  public enum Form: String, Sendable, CaseIterable {
    /// By a closure that is given the continuation.
    case closure
    /// As a pair of stream and continuation.
    case makeStream = "make-stream"
  }

  /// Who calls back.
  public var source: any PriceSource
  /// What to subscribe to.
  public var symbol: String
  /// What happens to prices not taken yet.
  public var buffering: FeedBuffering
  /// How the stream is made.
  public var form: Form
  /// Who watches.
  public var observer: any FeedObserver

  /// Makes a request.
  public init(
    source: any PriceSource, symbol: String, buffering: FeedBuffering, form: Form = .closure,
    observer: any FeedObserver = UnobservedFeed()
  ) {
    self.source = source
    self.symbol = symbol
    self.buffering = buffering
    self.form = form
    self.observer = observer
  }
}

/// The parts that a feed is made of; each can be replaced by itself.
public struct FeedComponents: Sendable {
  /// Opens a stream.
  public var open: @Sendable (FeedRequest) -> Prices = FeedComponents.soundOpen
  /// Opens one stream of several symbols; the request's symbol is not used.
  public var merge: @Sendable (FeedRequest, [String]) -> Prices = { request, symbols in
    MergedPrices(source: request.source, buffering: request.buffering, observer: request.observer)
      .prices(for: symbols)
  }
  /// Opens a feed by demand.
  public var pull: @Sendable (any PulledPriceSource, any FeedObserver) -> Prices = { source, _ in
    PulledPrices(source)
  }
  /// Makes one subscription for many consumers.
  public var distribute: @Sendable (any PriceSource, String) -> any PriceDistribution = {
    PriceHub(source: $0, symbol: $1)
  }
  /// How a view model follows a feed.
  public var follower: any PriceFollower = WeakFollower()

  /// All sound.
  public init() {}

  private static let soundOpen: @Sendable (FeedRequest) -> Prices = { request in
    let feed = PriceFeed(source: request.source, buffering: request.buffering, observer: request.observer)
    return switch request.form {
    case .closure: feed.prices(for: request.symbol)
    case .makeStream: feed.makePrices(for: request.symbol).stream
    }
  }
}
