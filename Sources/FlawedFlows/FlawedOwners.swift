import Flowline
import Synchronization

/// Flaw: `run()` awaits a task of its own making, and a cancel of the owner does not reach it.
///
/// Sound: the flow runs in its owner's task.
final class DetachedRunFlow<ID: Hashable & Sendable, Value: Sendable>: PausableFlow {
  private let inner: FlowProcessor<ID, Value>

  init(_ inner: FlowProcessor<ID, Value>) { self.inner = inner }

  func run() async throws -> FlowOutcome<ID> { try await Task { [inner] in try await inner.run() }.value }
  func pause() async { inner.pause() }
  func resume() async { inner.resume() }
}

/// Flaw: a cancelled run throws, and what was executed and skipped up to then is lost with the outcome.
///
/// Sound: a cancelled flow has an outcome too.
final class ThrowingRunFlow<ID: Hashable & Sendable, Value: Sendable>: PausableFlow {
  private let inner: FlowProcessor<ID, Value>

  init(_ inner: FlowProcessor<ID, Value>) { self.inner = inner }

  func run() async throws -> FlowOutcome<ID> {
    let outcome = try await inner.run()
    try Task.checkCancellation()
    return outcome
  }
  func pause() async { inner.pause() }
  func resume() async { inner.resume() }
}

/// Flaw: waits for a first step that an empty flow never has, and hears no cancel meanwhile.
///
/// Sound: a flow without steps is complete at once.
final class EmptyFlowWaits<ID: Hashable & Sendable, Value: Sendable>: PausableFlow {
  private let inner: FlowProcessor<ID, Value>
  private let isEmpty: Bool

  init(_ inner: FlowProcessor<ID, Value>, isEmpty: Bool) {
    self.inner = inner
    self.isEmpty = isEmpty
  }

  func run() async throws -> FlowOutcome<ID> {
    if isEmpty { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
    return try await inner.run()
  }
  func pause() async { inner.pause() }
  func resume() async { inner.resume() }
}

/// Flaw: a second `run()` starts from the beginning and executes everything again.
///
/// Sound: one run for each processor.
final class RunAgainFlow<ID: Hashable & Sendable, Value: Sendable>: PausableFlow {
  private let make: @Sendable () throws -> FlowProcessor<ID, Value>
  private let inner: Mutex<FlowProcessor<ID, Value>?>

  init(_ make: @escaping @Sendable () throws -> FlowProcessor<ID, Value>) throws {
    self.make = make
    inner = Mutex(try make())
  }

  func run() async throws -> FlowOutcome<ID> {
    let first = inner.withLock { inner in
      defer { inner = nil }
      return inner
    }
    return try await (first ?? make()).run()
  }
  func pause() async { inner.withLock { $0 }?.pause() }
  func resume() async { inner.withLock { $0 }?.resume() }
}
