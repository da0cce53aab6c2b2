internal import Dispatch
internal import Glibc
internal import Synchronization

/// Threads that call back, as those of a network library do: each takes the next tick that is due.
final class TickThreads: Sendable {
  private struct State {
    var due = 0
    var isOver = false
    var running: Int
    var waiter: CheckedContinuation<Void, Never>?
  }
  private let state: Mutex<State>
  private let work = DispatchSemaphore(value: 0)
  private let tick: @Sendable () -> Void
  private let count: Int

  /// Starts `count` threads that call `tick`.
  init(count: Int, tick: @escaping @Sendable () -> Void) {
    self.count = count
    self.tick = tick
    state = Mutex(State(running: count))
    for _ in 0..<count {
      var thread = pthread_t()
      let reference = Unmanaged.passRetained(self)
      let problem = pthread_create(
        &thread, nil,
        { argument in
          Unmanaged<TickThreads>.fromOpaque(argument!).takeRetainedValue().serve()
          return nil
        }, reference.toOpaque())
      if problem == 0 {
        pthread_detach(thread)
      } else {
        reference.release()
        ended()
      }
    }
  }

  /// So many ticks are due now.
  func fire(_ ticks: Int) {
    state.withLock { $0.due += ticks }
    for _ in 0..<ticks { work.signal() }
  }

  /// Returns when all ticks were made and all threads have ended.
  func finish() async {
    state.withLock { $0.isOver = true }
    for _ in 0..<count { work.signal() }
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if state.running > 0 { state.waiter = continuation }
        return state.running == 0
      }
      if isOver { continuation.resume() }
    }
  }

  private func serve() {
    while true {
      work.wait()
      let takes = state.withLock { state in
        guard state.due > 0 else { return false }
        state.due -= 1
        return true
      }
      if takes { tick() } else if state.withLock({ $0.isOver }) { break }
    }
    ended()
  }

  private func ended() {
    let waiter = state.withLock { state in
      state.running -= 1
      return state.running == 0 ? state.waiter.take() : nil
    }
    waiter?.resume()
  }
}
