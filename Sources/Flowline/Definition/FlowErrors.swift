/// Steps that make no flow. Nothing was started.
public enum FlowDefinitionError<ID: Hashable & Sendable>: Error, Hashable, CustomStringConvertible {
  /// Two steps have one identifier; the places count from 0.
  case duplicateIdentifier(ID, first: Int, second: Int)
  /// A step depends on one that is not in the flow.
  case unknownPrerequisite(ID, of: ID)
  /// A step depends on itself or on one that comes later.
  case laterPrerequisite(ID, of: ID)
  /// Fewer than one preparation at a time.
  case limitBelowOne(Int)

  /// A stable name of the fault.
  public var code: String {
    switch self {
    case .duplicateIdentifier: "flow.duplicate-identifier"
    case .unknownPrerequisite: "flow.unknown-prerequisite"
    case .laterPrerequisite: "flow.later-prerequisite"
    case .limitBelowOne: "flow.limit-below-one"
    }
  }

  /// What is wrong and what would do.
  public var description: String {
    switch self {
    case .duplicateIdentifier(let id, let first, let second):
      "steps \(first) and \(second) are both called \(id): give each a name of its own"
    case .unknownPrerequisite(let id, let step):
      "\(step) depends on \(id), which is not in the flow"
    case .laterPrerequisite(let id, let step):
      "\(step) depends on \(id), which does not come before it: a prerequisite stands earlier in the list"
    case .limitBelowOne(let limit):
      "at most \(limit) preparations at a time would prepare nothing: allow at least one"
    }
  }
}

/// Why a run ended without an outcome. Everything it had started has ended.
public enum FlowError<ID: Hashable & Sendable>: Error, CustomStringConvertible {
  /// The processor has been run before, or runs now: make another one.
  case alreadyRun
  /// A preparation failed and there is no handler to ask; earlier steps were executed, later ones were not.
  case preparationFailed(PreparationFailure<ID>)
  /// Executing a step threw; earlier steps were executed, later ones were not.
  case executionFailed(ID, any Error)

  /// A stable name of the fault.
  public var code: String {
    switch self {
    case .alreadyRun: "flow.already-run"
    case .preparationFailed: "flow.preparation-failed"
    case .executionFailed: "flow.execution-failed"
    }
  }

  /// What happened and what to do about it.
  public var description: String {
    switch self {
    case .alreadyRun: "a flow runs once: make another processor to run it again"
    case .preparationFailed(let failure):
      "preparing \(failure.operationID) failed (try \(failure.attempt)): \(failure.underlyingError)"
    case .executionFailed(let id, let error): "executing \(id) failed: \(error)"
    }
  }
}
