import Synchronization

/// A gate made of plain continuations: whoever waits at it when it is closed hears of no cancellation.
final class DeafGate: Sendable {
  private struct State {
    var isClosed = false
    var waiting: [UnsafeContinuation<Void, Never>] = []
  }
  private let state = Mutex(State())

  func close() { state.withLock { $0.isClosed = true } }

  func open() {
    let waiting = state.withLock { state in
      state.isClosed = false
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  func pass() async {
    await withUnsafeContinuation { continuation in
      let isOpen = state.withLock { state in
        if state.isClosed { state.waiting.append(continuation) }
        return !state.isClosed
      }
      if isOpen { continuation.resume() }
    }
  }
}

/// A lock that tasks wait for without holding a thread; whoever holds it and asks again waits for itself.
final class TaskLock: Sendable {
  private struct State {
    var isHeld = false
    var waiting: [UnsafeContinuation<Void, Never>] = []
  }
  private let state = Mutex(State())

  func acquire() async {
    await withUnsafeContinuation { continuation in
      let isMine = state.withLock { state in
        if state.isHeld { state.waiting.append(continuation) }
        defer { state.isHeld = true }
        return !state.isHeld
      }
      if isMine { continuation.resume() }
    }
  }

  func release() {
    let next = state.withLock { state -> UnsafeContinuation<Void, Never>? in
      if state.waiting.isEmpty {
        state.isHeld = false
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}
