internal import Synchronization

/// Takes steps in configuration order, one after the other: what the simple strategies have in common.
struct StepByStep<ID: Hashable & Sendable, Value: Sendable> {
  let definition: FlowDefinition<ID, Value>
  let handlers: FlowHandlers<ID, Value>
  /// What is prepared already, by place.
  var results: [Int: Result<Preparation<Value>, any Error>] = [:]
  private var executed: [ID] = []
  private var skipped: [ID] = []

  init(definition: FlowDefinition<ID, Value>, handlers: FlowHandlers<ID, Value>) {
    self.definition = definition
    self.handlers = handlers
  }

  /// Prepares one step from what its prerequisites made.
  static func prepare(
    _ place: Int, of definition: FlowDefinition<ID, Value>,
    from results: [Int: Result<Preparation<Value>, any Error>]
  ) async -> Result<Preparation<Value>, any Error> {
    var inputs: [ID: Preparation<Value>] = [:]
    for prerequisite in definition.prerequisites[place] {
      if case .success(let result)? = results[prerequisite] {
        inputs[definition.operations[prerequisite].id] = result
      }
    }
    do {
      return .success(try await definition.operations[place].prepare(PreparationInputs(inputs)))
    } catch {
      return .failure(error)
    }
  }

  /// Takes every step. `pause` has nobody to resume it here and counts as `proceed`.
  mutating func take() async throws(FlowError<ID>) -> FlowOutcome<ID> {
    for place in definition.operations.indices {
      let id = definition.operations[place].id
      switch try await settled(place, id) {
      case .stop(let canceller): return outcome(.cancelled(by: canceller))
      case .skip: skipped.append(id)
      case .value(let value):
        guard !Task.isCancelled else { return outcome(.cancelled(by: .task)) }
        let decision: ExecutionDecision
        do {
          decision = try await handlers.execute(id, value)
        } catch {
          if Task.isCancelled { return outcome(.cancelled(by: .task)) }
          throw .executionFailed(id, error)
        }
        executed.append(id)
        if decision == .cancel { return outcome(.cancelled(by: .execution(id))) }
      }
    }
    return outcome(.completed)
  }

  private enum Settled {
    case value(Value)
    case skip
    case stop(FlowOutcome<ID>.Canceller)
  }

  /// A step's result, prepared now unless it is there, and again as the handler says.
  private mutating func settled(_ place: Int, _ id: ID) async throws(FlowError<ID>) -> Settled {
    var attempt = 1
    while true {
      if Task.isCancelled { return .stop(.task) }
      if results[place] == nil {
        results[place] = await Self.prepare(place, of: definition, from: results)
      }
      switch results[place] {
      case .success(.ready(let value))?: return .value(value)
      case .failure(let error)?:
        if Task.isCancelled { return .stop(.task) }
        let failure = PreparationFailure(operationID: id, attempt: attempt, underlyingError: error)
        guard let resolve = handlers.resolvePreparationFailure else { throw .preparationFailed(failure) }
        switch await resolve(failure) {
        case .retry: results[place] = nil
        case .skip, .skipAndPause: results[place] = .success(.skip)
        case .cancel: return .stop(.failure(id))
        }
        attempt += 1
      case .success(.skip)?, nil: return .skip
      }
    }
  }

  private func outcome(_ ending: FlowOutcome<ID>.Ending) -> FlowOutcome<ID> {
    FlowOutcome(ending: ending, executed: executed, skipped: skipped)
  }
}

/// Lets the first caller through and no other.
final class OneRun: Sendable {
  private let isTaken = Atomic(false)

  /// True once.
  func claim() -> Bool { !isTaken.exchange(true, ordering: .relaxed) }
}
