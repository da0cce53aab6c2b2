import Synchronization

/// A place to wait until cancelled.
final class CancellationGate: Sendable {
  private enum State {
    case idle
    case waiting(UnsafeContinuation<Void, Never>)
    case open
  }
  private let state = Mutex(State.idle)

  /// Parks a continuation until the gate opens.
  func wait(_ continuation: UnsafeContinuation<Void, Never>) {
    let isOpen = state.withLock { state in
      if case .open = state { return true }
      state = .waiting(continuation)
      return false
    }
    if isOpen { continuation.resume() }
  }

  /// Lets the one who waits go on, now or as soon as it comes.
  func open() {
    let waiting: UnsafeContinuation<Void, Never>? = state.withLock { state in
      defer { state = .open }
      guard case .waiting(let continuation) = state else { return nil }
      return continuation
    }
    waiting?.resume()
  }
}
