public import Flowline

/// The ways in which an ordered flow is wrong on purpose. Each replaces one part of the sound one.
public enum FlowFlaw: String, CaseIterable, Sendable {
  /// ``CompletionOrderRules``
  case executionByCompletion = "execution-by-completion"
  /// ``TaskPerExecutionRules``
  case taskPerExecution = "task-per-execution"
  /// ``LateDependentsRules``
  case dependentsWaitForExecution = "dependents-wait-for-execution"
  /// ``HeedlessStartRules``
  case prerequisitesByLuck = "prerequisites-by-luck"
  /// ``BlockingSkipRules``
  case skipBlocksDependents = "skip-blocks-dependents"
  /// ``OneDependentRules``
  case oneDependentWoken = "one-dependent-woken"
  /// ``UnlimitedRules``
  case limitIgnored = "limit-ignored"
  /// ``SharedTableRules``
  case sharedInputs = "shared-inputs"
  /// ``EagerFailureRules``
  case failureNotHeld = "failure-not-held"
  /// ``PreparingInPauseRules``
  case preparesInPause = "prepares-in-pause"
  /// A pause throws away what is being prepared.
  case pauseDiscardsPreparations = "pause-discards-preparations"
  /// ``ForgetfulResumeRules``
  case earlyResumeLost = "early-resume-lost"
  /// A step that pauses its own flow waits for itself.
  case lockedExecution = "locked-execution"
  /// A flow that is cancelled while it is paused never ends.
  case deafPause = "deaf-pause"
  /// A cancel of the owner does not reach the flow.
  case detachedRun = "detached-run"
  /// A cancel of the flow does not reach its preparations.
  case deafPreparations = "deaf-preparations"
  /// ``CrossedLocks``
  case locksCrossed = "locks-crossed"
  /// A cancelled run throws its outcome away.
  case outcomeLost = "outcome-lost"
  /// A flow without steps never ends.
  case emptyFlowWaits = "empty-flow-waits"
  /// A second run executes everything again.
  case runsAgain = "runs-again"
  /// Steps that make no flow are taken and mended in silence.
  case definitionUnchecked = "definition-unchecked"
  /// ``SelfKeepingFlow``
  case keptByItself = "kept-by-itself"

  /// What is wrong, in one line.
  public var about: String {
    switch self {
    case .executionByCompletion: "what is prepared first is executed first"
    case .taskPerExecution: "a free task for each execution: in order by luck, and several at once"
    case .dependentsWaitForExecution: "a dependent starts when its prerequisite is executed, not prepared"
    case .prerequisitesByLuck: "all preparations start at once and find their prerequisites there by luck"
    case .skipBlocksDependents: "a skipped prerequisite satisfies nobody, and its dependents never start"
    case .oneDependentWoken: "of those who wait for one prerequisite only the first is woken"
    case .limitIgnored: "preparations start without a limit"
    case .sharedInputs: "preparations read a shared table instead of what they declared"
    case .failureNotHeld: "a failure comes up at once, before the steps ahead of it"
    case .preparesInPause: "a pause holds up executions only"
    case .pauseDiscardsPreparations: "a pause throws away what is being prepared"
    case .earlyResumeLost: "a resume that comes before the step has asked for its pause is forgotten"
    case .lockedExecution: "a step is executed under the lock that pausing takes"
    case .deafPause: "whoever waits out a pause hears of no cancellation"
    case .detachedRun: "the flow runs in a task that its owner's cancel does not reach"
    case .deafPreparations: "a cancel does not reach the preparations, and the answer waits for them"
    case .locksCrossed: "a cancel takes two locks in the other order than an ending, and both wait for ever"
    case .outcomeLost: "a cancelled run throws instead of saying what was executed"
    case .emptyFlowWaits: "a flow without steps never ends and hears of no cancellation"
    case .runsAgain: "a second run executes everything again"
    case .definitionUnchecked: "duplicates and wrong prerequisites are mended in silence"
    case .keptByItself: "what a confirmation sets off holds the flow, whose steps hold that"
    }
  }

  /// The address of a public report of such a fault; nil where the fault is our own reading of an article.
  public var report: String? {
    switch self {
    case .executionByCompletion, .taskPerExecution: "https://github.com/kean/Nuke/issues/970"
    case .prerequisitesByLuck:
      "https://forums.swift.org/t/how-do-you-use-asyncstream-to-make-task-execution-deterministic/57968"
    case .oneDependentWoken: "https://github.com/swiftlang/swift/issues/71412"
    case .limitIgnored: "https://github.com/swift-server/swift-kafka-client/issues/131"
    case .lockedExecution: "https://github.com/apple/containerization/issues/908"
    case .deafPause: "https://github.com/apple/swift-async-algorithms/issues/131"
    case .detachedRun: "https://forums.swift.org/t/how-do-you-completely-cancel-an-asyncstream/53733"
    case .deafPreparations: "https://github.com/swiftlang/swift/issues/82396"
    case .locksCrossed: "https://github.com/swiftlang/swift-corelibs-foundation/issues/5412"
    case .emptyFlowWaits: "https://github.com/sideeffect-io/AsyncExtensions/issues/48"
    default: nil
    }
  }

  /// Whether it takes two threads: on one thread it is no flaw.
  public var needsThreads: Bool { self == .locksCrossed }

  /// The rules that are wrong; nil where something else is.
  private var rules: (any FlowRules)? {
    switch self {
    case .executionByCompletion: CompletionOrderRules()
    case .taskPerExecution: TaskPerExecutionRules()
    case .dependentsWaitForExecution: LateDependentsRules()
    case .prerequisitesByLuck: HeedlessStartRules()
    case .skipBlocksDependents: BlockingSkipRules()
    case .oneDependentWoken: OneDependentRules()
    case .limitIgnored: UnlimitedRules()
    case .sharedInputs: SharedTableRules()
    case .failureNotHeld: EagerFailureRules()
    case .preparesInPause: PreparingInPauseRules()
    case .earlyResumeLost: ForgetfulResumeRules()
    default: nil
    }
  }

  /// A flow of these steps with the flaw in it. Throws `FlowDefinitionError`, where the flaw lets it.
  public func makeFlow<ID, Value>(
    _ operations: [FlowOperation<ID, Value>], handlers: FlowHandlers<ID, Value>, limit: Int,
    clock: some Clock<Duration> = ContinuousClock()
  ) throws -> any PausableFlow<ID> {
    let rules = rules ?? StandardFlowRules()
    @Sendable func processor(
      of operations: [FlowOperation<ID, Value>], _ handlers: FlowHandlers<ID, Value>
    ) throws -> FlowProcessor<ID, Value> {
      try FlowProcessor(
        definition: FlowDefinition(operations), handlers: handlers, maximumConcurrentPreparations: limit,
        rules: rules, clock: clock)
    }
    func sound() throws -> FlowProcessor<ID, Value> { try processor(of: operations, handlers) }
    switch self {
    case .pauseDiscardsPreparations:
      return try DiscardingPauseFlow(operations) { try processor(of: $0, handlers) }
    case .lockedExecution: return try LockedExecutionFlow(handlers) { try processor(of: operations, $0) }
    case .deafPause: return try DeafPauseFlow(operations, handlers, processor)
    case .detachedRun: return DetachedRunFlow(try sound())
    case .deafPreparations: return try processor(of: operations.map(Self.deaf), handlers)
    case .locksCrossed:
      let locks = CrossedLocks()
      return try processor(of: operations.map { Self.registered($0, in: locks) }, handlers)
    case .outcomeLost: return ThrowingRunFlow(try sound())
    case .emptyFlowWaits: return EmptyFlowWaits(try sound(), isEmpty: operations.isEmpty)
    case .runsAgain: return try RunAgainFlow { try processor(of: operations, handlers) }
    case .definitionUnchecked: return try processor(of: Self.mended(operations), handlers)
    case .keptByItself: return try SelfKeepingFlow(handlers) { try processor(of: operations, $0) }
    default: return try sound()
    }
  }

  /// A step that prepares in a task of its own, which nobody cancels.
  private static func deaf<ID, Value>(_ operation: FlowOperation<ID, Value>) -> FlowOperation<ID, Value> {
    operation.wrappingPreparation { prepare, inputs in try await Task { try await prepare(inputs) }.value }
  }

  /// A step whose calls are in a table while they are under way.
  private static func registered<ID, Value>(
    _ operation: FlowOperation<ID, Value>, in locks: CrossedLocks
  ) -> FlowOperation<ID, Value> {
    operation.wrappingPreparation { prepare, inputs in
      let call = locks.begin()
      return try await withTaskCancellationHandler {
        defer { locks.ended(call) }
        return try await prepare(inputs)
      } onCancel: {
        locks.cancelled(call)
      }
    }
  }

  /// The steps without those, and those prerequisites, that make no flow.
  private static func mended<ID, Value>(_ operations: [FlowOperation<ID, Value>]) -> [FlowOperation<
    ID, Value
  >] {
    var known: Set<ID> = []
    var mended: [FlowOperation<ID, Value>] = []
    for operation in operations where !known.contains(operation.id) {
      mended.append(
        FlowOperation(
          id: operation.id,
          preparationDependencies: operation.preparationDependencies.filter { known.contains($0) },
          prepareWithInputs: { try await operation.prepared(from: $0) }))
      known.insert(operation.id)
    }
    return mended
  }
}
