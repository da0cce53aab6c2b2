/// What happens to a flow. Steps are named by their place.
enum FlowEvent<Value: Sendable>: Sendable {
  /// A preparation ended.
  case prepared(Int, Preparation<Value>)
  case preparationFailed(Int, any Error)
  /// A step was executed.
  case executed(Int, ExecutionDecision)
  case executionFailed(Int, any Error)
  /// The handler decided about a failure.
  case resolved(Int, FailureDecision)
  /// Something that was to start did not, because a pause came before it.
  case withheld
  /// The flow was resumed.
  case woken
  /// The owner's task was cancelled.
  case cancelled
}

/// What is to be done next.
enum FlowAction<Value: Sendable>: Sendable {
  /// Start a preparation.
  case prepare(Int, inputs: [(place: Int, result: Preparation<Value>)])
  /// Execute a value.
  case execute(Int, Value)
  /// Ask the handler.
  case resolve(Int, attempt: Int, any Error)
  /// Stop what runs and end.
  case finish(FlowEnding)
}

/// How a flow ended, by place.
enum FlowEnding: Sendable {
  case completed
  case cancelledByTask
  case cancelledByExecution(Int)
  case cancelledByFailure(Int)
  case preparationFailed(Int, attempt: Int, any Error)
  case executionFailed(Int, any Error)
}
