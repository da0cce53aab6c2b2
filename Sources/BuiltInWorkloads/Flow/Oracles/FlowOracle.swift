internal import WorkloadInterface

/// Looks for one fault in what was seen of one flow.
///
/// An oracle judges by order alone, never by how long something took. What may lie between a decision and its
/// effect on the machine's clock (a child that is started and has not begun) is allowed for by counting.
protocol FlowOracle: Sendable {
  /// The fault.
  static var declaration: FindingDeclaration { get }
  /// Something was seen; `facts` are those before it.
  mutating func see(_ sight: FlowSight, _ facts: FlowFacts)
  /// The figures that show the fault, or nil where there is none.
  func evidence(_ facts: FlowFacts) -> [String: Int64]?
}

/// All oracles, for one flow.
struct FlowOracles: Sendable {
  private var all: [any FlowOracle] = Self.types.map { $0.init() }
  private(set) var facts: FlowFacts

  init(_ shape: FlowShape) { facts = FlowFacts(shape) }

  private static let types: [any FreshFlowOracle.Type] = [
    ExecutionOutOfOrder.self, OverlappingExecutions.self, StartedBeforePrerequisite.self,
    DependentHeldBack.self, TooManyPreparations.self, UndeclaredInput.self, FailureOutOfTurn.self,
    StartedWhilePaused.self, PreparationRepeated.self, WorkAfterCancel.self, CancelUnheard.self,
    OutcomeLost.self, RanTwice.self, MalformedAccepted.self, SkipNotSatisfied.self,
    DependentNeverStarted.self,
    LostResume.self, PauseNeverReturned.self, CancelNeverAnswered.self, FlowNeverEnded.self, FlowStuck.self,
  ]

  /// The faults they look for.
  static let declarations: [FindingDeclaration] = types.map { $0.declaration }

  /// Something was seen.
  mutating func see(_ sight: FlowSight) {
    for index in all.indices { all[index].see(sight, facts) }
    facts.see(sight)
  }

  /// The faults found in one flow.
  func findings(iteration: Int) -> [ReportedFinding] {
    all.compactMap { oracle in
      oracle.evidence(facts).map {
        ReportedFinding(type(of: oracle).declaration.name, evidence: $0, iteration: iteration)
      }
    }
  }
}

/// An oracle that has seen nothing yet.
protocol FreshFlowOracle: FlowOracle {
  init()
}
