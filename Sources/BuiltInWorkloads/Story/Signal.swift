internal import Synchronization

/// Something that happens once, and the place for one task to wait for it.
final class Signal: Sendable {
  private struct State {
    var hasFired = false
    var waiter: CheckedContinuation<Void, Never>?
  }
  private let state = Mutex(State())

  /// It happens; a second time is no different.
  func fire() { release { $0.hasFired = true } }

  /// Whether it has happened.
  var hasFired: Bool { state.withLock { $0.hasFired } }

  /// Returns when it has happened or the task is cancelled.
  func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          guard !state.hasFired, !Task.isCancelled else { return true }
          state.waiter = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      release { _ in }
    }
  }

  private func release(_ change: (inout State) -> Void) {
    let waiter = state.withLock { state in
      change(&state)
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }
}
