/// How a preparation ended, as its provider saw it.
enum PreparationEnd: Sendable, Hashable {
  case ready, skipped, failed
  /// It was told to stop.
  case cancelled
}

/// How a run ended, as its owner saw it.
enum RunEnd: Sendable, Hashable {
  case completed, cancelled, failed
  /// It threw a `CancellationError`.
  case threwCancellation
  /// It was refused, because the flow had run before.
  case refused
}

/// What was seen of one flow, in the order in which it was seen. Steps are named by their place.
enum FlowSight: Sendable {
  case preparationBegan(Int, inputs: [Int])
  case preparationEnded(Int, PreparationEnd, isTaskCancelled: Bool)
  case executionBegan(Int)
  case executionEnded(Int, asksForPause: Bool)
  /// The handler is asked about a step, and has answered.
  case failureAsked(Int), failureAnswered(Int, isSkip: Bool, asksForPause: Bool)
  /// A pause is called for; the call has returned; a resume is about to be called.
  case pausing, paused, resuming
  /// The owner's task was cancelled: the call has returned.
  case cancelled
  /// A run begins; it has ended.
  case running, ran(RunEnd)
  /// A list of steps that make no flow was taken, or refused.
  case malformed(isAccepted: Bool)
  /// Nothing has happened for so long that the owner gives up.
  case gaveUp
}

/// What follows from what was seen, as a value: the common ground of all oracles.
struct FlowFacts: Sendable {
  let shape: FlowShape
  private(set) var begun: [Int]
  private(set) var lastEnd: [PreparationEnd?]
  private(set) var isLeftOut: [Bool]
  private(set) var isExecuted: [Bool]
  private(set) var openPreparations = 0
  private(set) var openExecutions = 0
  private(set) var openHandlers = 0
  private(set) var openPauseCalls = 0
  private(set) var isPaused = false
  private(set) var isCancelled = false
  private(set) var runs = 0
  private(set) var end: RunEnd?
  private(set) var hasGivenUp = false
  /// A resume came while a step was executed and before it asked for its pause.
  private(set) var hasEarlyResume = false
  /// Such a resume was the answer to that pause, and nothing has begun since.
  private(set) var isAnsweredEarly = false

  init(_ shape: FlowShape) {
    self.shape = shape
    begun = Array(repeating: 0, count: shape.count)
    lastEnd = Array(repeating: nil, count: shape.count)
    isLeftOut = Array(repeating: false, count: shape.count)
    isExecuted = Array(repeating: false, count: shape.count)
  }

  /// Whether a step's dependents may start.
  func isSettled(_ place: Int) -> Bool {
    lastEnd[place] == .ready || lastEnd[place] == .skipped || isLeftOut[place]
  }

  /// Whether a step needs nothing more.
  func isDone(_ place: Int) -> Bool { isExecuted[place] || lastEnd[place] == .skipped || isLeftOut[place] }

  /// Whether anything is under way that would be waited for. A step that waits for its own call of pause is not.
  var isIdle: Bool {
    openPreparations == 0 && openHandlers == 0 && openExecutions <= openPauseCalls
      && (!isPaused || isCancelled)
  }

  /// Takes note of something.
  mutating func see(_ sight: FlowSight) {
    switch sight {
    case .preparationBegan(let place, _):
      begun[place] += 1
      openPreparations += 1
      isAnsweredEarly = false
    case .preparationEnded(let place, let end, _):
      lastEnd[place] = end
      openPreparations -= 1
    case .executionBegan(let place):
      isExecuted[place] = true
      openExecutions += 1
      hasEarlyResume = false
      isAnsweredEarly = false
    case .executionEnded(_, let asksForPause):
      openExecutions -= 1
      if asksForPause { pauseAsAsked() }
    case .failureAsked:
      openHandlers += 1
      hasEarlyResume = false
      isAnsweredEarly = false
    case .failureAnswered(let place, let isSkip, let asksForPause):
      openHandlers -= 1
      if isSkip { isLeftOut[place] = true }
      if asksForPause { pauseAsAsked() }
    case .pausing: openPauseCalls += 1
    case .paused:
      openPauseCalls -= 1
      isPaused = true
    case .resuming:
      if !isPaused, openExecutions + openHandlers > 0 { hasEarlyResume = true }
      isPaused = false
    case .cancelled: isCancelled = true
    case .running: runs += 1
    case .ran(let end): self.end = self.end ?? end
    case .gaveUp: hasGivenUp = true
    case .malformed: break
    }
  }

  private mutating func pauseAsAsked() {
    if hasEarlyResume { isAnsweredEarly = true } else { isPaused = true }
    hasEarlyResume = false
  }
}
