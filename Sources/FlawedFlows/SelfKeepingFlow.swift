import Flowline
import Synchronization

/// Flaw: what is to be done when the user confirms holds the flow, and the flow's steps hold that: a ring that nobody
/// opens, so a flow that has ended stays in memory, and all that its steps hold.
///
/// Sound: the flow holds its steps, and nothing of theirs holds the flow.
final class SelfKeepingFlow<ID: Hashable & Sendable, Value: Sendable>: PausableFlow {
  /// What is shown to the user, and what a confirmation sets off.
  private final class Confirmation: Sendable {
    private let onConfirm = Mutex<(@Sendable () -> Void)?>(nil)
    func set(_ action: @escaping @Sendable () -> Void) { onConfirm.withLock { $0 = action } }
  }
  private let inner: FlowProcessor<ID, Value>

  init(
    _ handlers: FlowHandlers<ID, Value>, _ make: (FlowHandlers<ID, Value>) throws -> FlowProcessor<ID, Value>
  ) throws {
    let confirmation = Confirmation()
    var keeping = handlers
    keeping.execute = { id, value in
      defer { withExtendedLifetime(confirmation) {} }
      return try await handlers.execute(id, value)
    }
    let inner = try make(keeping)
    self.inner = inner
    confirmation.set { inner.resume() }
  }

  func run() async throws -> FlowOutcome<ID> { try await inner.run() }
  func pause() async { inner.pause() }
  func resume() async { inner.resume() }
}
