internal import Synchronization

/// The first of several answers, for one task that waits.
final class FirstAnswer<Value: Sendable>: Sendable {
  private enum State {
    case open
    case waiting(CheckedContinuation<Value, Never>)
    case answered(Value)
    case taken
  }
  private let state = Mutex(State.open)

  func set(_ value: Value) {
    let waiter = state.withLock { state -> CheckedContinuation<Value, Never>? in
      switch state {
      case .open: state = .answered(value)
      case .waiting(let continuation):
        state = .taken
        return continuation
      case .answered, .taken: break
      }
      return nil
    }
    waiter?.resume(returning: value)
  }

  func value() async -> Value {
    await withCheckedContinuation { continuation in
      let known = state.withLock { state -> Value? in
        guard case .answered(let value) = state else {
          state = .waiting(continuation)
          return nil
        }
        state = .taken
        return value
      }
      if let known { continuation.resume(returning: known) }
    }
  }
}
