internal import WorkloadInterface

/// What a flow that its owner gave up was waiting for, judged from outside; the first that applies.
enum StuckCause: Sendable {
  case pauseCall
  case cancel
  case end
  case earlyResume
  case skippedPrerequisite(steps: Int)
  case prerequisite(steps: Int)
  case unknown

  /// Nil for a flow that was not given up.
  init?(_ facts: FlowFacts) {
    guard facts.hasGivenUp else { return nil }
    let places = 0..<facts.shape.count
    let startable = places.filter {
      facts.begun[$0] == 0 && !facts.isLeftOut[$0]
        && facts.shape.prerequisites[$0].allSatisfy(facts.isSettled)
    }
    let afterSkip = startable.filter {
      facts.shape.prerequisites[$0].contains { facts.lastEnd[$0] != .ready }
    }
    if facts.openPauseCalls > 0 {
      self = .pauseCall
    } else if facts.isCancelled {
      self = .cancel
    } else if places.allSatisfy(facts.isDone) {
      self = .end
    } else if facts.isAnsweredEarly {
      self = .earlyResume
    } else if !afterSkip.isEmpty {
      self = .skippedPrerequisite(steps: afterSkip.count)
    } else if !startable.isEmpty {
      self = .prerequisite(steps: startable.count)
    } else {
      self = .unknown
    }
  }
}

/// An oracle that looks only at what a given-up flow waits for.
protocol StuckOracle: FreshFlowOracle {
  /// The figures for a cause that is this oracle's business.
  func figures(_ cause: StuckCause, _ facts: FlowFacts) -> [String: Int64]?
}

extension StuckOracle {
  mutating func see(_ sight: FlowSight, _ facts: FlowFacts) {}

  func evidence(_ facts: FlowFacts) -> [String: Int64]? { StuckCause(facts).flatMap { figures($0, facts) } }
}

/// Dependents of a skipped step never started.
struct SkipNotSatisfied: StuckOracle {
  static let declaration = FindingDeclaration(
    name: "skip-not-satisfied",
    about: "A flow stood still because the dependents of a skipped step were never prepared.",
    advice: "Count a skip as prepared.")

  func figures(_ cause: StuckCause, _ facts: FlowFacts) -> [String: Int64]? {
    if case .skippedPrerequisite(let steps) = cause { ["steps-waiting": Int64(steps)] } else { nil }
  }
}

/// Steps whose prerequisites were all there never started.
struct DependentNeverStarted: StuckOracle {
  static let declaration = FindingDeclaration(
    name: "dependent-never-started",
    about: "A flow stood still with steps whose prerequisites were all prepared: nobody woke them.",
    advice: "Look at every dependent when a prerequisite is prepared, not only at the first.")

  func figures(_ cause: StuckCause, _ facts: FlowFacts) -> [String: Int64]? {
    guard case .prerequisite(let steps) = cause else { return nil }
    return ["steps-waiting": Int64(steps), "steps": Int64(facts.shape.count)]
  }
}

/// A resume came before its pause and was forgotten.
struct LostResume: StuckOracle {
  static let declaration = FindingDeclaration(
    name: "lost-resume",
    about:
      "A step's pause was answered before the step had ended, and the flow waits for that answer for ever.",
    advice: "Remember a resume that comes while a step is executed, and let it answer the pause it asks for.")

  func figures(_ cause: StuckCause, _ facts: FlowFacts) -> [String: Int64]? {
    guard case .earlyResume = cause else { return nil }
    return ["resumes-lost": 1, "steps-waiting": Int64((0..<facts.shape.count).count { !facts.isDone($0) })]
  }
}

/// A step that paused its own flow never got an answer.
struct PauseNeverReturned: StuckOracle {
  static let declaration = FindingDeclaration(
    name: "pause-never-returned",
    about: "A step called pause on its own flow and waits for ever: the flow waits for the step.",
    advice: "Hold no lock while user code runs.")

  func figures(_ cause: StuckCause, _ facts: FlowFacts) -> [String: Int64]? {
    guard case .pauseCall = cause else { return nil }
    return ["calls-waiting": Int64(facts.openPauseCalls), "steps-in-execution": Int64(facts.openExecutions)]
  }
}

/// A cancelled flow never ended.
struct CancelNeverAnswered: StuckOracle {
  static let declaration = FindingDeclaration(
    name: "cancel-never-answered",
    about: "A flow was cancelled, had nothing under way, and never ended.",
    advice: "Whoever waits must be woken by a cancel too: resume the continuation in a cancellation handler.")

  func figures(_ cause: StuckCause, _ facts: FlowFacts) -> [String: Int64]? {
    guard case .cancel = cause else { return nil }
    return ["was-paused": facts.isPaused ? 1 : 0, "flows": 1]
  }
}

/// A flow with nothing left to do never ended.
struct FlowNeverEnded: StuckOracle {
  static let declaration = FindingDeclaration(
    name: "flow-never-ended",
    about: "A flow had nothing left to do, perhaps nothing at all, and never ended.",
    advice: "Look whether all is done before waiting for the first event, not only after one.")

  func figures(_ cause: StuckCause, _ facts: FlowFacts) -> [String: Int64]? {
    guard case .end = cause else { return nil }
    return ["flows": 1, "steps": Int64(facts.shape.count)]
  }
}

/// A flow stood still for a reason that cannot be told from outside.
struct FlowStuck: StuckOracle {
  static let declaration = FindingDeclaration(
    name: "flow-stuck",
    about: "A flow stood still with nothing under way, though it was neither paused nor done.",
    advice: "Look at what its tasks wait for.")

  func figures(_ cause: StuckCause, _ facts: FlowFacts) -> [String: Int64]? {
    guard case .unknown = cause else { return nil }
    return ["steps-waiting": Int64((0..<facts.shape.count).count { !facts.isDone($0) })]
  }
}
