/// One step of a flow: prepared early, executed in its turn.
public struct FlowOperation<ID: Hashable & Sendable, Value: Sendable>: Sendable {
  /// The work that makes the value, given what its prerequisites made.
  public typealias Prepare = @Sendable (PreparationInputs<ID, Value>) async throws -> Preparation<Value>

  /// What the step is called; unique within its flow.
  public let id: ID
  /// The steps that must be prepared, or have skipped, before this one may start. All stand earlier in the flow.
  public let preparationDependencies: [ID]
  let prepare: Prepare

  /// A step whose preparation reads what its prerequisites made.
  public init(id: ID, preparationDependencies: [ID] = [], prepareWithInputs prepare: @escaping Prepare) {
    self.id = id
    self.preparationDependencies = preparationDependencies
    self.prepare = prepare
  }

  /// A step whose preparation needs its prerequisites to be ready, but not what they made.
  public init(
    id: ID, preparationDependencies: [ID] = [],
    prepare: @escaping @Sendable () async throws -> Preparation<Value>
  ) {
    self.init(
      id: id, preparationDependencies: preparationDependencies,
      prepareWithInputs: { _ in try await prepare() })
  }

  /// The same step with its preparation wrapped in another one.
  public func wrappingPreparation(
    _ wrap:
      @escaping @Sendable (@escaping Prepare, PreparationInputs<ID, Value>) async throws -> Preparation<Value>
  ) -> FlowOperation {
    let inner = prepare
    return FlowOperation(id: id, preparationDependencies: preparationDependencies) { inputs in
      try await wrap(inner, inputs)
    }
  }

  /// Runs the preparation; for those who schedule steps themselves.
  public func prepared(from inputs: PreparationInputs<ID, Value>) async throws -> Preparation<Value> {
    try await prepare(inputs)
  }
}

/// What a preparation came to.
public enum Preparation<Value: Sendable>: Sendable {
  /// A value to be executed in its turn.
  case ready(Value)
  /// Nothing to execute; it counts as prepared all the same.
  case skip
}

extension Preparation: Equatable where Value: Equatable {}

/// What the declared prerequisites of one step made: a snapshot that never changes.
///
/// A prerequisite is always in it, as `ready` or `skip`; nothing else is.
public struct PreparationInputs<ID: Hashable & Sendable, Value: Sendable>: Sendable {
  private let results: [ID: Preparation<Value>]

  /// A snapshot of these results.
  public init(_ results: [ID: Preparation<Value>]) { self.results = results }

  /// What a declared prerequisite made; nil for every other step.
  public subscript(id: ID) -> Preparation<Value>? { results[id] }

  /// The prerequisites, in no particular order.
  public var identifiers: some Collection<ID> { results.keys }
}
