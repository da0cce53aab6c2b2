internal import Measurement
internal import Synchronization
internal import WorkloadInterface

/// Watches one flow at its providers and through its owner: counts its elements, times its steps, and shows
/// everything to the oracles.
///
/// It reports what the oracles found once: when the cell is over, or before that when the last part of the flow
/// has let go of it.
final class FlowObservation: Sendable {
  private struct State {
    var oracles: FlowOracles
    var preparing: [Int64]
    var executing: [Int64]
    var preparedAt: [Int64?]
    var made = 0
    var delivered = 0
    var dropped = 0
    var isClosed = false
    var isReported = false
    var lastExecuted = -1
    var mostInFlight = 0
    var lastSight: Int64
    var wasPaused = false
    var cancelledAt: Int64?
  }

  private let iteration: Iteration
  private let shape: FlowShape
  private let figures: FlowFigures
  private let recorder: Recorder
  private let state: Mutex<State>

  init(_ iteration: Iteration, shape: FlowShape, figures: FlowFigures, recorder: Recorder) {
    self.iteration = iteration
    self.shape = shape
    self.figures = figures
    self.recorder = recorder
    state = Mutex(
      State(
        oracles: FlowOracles(shape), preparing: Array(repeating: 0, count: shape.count),
        executing: Array(repeating: 0, count: shape.count),
        preparedAt: Array(repeating: nil, count: shape.count), lastSight: recorder.clock.now()))
  }

  deinit { report() }

  // MARK: Sights

  /// Shows the oracles what they cannot see from here.
  func see(_ sight: FlowSight) {
    let now = recorder.clock.now()
    state.withLock { state in
      state.lastSight = now
      state.oracles.see(sight)
      switch sight {
      case .pausing: state.wasPaused = true
      case .cancelled: state.cancelledAt = now
      default: break
      }
    }
    if case .malformed(isAccepted: false) = sight { figures.refusals.add() }
    if case .cancelled = sight { figures.cancels.add() }
  }

  /// A preparation begins; returns which attempt it is, from 0.
  func preparationBegan(_ place: Int, inputs: [Int]) -> Int {
    let now = recorder.clock.now()
    return state.withLock { state in
      state.lastSight = now
      let attempt = state.oracles.facts.begun[place]
      state.oracles.see(.preparationBegan(place, inputs: inputs))
      state.mostInFlight = max(state.mostInFlight, state.oracles.facts.openPreparations)
      if state.oracles.facts.isCancelled { figures.workAfterCancel.add() }
      if attempt > 0 { figures.retries.add() }
      return attempt
    }
  }

  /// It ended after so many ns of its provider's time.
  func preparationEnded(_ place: Int, _ end: PreparationEnd, took nanoseconds: Int64) {
    let now = recorder.clock.now()
    state.withLock { state in
      state.lastSight = now
      state.oracles.see(.preparationEnded(place, end, isTaskCancelled: Task.isCancelled))
      state.preparing[place] += nanoseconds
      switch end {
      case .ready where state.preparedAt[place] == nil && !state.isClosed:
        state.preparedAt[place] = now
        state.made += 1
        figures.made.add()
      case .skipped: figures.skips.add()
      default: break
      }
    }
  }

  /// A value is executed.
  func executionBegan(_ place: Int) {
    let now = recorder.clock.now()
    state.withLock { state in
      state.lastSight = now
      let isFirst = !state.oracles.facts.isExecuted[place]
      if state.oracles.facts.isCancelled { figures.workAfterCancel.add() }
      state.oracles.see(.executionBegan(place))
      if isFirst, place < state.lastExecuted { figures.violations.add() }
      state.lastExecuted = max(state.lastExecuted, place)
      guard isFirst, !state.isClosed, let prepared = state.preparedAt[place] else { return }
      state.delivered += 1
      figures.delivered.add()
      figures.held.record(now - prepared, in: iteration)
    }
  }

  /// Its execution ended after so many ns of its provider's time.
  func executionEnded(_ place: Int, asksForPause: Bool, took nanoseconds: Int64) {
    let now = recorder.clock.now()
    state.withLock { state in
      state.lastSight = now
      state.executing[place] += nanoseconds
      if asksForPause { state.wasPaused = true }
      state.oracles.see(.executionEnded(place, asksForPause: asksForPause))
    }
  }

  /// The handler is asked; returns how often it was asked about this step, from 1.
  func failureAsked(_ place: Int) -> Int {
    state.withLock { state in
      state.oracles.see(.failureAsked(place))
      return state.oracles.facts.begun[place]
    }
  }

  // MARK: Ends

  /// The run that began at `start` ended; an outcome says how long it was paused.
  func ended(_ end: RunEnd, since start: Int64, paused: Duration?) {
    let now = recorder.clock.now()
    state.withLock { state in
      let isFirst = state.oracles.facts.end == nil
      state.oracles.see(.ran(end))
      guard isFirst else { return }
      if let cancelled = state.cancelledAt { figures.cancelLatency.record(now - cancelled, in: iteration) }
      if let paused { figures.paused.record(paused.inNanoseconds, in: iteration) }
      guard end == .completed else {
        // Given up by a cancel or an error: nobody is owed these any more.
        let open = state.made - state.delivered - state.dropped
        state.dropped += open
        figures.dropped.add(Int64(open))
        return
      }
      let bound = shape.bound(preparing: state.preparing, executing: state.executing)
      figures.makespan.record(now - start, in: iteration)
      figures.bound.record(bound, in: iteration)
      if !state.wasPaused { figures.aboveBound.record(now - start - bound, in: iteration) }
    }
  }

  /// Since when nothing has happened though something should, in ns; nil while it need not.
  var idleSince: Int64? {
    state.withLock { $0.oracles.facts.isIdle ? $0.lastSight : nil }
  }
}

extension FlowObservation: Books {
  var isBalanced: Bool { state.withLock { $0.made == $0.delivered + $0.dropped } }

  func close(ended: Bool) {
    let open = state.withLock { state in
      state.isClosed = true
      return state.made - state.delivered - state.dropped
    }
    (ended ? figures.lost : figures.buffered).add(Int64(open))
    report()
  }

  private func report() {
    let findings = state.withLock { state -> [ReportedFinding] in
      guard !state.isReported else { return [] }
      state.isReported = true
      figures.inFlight.set(Int64(state.mostInFlight))
      return state.oracles.findings(iteration: iteration.index)
    }
    for finding in findings { recorder.report(finding) }
  }
}

extension Duration {
  /// Whole ns.
  fileprivate var inNanoseconds: Int64 {
    components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }
}
