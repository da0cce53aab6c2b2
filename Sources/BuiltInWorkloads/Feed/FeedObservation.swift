internal import LiveFeeds
internal import Measurement
internal import Synchronization
internal import WorkloadInterface

/// Counts the prices of one stream.
final class FeedObservation: FeedObserver {
  /// What is known of a stream at its end.
  struct Summary {
    var peak = 0
    var droppedAndDelivered = 0
    var droppedSilently = 0
    var refused: Int64 = 0
    /// Prices that the stream took when its consumer had left, where the leaving did not end it.
    var keptForNobody: Int64 = 0
    /// From the moment the limit was passed to the peak, in ns.
    var rising: Int64 = 0
  }

  private struct State {
    var ledger = TickLedger()
    var summary = Summary()
    var passedLimitAt: Int64?
    var lastDeliveryAt: Int64?
    var left = false
    var acceptedAfterLeft: Int64 = 0
    var wasCancelled = false
  }

  private let iteration: Iteration
  private let limit: Int?
  private let figures: FeedFigures
  private let clock: CellClock
  private let state = Mutex(State())

  /// `limit`: the most prices that may wait, or be in a consumer's hand; nil without a bound.
  init(_ iteration: Iteration, limit: Int?, figures: FeedFigures, clock: CellClock) {
    self.iteration = iteration
    self.limit = limit
    self.figures = figures
    self.clock = clock
  }

  func offered(_ price: Price) {
    state.withLock { if $0.ledger.offer(price.number) { figures.made.add() } }
  }

  func accepted(_ price: Price) {
    let now = clock.now()
    state.withLock { state in
      let peak = state.ledger.peak
      state.ledger.accept(price.number)
      if state.left { state.acceptedAfterLeft += 1 }
      let level = state.ledger.level
      figures.depth.set(Int64(level))
      figures.depthSeries.record(Int64(level), at: now)
      guard let limit else { return }
      if level > limit, state.passedLimitAt == nil { state.passedLimitAt = now }
      if level > peak, let passed = state.passedLimitAt { state.summary.rising = now - passed }
    }
  }

  func dropped(_ price: Price, for newer: Price?) {
    let now = clock.now()
    state.withLock { state in
      guard state.ledger.drop(price.number) else { return }
      figures.dropped.add()
      figures.bufferDropped.add()
      (newer != nil ? figures.droppedBuffered : figures.droppedOffered).add()
      figures.age.record(now - price.made(in: clock), in: iteration)
    }
  }

  func refused(_ price: Price) {
    state.withLock { state in
      guard state.ledger.refuse(price.number) else { return }
      state.summary.refused += 1
      figures.refused.add()
    }
  }

  func ended(_ ending: FeedEnding) {
    figures.ended(ending)
    if ending == .cancelled { state.withLock { $0.wasCancelled = true } }
  }

  /// A consumer has it.
  func delivered(_ price: Price) {
    let now = clock.now()
    state.withLock { state in
      guard state.ledger.deliver(price.number) else { return }
      figures.delivered.add()
      figures.depthSeries.record(Int64(state.ledger.level), at: now)
      figures.atView.record(now - price.made(in: clock), in: iteration)
      if let last = state.lastDeliveryAt { figures.interElement.record(now - last, in: iteration) }
      state.lastDeliveryAt = now
    }
  }

  /// The consumer left by its own will: what waits for it is withdrawn.
  func consumerLeft() { state.withLock { $0.left = true } }

  /// Prices that are not with a consumer yet.
  var waiting: Int { state.withLock { $0.ledger.waiting } }

  /// Those of them that a consumer is still there for.
  var awaited: Int { state.withLock { $0.left ? 0 : $0.ledger.waiting } }

  /// Nothing more comes: counts what has no fate, and says what was seen.
  func close(ended: Bool) -> Summary {
    state.withLock { state in
      var summary = state.summary
      summary.peak = state.ledger.peak
      if !state.wasCancelled { summary.keptForNobody = state.acceptedAfterLeft }
      summary.droppedAndDelivered = state.ledger.droppedAndDelivered
      if ended, !state.left { summary.droppedSilently = state.ledger.unaccounted }
      let rest = Int64(state.ledger.close())
      if !ended {
        figures.buffered.add(rest)
      } else if state.left {
        figures.dropped.add(rest)
        figures.withdrawn.add(rest)
      } else {
        figures.lost.add(rest)
      }
      return summary
    }
  }
}

extension Price {
  /// When it was made, in ns of the cell.
  func made(in clock: CellClock) -> Int64 { (madeAt - clock.start).nanoseconds }
}

extension Duration {
  /// In whole ns.
  var nanoseconds: Int64 {
    components.seconds &* 1_000_000_000 &+ components.attoseconds / 1_000_000_000
  }
}
