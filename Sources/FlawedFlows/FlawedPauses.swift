import Flowline
import Synchronization

/// Flaw: a pause is a gate before each step, whose waiters hear of no cancellation: a flow that is cancelled
/// while it is paused never ends.
///
/// Sound: a cancel ends a pause.
final class DeafPauseFlow<ID: Hashable & Sendable, Value: Sendable>: PausableFlow {
  private let inner: FlowProcessor<ID, Value>
  private let gate: DeafGate

  init(
    _ operations: [FlowOperation<ID, Value>], _ handlers: FlowHandlers<ID, Value>,
    _ make: ([FlowOperation<ID, Value>], FlowHandlers<ID, Value>) throws -> FlowProcessor<ID, Value>
  ) throws {
    let gate = DeafGate()
    self.gate = gate
    let gated = operations.map { operation in
      operation.wrappingPreparation { prepare, inputs in
        await gate.pass()
        return try await prepare(inputs)
      }
    }
    var gatedHandlers = handlers
    gatedHandlers.execute = { id, value in
      await gate.pass()
      return try await handlers.execute(id, value)
    }
    inner = try make(gated, gatedHandlers)
  }

  func run() async throws -> FlowOutcome<ID> { try await inner.run() }
  func pause() async { gate.close() }
  func resume() async { gate.open() }
}

/// Flaw: a lock is held while a step is executed, and `pause()` takes the same one: a step that pauses its own
/// flow waits for itself.
///
/// Sound: user code runs outside of every lock.
final class LockedExecutionFlow<ID: Hashable & Sendable, Value: Sendable>: PausableFlow {
  private let inner: FlowProcessor<ID, Value>
  private let lock: TaskLock

  init(
    _ handlers: FlowHandlers<ID, Value>, _ make: (FlowHandlers<ID, Value>) throws -> FlowProcessor<ID, Value>
  ) throws {
    let lock = TaskLock()
    self.lock = lock
    var locked = handlers
    locked.execute = { id, value in
      await lock.acquire()
      defer { lock.release() }
      return try await handlers.execute(id, value)
    }
    inner = try make(locked)
  }

  func run() async throws -> FlowOutcome<ID> { try await inner.run() }

  func pause() async {
    await lock.acquire()
    inner.pause()
    lock.release()
  }

  func resume() async {
    await lock.acquire()
    inner.resume()
    lock.release()
  }
}

/// Flaw: a pause throws away what is being prepared, and it is prepared again afterwards.
///
/// Sound: what runs may end, and is kept.
final class DiscardingPauseFlow<ID: Hashable & Sendable, Value: Sendable>: PausableFlow {
  private let inner: FlowProcessor<ID, Value>
  private let running: RunningPreparations<Value>

  init(
    _ operations: [FlowOperation<ID, Value>],
    _ make: ([FlowOperation<ID, Value>]) throws -> FlowProcessor<ID, Value>
  ) throws {
    let running = RunningPreparations<Value>()
    self.running = running
    inner = try make(
      operations.map { operation in
        operation.wrappingPreparation { prepare, inputs in
          try await running.prepare { try await prepare(inputs) }
        }
      })
  }

  func run() async throws -> FlowOutcome<ID> { try await inner.run() }

  func pause() async {
    inner.pause()
    running.discard()
  }

  func resume() async {
    inner.resume()
    running.goOn()
  }
}

/// The preparations that a pause throws away.
private final class RunningPreparations<Value: Sendable>: Sendable {
  private struct State {
    var tasks: [Int: Task<Preparation<Value>, any Error>] = [:]
    var discarded: Set<Int> = []
    var last = 0
  }
  private let state = Mutex(State())
  private let gate = DeafGate()

  func prepare(
    _ prepare: @escaping @Sendable () async throws -> Preparation<Value>
  ) async throws -> Preparation<Value> {
    while true {
      await gate.pass()
      let task = Task { try await prepare() }
      let number = state.withLock { state in
        state.last += 1
        state.tasks[state.last] = task
        return state.last
      }
      let result = await withTaskCancellationHandler {
        await task.result
      } onCancel: {
        task.cancel()
      }
      let isDiscarded = state.withLock { state in
        state.tasks[number] = nil
        return state.discarded.remove(number) != nil
      }
      if !isDiscarded || Task.isCancelled { return try result.get() }
    }
  }

  func discard() {
    gate.close()
    let tasks = state.withLock { state in
      state.discarded.formUnion(state.tasks.keys)
      return Array(state.tasks.values)
    }
    for task in tasks { task.cancel() }
  }

  func goOn() { gate.open() }
}
