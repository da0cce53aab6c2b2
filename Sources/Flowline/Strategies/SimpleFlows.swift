/// Prepares and executes one step after the other: the straightforward way, and the slowest.
public final class SequentialFlow<ID: Hashable & Sendable, Value: Sendable>: OrderedFlow {
  private let definition: FlowDefinition<ID, Value>
  private let handlers: FlowHandlers<ID, Value>
  private let once = OneRun()

  /// A flow of these steps.
  public init(definition: FlowDefinition<ID, Value>, handlers: FlowHandlers<ID, Value>) {
    self.definition = definition
    self.handlers = handlers
  }

  /// Runs it to its end, once. Throws `FlowError`.
  public func run() async throws(FlowError<ID>) -> FlowOutcome<ID> {
    guard once.claim() else { throw .alreadyRun }
    var steps = StepByStep(definition: definition, handlers: handlers)
    return try await steps.take()
  }
}

/// Starts every preparation as soon as its prerequisites are prepared, without a limit, and executes when all
/// are done: what `async let` and a task group make of it.
///
/// A step whose prerequisite failed is prepared in its turn, when the failure is resolved.
public final class SimultaneousFlow<ID: Hashable & Sendable, Value: Sendable>: OrderedFlow {
  private let definition: FlowDefinition<ID, Value>
  private let handlers: FlowHandlers<ID, Value>
  private let once = OneRun()

  /// A flow of these steps.
  public init(definition: FlowDefinition<ID, Value>, handlers: FlowHandlers<ID, Value>) {
    self.definition = definition
    self.handlers = handlers
  }

  /// Runs it to its end, once. Throws `FlowError`.
  public func run() async throws(FlowError<ID>) -> FlowOutcome<ID> {
    guard once.claim() else { throw .alreadyRun }
    var steps = StepByStep(definition: definition, handlers: handlers)
    steps.results = await prepareAll()
    return try await steps.take()
  }

  private typealias Prepared = (place: Int, result: Result<Preparation<Value>, any Error>)

  private func prepareAll() async -> [Int: Result<Preparation<Value>, any Error>] {
    let definition = definition
    var open = definition.prerequisites.map(\.count)
    return await withTaskGroup(of: Prepared.self) { group in
      var results: [Int: Result<Preparation<Value>, any Error>] = [:]
      func start(_ place: Int) {
        group.addTask { [results] in
          (place, await StepByStep.prepare(place, of: definition, from: results))
        }
      }
      for place in open.indices where open[place] == 0 { start(place) }
      while let (place, result) = await group.next() {
        results[place] = result
        guard case .success = result, !Task.isCancelled else { continue }
        for dependent in definition.dependents[place] {
          open[dependent] -= 1
          if open[dependent] == 0 { start(dependent) }
        }
      }
      return results
    }
  }
}
