internal import LiveFeeds
internal import Synchronization
internal import WorkloadInterface

/// The books of one iteration of `feed`: its market, its streams, its view.
final class FeedIteration: Books {
  private struct State {
    var streams: [FeedObservation] = []
    var unended: Int64 = 0
    var isClosed = false
    var kept: (any AnyObject & Sendable)?
  }

  let market: ScriptedMarket
  let watch: ViewWatch
  private let iteration: Iteration
  private let limit: Int?
  private let slack: Int
  /// Whether each stream has one consumer, who reads it in a loop.
  private let hasOneReaderEach: Bool
  private let consumers, sources: Int64
  private let figures: FeedFigures
  private let recorder: Recorder
  private let state = Mutex(State())

  init(
    _ iteration: Iteration, market: ScriptedMarket, strategy: FeedStrategy, behaviour: FeedBehaviour,
    figures: FeedFigures, recorder: Recorder
  ) {
    self.iteration = iteration
    self.market = market
    self.figures = figures
    self.recorder = recorder
    limit = strategy.limit
    // In the hands of consumers, and with threads that have not said yet what they pushed out.
    slack = (behaviour.isShared ? behaviour.consumers : 1) + behaviour.threads
    consumers = Int64(behaviour.consumers)
    sources = Int64(behaviour.sources)
    hasOneReaderEach = !behaviour.isShared && !behaviour.hasView
    watch = ViewWatch(shown: recorder.counter("feed.shown"))
  }

  /// Books for one more stream.
  func open() -> FeedObservation {
    let stream = FeedObservation(iteration, limit: limit, figures: figures, clock: recorder.clock)
    state.withLock { $0.streams.append(stream) }
    return stream
  }

  /// Every consumer so far has left by its own will.
  func consumersLeft() {
    for stream in state.withLock({ $0.streams }) { stream.consumerLeft() }
  }

  /// Consumers had nothing to read and no end, and were sent home.
  func sentHome(_ consumers: Int) { state.withLock { $0.unended += Int64(consumers) } }

  /// Keeps something until the books are closed.
  func keep(_ object: any AnyObject & Sendable) { state.withLock { $0.kept = object } }

  /// Prices that are not with a consumer yet, over all streams.
  var waiting: Int { state.withLock { $0.streams }.reduce(0) { $0 + $1.waiting } }

  /// Those of them that a consumer is still there for.
  var awaited: Int { state.withLock { $0.streams }.reduce(0) { $0 + $1.awaited } }

  var isBalanced: Bool { market.openCount == 0 && waiting == 0 }

  func close(ended: Bool) {
    let (streams, unended) = state.withLock { state -> ([FeedObservation], Int64) in
      defer { state.isClosed = true }
      return state.isClosed ? ([], 0) : (state.streams, state.unended)
    }
    var refused: Int64 = 0
    for stream in streams {
      let summary = stream.close(ended: ended)
      refused += summary.refused
      for finding in FeedOracles.judge(summary, limit: limit, slack: slack, iteration: iteration.index) {
        recorder.report(finding)
      }
      if hasOneReaderEach, let finding = FeedOracles.judgeLeaving(summary, iteration: iteration.index) {
        recorder.report(finding)
      }
    }
    for finding in watch.findings(iteration: iteration.index) { recorder.report(finding) }
    // Outside the lock: what is kept may end a feed when it goes.
    _ = state.withLock { $0.kept.take() }
    if unended > 0 {
      report(
        FeedOracles.neverEnded, ["consumers": consumers, "never-ended": unended],
        firstSighting: ["sources": sources])
    }
    if ended, market.openCount > 0, unended == 0 {
      report(
        FeedOracles.neverUnsubscribed,
        ["subscriptions-open": Int64(market.openCount), "prices-to-nobody": refused])
    }
  }

  private func report(
    _ finding: FindingDeclaration, _ evidence: [String: Int64], firstSighting: [String: Int64] = [:]
  ) {
    recorder.report(
      ReportedFinding(
        finding.name, evidence: evidence, firstSighting: firstSighting, iteration: iteration.index))
  }
}
