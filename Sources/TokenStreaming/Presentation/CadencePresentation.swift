import Synchronization

/// Collects text and shows it at a fixed cadence: at most so many updates a second, whatever the token rate.
///
/// The first text is shown at once. Nothing waits for longer than the cadence, also when the stream goes silent;
/// the rest is shown at the end, whether the stream finished, failed or was cancelled. Two child tasks at a time,
/// none of which outlives `present`.
public struct CadencePresentation<Time: Clock>: TokenPresentation where Time.Duration == Duration {
  private let every: Duration
  private let clock: Time

  /// An update at most once in `every`, by `clock`.
  public init(every: Duration = .milliseconds(50), clock: Time) {
    self.every = every
    self.clock = clock
  }

  /// Reads the stream beside the main actor and shows its text there.
  public func present(_ stream: TokenStream, show: @escaping ShowUpdate) async -> StreamEnd {
    let buffer = CadenceBuffer(every: every, clock: clock)
    return await withDiscardingTaskGroup { group in
      group.addTask { await buffer.fill(from: stream) }
      while true {
        switch await buffer.next() {
        case .show(let update): await show(update)
        case .startTimer(let time): group.addTask { await buffer.runTimer(until: time) }
        case .over(let end):
          group.cancelAll()
          return end
        }
      }
    }
  }
}

/// What the task that reads and the task that shows have in common.
private final class CadenceBuffer<Time: Clock>: Sendable where Time.Duration == Duration {
  typealias State = CadenceState<Time.Instant, CheckedContinuation<Void, Never>>

  private let every: Duration
  private let clock: Time
  private let state = Mutex(State())

  init(every: Duration, clock: Time) {
    self.every = every
    self.clock = clock
  }

  /// Reads to the end, in the reading task.
  func fill(from stream: TokenStream) async {
    var failure: (any Error)?
    do {
      for try await token in stream { state.withLock { $0.add(token) }?.resume() }
    } catch {
      failure = error
    }
    let end = StreamEnd(error: failure, isCancelled: Task.isCancelled)
    state.withLock { $0.finish(end) }?.resume()
  }

  /// A timer that is cancelled with the group does nothing: the end shows the rest.
  func runTimer(until time: Time.Instant) async {
    guard (try? await clock.sleep(until: time, tolerance: .zero)) != nil else { return }
    state.withLock { $0.timerFired() }?.resume()
  }

  /// The next thing to do, in the showing task. Not cut short by a cancel: that ends the reading task, which
  /// ends this.
  func next() async -> State.Step {
    while true {
      if let step = state.withLock({ step(&$0) }) { return step }
      await withCheckedContinuation { continuation in
        let ready = state.withLock { state -> Bool in
          // Something may have happened since; a step that is ready is taken by the next turn of the loop.
          guard !state.isReady else { return true }
          state.wait(continuation)
          return false
        }
        if ready { continuation.resume() }
      }
    }
  }

  private func step(_ state: inout State) -> State.Step? {
    state.step(now: clock.now, isEarlier: <, after: { $0.advanced(by: every) })
  }
}
