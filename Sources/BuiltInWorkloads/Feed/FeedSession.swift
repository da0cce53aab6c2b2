internal import LiveFeeds
internal import Measurement
internal import ProviderScripts
internal import SeededDraws
internal import WorkloadInterface

/// The running side of `feed`.
final class FeedSession: WorkloadSession {
  let behaviour: FeedBehaviour
  let strategy: FeedStrategy
  let components: FeedComponents
  let figures: FeedFigures
  let recorder: Recorder
  let sink: ScriptedSink
  let prices: ScriptedProvider
  /// The draws of consumers who take their time.
  let reading: DrawStream
  let isReal: Bool
  private let market: DrawStream
  private let books = OpenBooks<FeedIteration>()

  init(
    cell: CellContext, strategy: FeedStrategy, behaviour: FeedBehaviour, components: FeedComponents,
    prices: ScriptedProvider
  ) {
    self.behaviour = behaviour
    self.strategy = strategy
    self.components = components
    self.prices = prices
    recorder = cell.recorder
    figures = FeedFigures(cell.recorder)
    figures.sources.set(Int64(behaviour.sources))
    sink = ScriptedSink(in: cell)
    isReal = cell.clock == .real
    reading = DrawStream(seed: cell.seed, name: "feed.reading")
    market = DrawStream(seed: cell.seed, name: "feed.market")
  }

  func run(_ iteration: Iteration) async -> IterationOutcome {
    let market = ScriptedMarket(
      behaviour, iteration: iteration, draws: market, clock: recorder.clock,
      subscriptions: figures.subscriptions)
    let book = FeedIteration(
      iteration, market: market, strategy: strategy, behaviour: behaviour, figures: figures,
      recorder: recorder)
    books.open(book, iteration: iteration.index)
    let outcome = await FeedRun(iteration, session: self, books: book).outcome()
    // What has a fate can be judged now; the rest when the cell is over.
    if book.isBalanced { book.close(ended: true) }
    books.ended(iteration: iteration.index)
    return outcome
  }

  func finish() async { books.close() }
}
