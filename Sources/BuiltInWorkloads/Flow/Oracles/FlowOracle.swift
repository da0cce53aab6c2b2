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
  private var watching: [any FlowOracle] = Self.watchingTypes.map { $0.init() }
  private(set) var facts: FlowFacts

  init(_ shape: FlowShape) { facts = FlowFacts(shape) }

  private static let watchingTypes: [any FreshFlowOracle.Type] = [
    ExecutionOutOfOrder.self, OverlappingExecutions.self, StartedBeforePrerequisite.self,
    DependentHeldBack.self, TooManyPreparations.self, UndeclaredInput.self, FailureOutOfTurn.self,
    StartedWhilePaused.self, PreparationRepeated.self, WorkAfterCancel.self, CancelUnheard.self,
    RanTwice.self, MalformedAccepted.self,
  ]
  /// These look at the facts alone, at the end.
  private static let lookingTypes: [any FreshFlowOracle.Type] = [
    OutcomeLost.self, SkipNotSatisfied.self, DependentNeverStarted.self, LostResume.self,
    PauseNeverReturned.self, CancelNeverAnswered.self, FlowNeverEnded.self, FlowStuck.self,
  ]

  /// The faults they look for.
  static let declarations: [FindingDeclaration] = (watchingTypes + lookingTypes).map { $0.declaration }

  /// Something was seen.
  mutating func see(_ sight: FlowSight) {
    for index in watching.indices { watching[index].see(sight, facts) }
    facts.see(sight)
  }

  /// The faults found in one flow.
  func findings(iteration: Int) -> [ReportedFinding] {
    (watching + Self.lookingTypes.map { $0.init() as any FlowOracle }).compactMap { oracle in
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
