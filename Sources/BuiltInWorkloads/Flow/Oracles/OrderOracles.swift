internal import WorkloadInterface

/// A step was executed after a later one.
struct ExecutionOutOfOrder: FreshFlowOracle {
  static let declaration = FindingDeclaration(
    name: "execution-out-of-order",
    about: "A step was executed after a step that stands behind it in the flow.",
    advice: "Hold what is prepared early until every step ahead of it was executed or skipped.")

  private var last = -1
  private var inversions: Int64 = 0

  mutating func see(_ sight: FlowSight, _ facts: FlowFacts) {
    guard case .executionBegan(let place) = sight, !facts.isExecuted[place] else { return }
    if place < last { inversions += 1 }
    last = max(last, place)
  }

  func evidence(_ facts: FlowFacts) -> [String: Int64]? { inversions > 0 ? ["inversions": inversions] : nil }
}

/// Two steps were executed at once.
struct OverlappingExecutions: FreshFlowOracle {
  static let declaration = FindingDeclaration(
    name: "overlapping-executions",
    about:
      "A step was executed before the one ahead of it had ended: the order is not guaranteed, even where it came out right.",
    advice: "Await each execution before the next one begins; do not start a task for each.")

  private var overlaps: Int64 = 0
  private var most: Int64 = 0

  mutating func see(_ sight: FlowSight, _ facts: FlowFacts) {
    guard case .executionBegan = sight, facts.openExecutions > 0 else { return }
    overlaps += 1
    most = max(most, Int64(facts.openExecutions) + 1)
  }

  func evidence(_ facts: FlowFacts) -> [String: Int64]? {
    overlaps > 0 ? ["overlaps": overlaps, "at-once": most] : nil
  }
}

/// A preparation began before what it depends on was there.
struct StartedBeforePrerequisite: FreshFlowOracle {
  static let declaration = FindingDeclaration(
    name: "started-before-prerequisite",
    about: "A preparation began before a prerequisite that it declared was prepared or skipped.",
    advice: "Start a step when the last of its prerequisites is settled.")

  private var starts: Int64 = 0

  mutating func see(_ sight: FlowSight, _ facts: FlowFacts) {
    guard case .preparationBegan(let place, _) = sight else { return }
    if !facts.shape.prerequisites[place].allSatisfy(facts.isSettled) { starts += 1 }
  }

  func evidence(_ facts: FlowFacts) -> [String: Int64]? { starts > 0 ? ["starts-too-early": starts] : nil }
}

/// A preparation waited for an execution that it does not depend on.
///
/// A step counts only if it could have started all the time while two other steps were executed from start to
/// end: long enough for any scheduler to come round.
struct DependentHeldBack: FreshFlowOracle {
  static let declaration = FindingDeclaration(
    name: "dependent-held-back",
    about: "A step could have been prepared and was not, until its prerequisite had been executed.",
    advice: "A prerequisite is satisfied when it is prepared; do not wait for its execution.")

  /// Executions seen whole since a step could start; empty whenever one could not.
  private var passed: [Int: Int] = [:]
  private var heldBack: Int64 = 0

  mutating func see(_ sight: FlowSight, _ facts: FlowFacts) {
    // Without a limit there is no early start to speak of: such a strategy prepares everything first.
    guard let limit = facts.shape.limit else { return }
    switch sight {
    case .preparationBegan(let place, _):
      let wasExecuted = facts.shape.prerequisites[place].contains { facts.isExecuted[$0] }
      if wasExecuted, passed[place, default: 0] >= 2 { heldBack += 1 }
      passed[place] = nil
      // With no slot left nobody else could start.
      if facts.openPreparations + 1 >= limit { passed = [:] }
    case .executionBegan:
      let startable = (0..<facts.shape.count).filter {
        facts.begun[$0] == 0 && facts.shape.prerequisites[$0].allSatisfy(facts.isSettled)
      }
      // Only where there is room for all of them: else a step may well wait for another one's slot.
      guard !facts.isPaused, !facts.isCancelled, facts.openPreparations + startable.count <= limit else {
        passed = [:]
        return
      }
      for place in startable where passed[place] == nil { passed[place] = 0 }
    case .executionEnded: passed = passed.mapValues { $0 + 1 }
    case .paused: passed = [:]
    default: break
    }
  }

  func evidence(_ facts: FlowFacts) -> [String: Int64]? {
    heldBack > 0 ? ["steps-held-back": heldBack] : nil
  }
}

/// More preparations ran at once than the limit allows.
struct TooManyPreparations: FreshFlowOracle {
  static let declaration = FindingDeclaration(
    name: "too-many-preparations",
    about: "More preparations of one flow ran at once than its limit allows.",
    advice: "Count what runs, and start the next one when another has ended.")

  private var most = 0

  mutating func see(_ sight: FlowSight, _ facts: FlowFacts) {
    if case .preparationBegan = sight { most = max(most, facts.openPreparations + 1) }
  }

  func evidence(_ facts: FlowFacts) -> [String: Int64]? {
    guard let limit = facts.shape.limit, most > limit else { return nil }
    return ["at-once": Int64(most), "limit": Int64(limit)]
  }
}

/// A preparation saw something else than its prerequisites' results.
struct UndeclaredInput: FreshFlowOracle {
  static let declaration = FindingDeclaration(
    name: "undeclared-input",
    about: "A preparation was given the result of a step that it did not declare, or not that of one it did.",
    advice: "Give each preparation a snapshot of its declared prerequisites; share no table.")

  private var undeclared: Int64 = 0
  private var missing: Int64 = 0

  mutating func see(_ sight: FlowSight, _ facts: FlowFacts) {
    guard case .preparationBegan(let place, let inputs) = sight else { return }
    let declared = Set(facts.shape.prerequisites[place])
    undeclared += Int64(inputs.count { !declared.contains($0) })
    // What starts before its prerequisites is another oracle's business.
    missing += Int64(declared.subtracting(inputs).count(where: facts.isSettled))
  }

  func evidence(_ facts: FlowFacts) -> [String: Int64]? {
    undeclared + missing > 0 ? ["inputs-undeclared": undeclared, "inputs-missing": missing] : nil
  }
}

/// A failure came up before its turn.
struct FailureOutOfTurn: FreshFlowOracle {
  static let declaration = FindingDeclaration(
    name: "failure-out-of-turn",
    about: "The handler was asked about a step while a step ahead of it was neither executed nor skipped.",
    advice: "Hold a failure until its step's turn; what stands ahead of it may still end the flow.")

  private var early: Int64 = 0

  mutating func see(_ sight: FlowSight, _ facts: FlowFacts) {
    guard case .failureAsked(let place) = sight else { return }
    if (0..<place).contains(where: { !facts.isDone($0) }) { early += 1 }
  }

  func evidence(_ facts: FlowFacts) -> [String: Int64]? { early > 0 ? ["failures-too-early": early] : nil }
}
