/// What comes after a step was executed.
public enum ExecutionDecision: Sendable, Hashable, CaseIterable {
  /// The next step.
  case proceed
  /// Nothing, until the flow is resumed from outside.
  case pause
  /// The end: what is prepared and not executed is given up.
  case cancel
}

/// What becomes of a step whose preparation failed.
public enum FailureDecision: Sendable, Hashable, CaseIterable {
  /// Its preparation starts again.
  case retry
  /// The step is left out; its dependents may start.
  case skip
  /// As `skip`, and nothing further until the flow is resumed from outside.
  case skipAndPause
  /// The end: what is prepared and not executed is given up.
  case cancel
}

/// A failed preparation, held until its step's turn.
public struct PreparationFailure<ID: Hashable & Sendable>: Error {
  /// The step.
  public let operationID: ID
  /// Which try failed, from 1.
  public let attempt: Int
  /// What the preparation threw.
  public let underlyingError: any Error

  /// A failure of this step and try.
  public init(operationID: ID, attempt: Int, underlyingError: any Error) {
    self.operationID = operationID
    self.attempt = attempt
    self.underlyingError = underlyingError
  }
}

/// The two closures that a flow asks: one for each prepared value in its turn, one for each failure.
public struct FlowHandlers<ID: Hashable & Sendable, Value: Sendable>: Sendable {
  /// Applies a prepared value and says what comes next.
  public typealias Execute = @Sendable (ID, Value) async throws -> ExecutionDecision
  /// Says what becomes of a failed preparation.
  public typealias ResolveFailure = @Sendable (PreparationFailure<ID>) async -> FailureDecision

  /// Called for one value at a time, in configuration order.
  public var execute: Execute
  /// Called for one failure at a time, in its step's turn; without it a failure ends the flow.
  public var resolvePreparationFailure: ResolveFailure?

  /// Handlers of a flow.
  public init(execute: @escaping Execute, resolvePreparationFailure: ResolveFailure? = nil) {
    self.execute = execute
    self.resolvePreparationFailure = resolvePreparationFailure
  }
}
