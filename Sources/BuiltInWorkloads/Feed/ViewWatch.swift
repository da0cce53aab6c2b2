internal import LiveFeeds
internal import Measurement
internal import Synchronization
internal import WorkloadInterface

/// What the scripted user of a view model sees, in the order in which it happens on the main actor.
final class ViewWatch: Sendable {
  private struct State {
    var seen = FateWindow()
    var shown = 0
    var twice: Int64 = 0
    var isStopped = false
    var afterStop: Int64 = 0
    var isLetGo = false
    var afterLettingGo: Int64 = 0
  }
  private let state = Mutex(State())
  private let shown: Counter

  init(shown: Counter) { self.shown = shown }

  /// The model shows a price; returns how many it has shown.
  func showed(_ price: Price) -> Int {
    shown.add()
    return state.withLock { state in
      state.shown += 1
      if state.seen.mark(price.number, .delivered)?.isFinal == true { state.twice += 1 }
      if state.isStopped { state.afterStop += 1 }
      if state.isLetGo { state.afterLettingGo += 1 }
      return state.shown
    }
  }

  /// A stop has returned.
  func stopped() { state.withLock { $0.isStopped = true } }

  /// The model was let go of.
  func letGo() { state.withLock { $0.isLetGo = true } }

  /// The faults seen.
  func findings(iteration: Int) -> [ReportedFinding] {
    state.withLock { state in
      [
        (FeedOracles.doubled.name, "shown-twice", state.twice),
        (FeedOracles.shownAfterStop.name, "shown-after-stop", state.afterStop),
        (RetainedViewModel.declaration.name, "updates-after-leaving", state.afterLettingGo),
      ].filter { $0.2 > 0 }
        .map { ReportedFinding($0.0, evidence: [$0.1: $0.2], iteration: iteration) }
    }
  }
}
