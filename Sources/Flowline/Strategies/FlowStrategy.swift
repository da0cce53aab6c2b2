/// A way of running the same steps.
public enum FlowStrategy: Sendable, Hashable {
  /// One step after the other: ``SequentialFlow``.
  case sequential
  /// All preparations at once, then all executions: ``SimultaneousFlow``.
  case allAtOnce
  /// Early preparation within a limit, execution in order meanwhile: ``FlowProcessor``.
  case ordered(limit: Int)

  /// A flow that goes about it this way. Throws `FlowDefinitionError.limitBelowOne`.
  public func makeFlow<ID, Value>(
    _ definition: FlowDefinition<ID, Value>, handlers: FlowHandlers<ID, Value>,
    clock: some Clock<Duration> = ContinuousClock()
  ) throws(FlowDefinitionError<ID>) -> any OrderedFlow<ID> {
    switch self {
    case .sequential: SequentialFlow(definition: definition, handlers: handlers)
    case .allAtOnce: SimultaneousFlow(definition: definition, handlers: handlers)
    case .ordered(let limit):
      try FlowProcessor(
        definition: definition, handlers: handlers, maximumConcurrentPreparations: limit, clock: clock)
    }
  }
}
