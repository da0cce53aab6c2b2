internal import Synchronization

/// Prepares steps concurrently as their prerequisites allow, and executes what they make one at a time in the
/// order in which they were configured.
///
/// The task that awaits ``run()`` owns everything the flow starts. A processor runs once.
public final class FlowProcessor<ID: Hashable & Sendable, Value: Sendable>: PausableFlow {
  private struct Control: Sendable {
    var state: FlowState<Value>
    var hasRun = false
    /// How often ``FlowProcessor/resume()`` was called.
    var resumes = 0
    var sleeper: CheckedContinuation<Void, Never>?
  }

  private let definition: FlowDefinition<ID, Value>
  private let handlers: FlowHandlers<ID, Value>
  private let time: @Sendable () -> Duration
  private let control: Mutex<Control>

  /// A processor of these steps.
  ///
  /// - Parameters:
  ///   - operations: The steps in configuration order.
  ///   - execute: Applies one prepared value; never called twice at once. What it throws ends the flow.
  ///   - resolvePreparationFailure: Decides about a failed preparation in its step's turn. Without it a failure
  ///     ends the flow with `FlowError.preparationFailed`, in its turn too.
  ///   - maximumConcurrentPreparations: Preparations at once, at least 1.
  ///   - clock: What pauses are measured with.
  /// - Throws: `FlowDefinitionError` for steps that make no flow.
  public convenience init(
    operations: [FlowOperation<ID, Value>], execute: @escaping FlowHandlers<ID, Value>.Execute,
    resolvePreparationFailure: FlowHandlers<ID, Value>.ResolveFailure? = nil,
    maximumConcurrentPreparations: Int = 8, clock: some Clock<Duration> = ContinuousClock()
  ) throws(FlowDefinitionError<ID>) {
    try self.init(
      definition: FlowDefinition(operations),
      handlers: FlowHandlers(execute: execute, resolvePreparationFailure: resolvePreparationFailure),
      maximumConcurrentPreparations: maximumConcurrentPreparations, clock: clock)
  }

  /// A processor of checked steps, under the standard rules or others.
  ///
  /// - Throws: `FlowDefinitionError.limitBelowOne`.
  public init(
    definition: FlowDefinition<ID, Value>, handlers: FlowHandlers<ID, Value>,
    maximumConcurrentPreparations limit: Int = 8, rules: any FlowRules = StandardFlowRules(),
    clock: some Clock<Duration> = ContinuousClock()
  ) throws(FlowDefinitionError<ID>) {
    guard limit > 0 else { throw .limitBelowOne(limit) }
    self.definition = definition
    self.handlers = handlers
    let start = clock.now
    time = { start.duration(to: clock.now) }
    control = Mutex(
      Control(
        state: FlowState(
          prerequisites: definition.prerequisites, dependents: definition.dependents, limit: limit,
          asksAboutFailures: handlers.resolvePreparationFailure != nil, rules: rules)))
  }

  /// Starts no preparation, execution or handler from now on; what runs may end, and is kept. Callable at any
  /// time from anywhere, before the run too.
  public func pause() {
    let now = time()
    control.withLock { $0.state.pause(at: now) }
  }

  /// Goes on. While a step is executed outside of a pause, this answers the pause that the step may ask for, so
  /// that a confirmation that comes at once is not lost; else it does nothing.
  public func resume() {
    let now = time()
    let sleeper = control.withLock { control in
      control.state.resume(at: now)
      control.resumes += 1
      defer { control.sleeper = nil }
      return control.sleeper
    }
    sleeper?.resume()
  }

  /// Runs the flow to its end: completed, or cancelled by its task, a step or the handler. Nothing it started is
  /// left when it returns; a preparation that does not listen to cancellation is waited for.
  ///
  /// - Throws: `FlowError`.
  public func run() async throws(FlowError<ID>) -> FlowOutcome<ID> {
    let isFirst = control.withLock { control in
      defer { control.hasRun = true }
      return !control.hasRun
    }
    guard isFirst else { throw .alreadyRun }
    let ending = await withTaskGroup(of: FlowEvent<Value>.self) { await conduct(&$0) }
    return try outcome(of: ending)
  }

  // MARK: Effects

  private func conduct(_ group: inout TaskGroup<FlowEvent<Value>>) async -> FlowEnding {
    var (actions, isPaused, resumes) = control.withLock { ($0.state.start(), $0.state.isPaused, $0.resumes) }
    var hasSleeper = false
    while true {
      for action in actions {
        if case .finish(let ending) = action {
          group.cancelAll()
          return ending
        }
        perform(action, in: &group)
      }
      // Without a child there would be nobody to hear of a resume or a cancel.
      if !hasSleeper, isPaused || group.isEmpty {
        hasSleeper = true
        group.addTask { [self, resumes] in
          await resumption(after: resumes)
          return .woken
        }
      }
      guard let event = await group.next() else { continue }
      if case .woken = event { hasSleeper = false }
      let isCancelled = Task.isCancelled
      let now = time()
      (actions, isPaused, resumes) = control.withLock { control in
        // A failure that a cancel brought about is not a failure of the flow.
        var actions = control.state.handle(isCancelled && event.isFailure ? .cancelled : event, at: now)
        if isCancelled, !actions.contains(where: \.isFinish) {
          actions = control.state.handle(.cancelled, at: now)
        }
        return (actions, control.state.isPaused, control.resumes)
      }
    }
  }

  private func perform(_ action: FlowAction<Value>, in group: inout TaskGroup<FlowEvent<Value>>) {
    switch action {
    case .prepare(let place, let inputs):
      group.addTask { [self] in await prepare(place, inputs) }
    case .execute(let place, let value):
      group.addTask { [self] in
        guard begins(place) else { return .withheld }
        do {
          return .executed(place, try await handlers.execute(definition.operations[place].id, value))
        } catch {
          return .executionFailed(place, error)
        }
      }
    case .resolve(let place, let attempt, let error):
      guard let resolve = handlers.resolvePreparationFailure else { return }
      let id = definition.operations[place].id
      group.addTask { [self] in
        guard begins(place) else { return .withheld }
        let failure = PreparationFailure(operationID: id, attempt: attempt, underlyingError: error)
        return .resolved(place, await resolve(failure))
      }
    case .finish: break
    }
  }

  private func prepare(
    _ place: Int, _ inputs: [(place: Int, result: Preparation<Value>)]
  ) async -> FlowEvent<Value> {
    guard begins(place) else { return .withheld }
    let operations = definition.operations
    let snapshot = PreparationInputs(
      Dictionary(inputs.map { (operations[$0.place].id, $0.result) }, uniquingKeysWith: { first, _ in first })
    )
    do {
      return .prepared(place, try await operations[place].prepare(snapshot))
    } catch {
      return .preparationFailed(place, error)
    }
  }

  /// The last look before user code runs: nothing starts after a cancel, or after a pause has returned.
  private func begins(_ place: Int) -> Bool {
    !Task.isCancelled && control.withLock { $0.state.begins(place) }
  }

  /// Returns when ``resume()`` has been called more often than `seen`, or on cancellation.
  private func resumption(after seen: Int) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = control.withLock { control in
          guard control.resumes == seen, !Task.isCancelled else { return true }
          control.sleeper = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let sleeper = control.withLock { control in
        defer { control.sleeper = nil }
        return control.sleeper
      }
      sleeper?.resume()
    }
  }

  // MARK: Ends

  private func outcome(of ending: FlowEnding) throws(FlowError<ID>) -> FlowOutcome<ID> {
    let operations = definition.operations
    let now = time()
    let (executed, skipped, paused) = control.withLock {
      ($0.state.executed, $0.state.skipped, $0.state.paused(at: now))
    }
    let way: FlowOutcome<ID>.Ending
    switch ending {
    case .completed: way = .completed
    case .cancelledByTask: way = .cancelled(by: .task)
    case .cancelledByExecution(let place): way = .cancelled(by: .execution(operations[place].id))
    case .cancelledByFailure(let place): way = .cancelled(by: .failure(operations[place].id))
    case .preparationFailed(let place, let attempt, let error):
      throw .preparationFailed(
        PreparationFailure(operationID: operations[place].id, attempt: attempt, underlyingError: error))
    case .executionFailed(let place, let error): throw .executionFailed(operations[place].id, error)
    }
    return FlowOutcome(
      ending: way, executed: executed.map { operations[$0].id }, skipped: skipped.map { operations[$0].id },
      paused: paused)
  }
}

extension FlowEvent {
  /// Whether something threw.
  var isFailure: Bool {
    switch self {
    case .preparationFailed, .executionFailed: true
    default: false
    }
  }
}

extension FlowAction {
  /// Whether it ends the flow.
  var isFinish: Bool { if case .finish = self { true } else { false } }
}
