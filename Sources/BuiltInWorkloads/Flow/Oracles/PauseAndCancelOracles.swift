internal import WorkloadInterface

/// Work went on in a pause.
///
/// What was under way when the pause returned may end, and a child that had passed its last look may still
/// begin: together never more than the limit, and one execution.
struct StartedWhilePaused: FreshFlowOracle {
  static let declaration = FindingDeclaration(
    name: "started-while-paused",
    about: "Preparations or executions began while the flow was paused.",
    advice: "Look at the pause before each start, and once more when the child begins.")

  private var preparations = 0
  private var executions = 0
  private var excess: Int64 = 0

  mutating func see(_ sight: FlowSight, _ facts: FlowFacts) {
    switch sight {
    case .paused: (preparations, executions) = (facts.openPreparations, facts.openExecutions)
    case .preparationBegan where facts.isPaused:
      preparations += 1
      if let limit = facts.shape.limit, preparations > limit { excess += 1 }
    case .executionBegan where facts.isPaused:
      executions += 1
      if executions > 1 { excess += 1 }
    default: break
    }
  }

  func evidence(_ facts: FlowFacts) -> [String: Int64]? { excess > 0 ? ["starts-in-pause": excess] : nil }
}

/// A preparation was thrown away and done again.
struct PreparationRepeated: FreshFlowOracle {
  static let declaration = FindingDeclaration(
    name: "preparation-repeated",
    about: "A step was prepared again though it had not failed.",
    advice: "Let what runs end when the flow is paused, and keep it.")

  private var repeats: Int64 = 0

  mutating func see(_ sight: FlowSight, _ facts: FlowFacts) {
    guard case .preparationBegan(let place, _) = sight, facts.runs == 1 else { return }
    if facts.begun[place] > 0, facts.lastEnd[place] != .failed { repeats += 1 }
  }

  func evidence(_ facts: FlowFacts) -> [String: Int64]? {
    repeats > 0 ? ["preparations-repeated": repeats] : nil
  }
}

/// Work began after a cancel. Counted as in a pause.
struct WorkAfterCancel: FreshFlowOracle {
  static let declaration = FindingDeclaration(
    name: "work-after-cancel",
    about: "Preparations or executions began after the task that owns the flow had been cancelled.",
    advice: "Run the flow in its owner's task, in child tasks; look at cancellation before each start.")

  private var preparations = 0
  private var executions = 0
  private var excess: Int64 = 0

  mutating func see(_ sight: FlowSight, _ facts: FlowFacts) {
    switch sight {
    case .cancelled: (preparations, executions) = (facts.openPreparations, facts.openExecutions)
    case .preparationBegan where facts.isCancelled:
      preparations += 1
      if let limit = facts.shape.limit, preparations > limit { excess += 1 }
    case .executionBegan where facts.isCancelled:
      executions += 1
      if executions > 1 { excess += 1 }
    default: break
    }
  }

  func evidence(_ facts: FlowFacts) -> [String: Int64]? { excess > 0 ? ["starts-after-cancel": excess] : nil }
}

/// A cancel did not reach a preparation that was under way.
struct CancelUnheard: FreshFlowOracle {
  static let declaration = FindingDeclaration(
    name: "cancel-unheard",
    about:
      "A preparation that was under way when its flow was cancelled was never told, and the answer to the cancel waited for it.",
    advice: "Prepare in child tasks; where a task must be free, pass the cancel on to it.")

  private var unheard: Int64 = 0

  mutating func see(_ sight: FlowSight, _ facts: FlowFacts) {
    if case .preparationEnded(_, _, isTaskCancelled: false) = sight, facts.isCancelled { unheard += 1 }
  }

  func evidence(_ facts: FlowFacts) -> [String: Int64]? {
    unheard > 0 ? ["preparations-not-told": unheard] : nil
  }
}

/// A cancelled run threw its outcome away.
struct OutcomeLost: FreshFlowOracle {
  static let declaration = FindingDeclaration(
    name: "outcome-lost",
    about: "A cancelled run threw, so that nobody learns what was executed before.",
    advice: "Return an outcome that says cancelled; throw for errors only.")

  mutating func see(_ sight: FlowSight, _ facts: FlowFacts) {}

  func evidence(_ facts: FlowFacts) -> [String: Int64]? {
    guard facts.end == .threwCancellation else { return nil }
    return ["outcomes-lost": 1, "steps-executed": Int64(facts.isExecuted.count { $0 })]
  }
}

/// The same flow was run twice.
struct RanTwice: FreshFlowOracle {
  static let declaration = FindingDeclaration(
    name: "ran-twice",
    about: "A second run of one flow was not refused and executed steps again.",
    advice: "A flow keeps results and decisions: let it run once, and refuse the second run with an error.")

  private var repeated: Int64 = 0

  mutating func see(_ sight: FlowSight, _ facts: FlowFacts) {
    if case .executionBegan(let place) = sight, facts.runs > 1, facts.isExecuted[place] { repeated += 1 }
  }

  func evidence(_ facts: FlowFacts) -> [String: Int64]? {
    repeated > 0 ? ["executions-repeated": repeated] : nil
  }
}

/// Steps that make no flow were taken.
struct MalformedAccepted: FreshFlowOracle {
  static let declaration = FindingDeclaration(
    name: "malformed-flow-accepted",
    about: "A list with a step twice, or with an unknown or later prerequisite, was taken for a flow.",
    advice: "Check the list when the flow is built, and throw an error that names both steps.")

  private var accepted: Int64 = 0

  mutating func see(_ sight: FlowSight, _ facts: FlowFacts) {
    if case .malformed(isAccepted: true) = sight { accepted += 1 }
  }

  func evidence(_ facts: FlowFacts) -> [String: Int64]? { accepted > 0 ? ["lists-accepted": accepted] : nil }
}
