/// A flow while it runs, as a value: events in, actions out. Times are what the injected clock has shown since
/// the flow was made.
///
/// An event takes time in proportion to the prerequisites it satisfies, plus the places of a sorted queue.
struct FlowState<Value: Sendable>: Sendable {
  private enum Phase {
    case waiting, queued, preparing
    case held, executing
    case failed(any Error), resolving(any Error)
    case executed, skipped
  }

  private let prerequisites: [[Int]]
  private let dependents: [[Int]]
  private let limit: Int
  private let asksAboutFailures: Bool
  private let rules: any FlowRules

  private var phases: [Phase]
  private var results: [Preparation<Value>?]
  private var attempts: [Int]
  /// Steps that may start, ascending.
  private var queue: [Int] = []
  /// Steps that came, in that order, and were not taken.
  private var held: [HeldStep] = []
  private var next = 0
  private var running = 0
  private var taking = 0
  private var hasEarlyResume = false
  private var isEnded = false
  private var pausedSince: Duration?
  private var pausedBefore = Duration.zero
  /// Steps that were executed and skipped, in that order.
  private(set) var executed: [Int] = []
  private(set) var skipped: [Int] = []

  init(
    prerequisites: [[Int]], dependents: [[Int]], limit: Int, asksAboutFailures: Bool, rules: any FlowRules
  ) {
    self.prerequisites = prerequisites
    self.dependents = dependents
    self.limit = limit
    self.asksAboutFailures = asksAboutFailures
    self.rules = rules
    phases = Array(repeating: .waiting, count: prerequisites.count)
    results = Array(repeating: nil, count: prerequisites.count)
    attempts = Array(repeating: 0, count: prerequisites.count)
  }

  /// Whether the flow is paused.
  var isPaused: Bool { pausedSince != nil }

  /// Time spent paused up to `now`.
  func paused(at now: Duration) -> Duration { pausedBefore + (pausedSince.map { now - $0 } ?? .zero) }

  // MARK: Events from outside

  /// The flow starts.
  mutating func start() -> [FlowAction<Value>] {
    for place in prerequisites.indices { enqueueIfSatisfied(place) }
    return advance()
  }

  /// Nothing further may start.
  mutating func pause(at now: Duration) {
    if !isEnded, pausedSince == nil { pausedSince = now }
  }

  /// The pause is over; outside of a pause this answers the one that the running step may ask for.
  mutating func resume(at now: Duration) {
    guard let since = pausedSince else {
      hasEarlyResume = taking > 0 && rules.keepsEarlyResume
      return
    }
    pausedBefore += now - since
    pausedSince = nil
  }

  /// Something that was decided on is about to start: false if a pause has come since, and the step waits again.
  mutating func begins(_ place: Int) -> Bool {
    switch phases[place] {
    case .preparing:
      if rules.mayPrepare(running: running - 1, limit: limit, isPaused: isPaused) { return true }
      running -= 1
      attempts[place] -= 1
      enqueue(place)
    case .executing:
      if rules.mayExecute(isExecuting: taking > 1, isPaused: isPaused) { return true }
      taking -= 1
      hold(place, .held)
    case .resolving(let error):
      if rules.mayExecute(isExecuting: taking > 1, isPaused: isPaused) { return true }
      taking -= 1
      hold(place, .failed(error))
    default: break
    }
    return false
  }

  /// Something happened: what is to be done about it.
  mutating func handle(_ event: FlowEvent<Value>, at now: Duration) -> [FlowAction<Value>] {
    guard !isEnded else { return [] }
    switch event {
    case .prepared(let place, let result):
      running -= 1
      results[place] = result
      hold(place, .held)
      wakeDependents(of: place)
    case .preparationFailed(let place, let error):
      running -= 1
      hold(place, .failed(error))
    case .executed(let place, let decision):
      taking -= 1
      phases[place] = .executed
      executed.append(place)
      wakeDependents(of: place)
      if decision == .cancel { return finish(.cancelledByExecution(place)) }
      if decision == .pause { pauseAsAsked(at: now) }
    case .executionFailed(let place, let error): return finish(.executionFailed(place, error))
    case .resolved(let place, let decision):
      taking -= 1
      if decision == .cancel { return finish(.cancelledByFailure(place)) }
      resolve(place, decision, at: now)
    case .cancelled: return finish(.cancelledByTask)
    case .withheld, .woken: break
    }
    return advance()
  }

  // MARK: Steps

  private mutating func resolve(_ place: Int, _ decision: FailureDecision, at now: Duration) {
    guard decision != .retry else { return enqueue(place) }
    results[place] = .skip
    phases[place] = .skipped
    skipped.append(place)
    wakeDependents(of: place)
    if decision == .skipAndPause { pauseAsAsked(at: now) }
  }

  private mutating func pauseAsAsked(at now: Duration) {
    if hasEarlyResume { hasEarlyResume = false } else { pause(at: now) }
  }

  private mutating func wakeDependents(of place: Int) {
    for dependent in rules.woken(dependents[place]) { enqueueIfSatisfied(dependent) }
  }

  private mutating func enqueueIfSatisfied(_ place: Int) {
    guard case .waiting = phases[place],
      prerequisites[place].allSatisfy({ rules.isSatisfied(by: state(of: $0)) })
    else { return }
    enqueue(place)
  }

  private mutating func enqueue(_ place: Int) {
    phases[place] = .queued
    var (low, high) = (0, queue.count)
    while low < high {
      let middle = (low + high) / 2
      if queue[middle] < place { low = middle + 1 } else { high = middle }
    }
    queue.insert(place, at: low)
  }

  private mutating func hold(_ place: Int, _ phase: Phase) {
    phases[place] = phase
    if case .failed = phase {
      held.append(HeldStep(place: place, isFailure: true))
    } else {
      held.append(HeldStep(place: place, isFailure: false))
    }
  }

  private func state(of place: Int) -> PrerequisiteState {
    switch phases[place] {
    case .executed: return .executed
    case .skipped: return .skipped
    default: break
    }
    switch results[place] {
    case .ready: return .prepared
    case .skip: return .skipped
    case nil: return .unprepared
    }
  }

  // MARK: Going on

  private mutating func advance() -> [FlowAction<Value>] {
    var actions: [FlowAction<Value>] = []
    prepareQueued(&actions)
    while !isEnded, let action = takeTurn() { if let action { actions.append(action) } }
    passTaken()
    if !isEnded, next == phases.count, taking == 0 { actions += finish(.completed) }
    return actions
  }

  private mutating func prepareQueued(_ actions: inout [FlowAction<Value>]) {
    var started = 0
    while started < queue.count, rules.mayPrepare(running: running, limit: limit, isPaused: isPaused) {
      let place = queue[started]
      started += 1
      running += 1
      attempts[place] += 1
      phases[place] = .preparing
      let given = rules.inputs(declared: prerequisites[place]) {
        results.indices.filter { results[$0] != nil }
      }
      actions.append(
        .prepare(place, inputs: given.compactMap { other in results[other].map { (other, $0) } }))
    }
    queue.removeFirst(started)
  }

  /// Takes the step whose turn it is: nil when there is none, an inner nil when it needed nothing to be done.
  private mutating func takeTurn() -> FlowAction<Value>?? {
    passTaken()
    guard next < phases.count, rules.mayExecute(isExecuting: taking > 0, isPaused: isPaused),
      let place = rules.turn(next: next, isNextHeld: isHeld(next), held: held)
    else { return nil }
    held.removeAll { $0.place == place }
    switch (phases[place], results[place]) {
    case (.failed(let error), _):
      guard asksAboutFailures else {
        return finish(.preparationFailed(place, attempt: attempts[place], error)).first
      }
      takes(place, .resolving(error))
      return .resolve(place, attempt: attempts[place], error)
    case (_, .ready(let value)):
      takes(place, .executing)
      return .execute(place, value)
    default:
      phases[place] = .skipped
      skipped.append(place)
      return .some(nil)
    }
  }

  private mutating func takes(_ place: Int, _ phase: Phase) {
    phases[place] = phase
    if taking == 0 { hasEarlyResume = false }
    taking += 1
  }

  private func isHeld(_ place: Int) -> Bool {
    switch phases[place] {
    case .held, .failed: true
    default: false
    }
  }

  private mutating func passTaken() {
    while next < phases.count {
      switch phases[next] {
      case .executed, .skipped: next += 1
      default: return
      }
    }
  }

  private mutating func finish(_ ending: FlowEnding) -> [FlowAction<Value>] {
    isEnded = true
    return [.finish(ending)]
  }
}
