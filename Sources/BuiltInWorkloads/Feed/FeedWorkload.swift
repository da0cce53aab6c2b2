internal import FlawedFeeds
internal import LiveFeeds
internal import ProviderScripts
public import WorkloadInterface

/// A callback price feed bridged into streams, and consumers who read them, or a view model that shows them.
///
/// The strategies are the buffering policies of the stream, and a feed that is pulled. The depth of a stream is
/// the number of prices that it has and its consumer does not. Findings come from what the market, the streams
/// and the view saw, in every cell alike.
public struct FeedWorkload: Workload {
  /// The workload has no state.
  public init() {}

  /// What can be set.
  public var declaration: WorkloadDeclaration {
    WorkloadDeclaration(
      name: "feed",
      about: "A market calls back with prices; streams buffer them, consumers or a view model read them.",
      strategies: FeedStrategy.declared,
      providers: [
        ProviderDeclaration(
          name: "prices", about: "Makes the market's prices; `pull` asks it for each.", isStreaming: true,
          defaultScript: ProviderScript(
            latency: Defaults.constant(1_000_000), firstToken: Defaults.constant(1_000_000),
            betweenTokens: Defaults.exponential(mean: 5_000_000)))
      ],
      behaviour: FeedBehaviour.declared,
      flaws: FeedFlaw.allCases.map {
        FlawDeclaration(
          name: $0.rawValue, about: $0.about, finding: Self.finding(naming: $0), report: $0.report)
      },
      findings: FeedOracles.declarations,
      metrics: FeedFigures.metrics)
  }

  /// Prepares one cell.
  public func makeSession(_ cell: CellContext) throws -> any WorkloadSession {
    let strategy = try FeedStrategy(cell.strategy)
    let behaviour = FeedBehaviour(cell.behaviour)
    try behaviour.check(strategy)
    var components = FeedComponents()
    if let name = cell.flaw {
      guard let flaw = FeedFlaw(rawValue: name) else {
        throw WorkloadError("no flaw of `feed` is called `\(name)`", key: "variant")
      }
      components = flaw.components
    }
    guard let prices = ScriptedProvider("prices", in: cell) else {
      throw WorkloadError("the prices provider has no script", key: "providers.prices")
    }
    return FeedSession(
      cell: cell, strategy: strategy, behaviour: behaviour, components: components, prices: prices)
  }

  /// The finding that names a flaw.
  static func finding(naming flaw: FeedFlaw) -> String {
    switch flaw {
    case .neverUnsubscribed: FeedOracles.neverUnsubscribed.name
    case .heldAfterBreak: FeedOracles.openForNobody.name
    case .secondStartDoubles: FeedOracles.doubled.name
    case .shownAfterStop: FeedOracles.shownAfterStop.name
    case .modelKeptByFeed: RetainedViewModel.declaration.name
    case .dropMisreported: FeedOracles.dropMisreported.name
    case .pushedWithoutBound: FeedOracles.unboundedGrowth.name
    case .emptyMergeNeverEnds: FeedOracles.neverEnded.name
    case .finishedUnderLock: "hung"
    case .oneReaderWoken: FeedOracles.neverEnded.name
    }
  }
}
