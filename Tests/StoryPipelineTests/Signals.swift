import Synchronization

/// A count that tasks can wait for.
final class Counter: Sendable {
  private struct State {
    var value = 0
    var waiters: [(Int, CheckedContinuation<Void, Never>)] = []
  }
  private let state = Mutex(State())

  var value: Int { state.withLock { $0.value } }

  func increment() {
    let due = state.withLock { state in
      state.value += 1
      let due = state.waiters.filter { $0.0 <= state.value }
      state.waiters.removeAll { $0.0 <= state.value }
      return due
    }
    for (_, waiter) in due { waiter.resume() }
  }

  func wait(for value: Int) async {
    await withCheckedContinuation { continuation in
      let isDue = state.withLock { state in
        if state.value >= value { return true }
        state.waiters.append((value, continuation))
        return false
      }
      if isDue { continuation.resume() }
    }
  }
}

/// A gate that lets one waiter through for each step; deaf or attentive to cancellation.
final class Gate: Sendable {
  private struct State {
    var steps = 0
    var waiters: [(Int, CheckedContinuation<Void, any Error>)] = []
    var gone: Set<Int> = []
    var last = 0
  }
  private let state = Mutex(State())
  let arrived = Counter()

  func step(_ count: Int = 1) {
    for _ in 0..<count {
      state.withLock { state -> CheckedContinuation<Void, any Error>? in
        guard !state.waiters.isEmpty else {
          state.steps += 1
          return nil
        }
        return state.waiters.removeFirst().1
      }?.resume()
    }
  }

  func pass(deaf: Bool = false) async throws {
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let result: Result<Void, any Error>? = state.withLock { state in
          if state.gone.contains(number) { return .failure(CancellationError()) }
          if state.steps > 0 {
            state.steps -= 1
            return .success(())
          }
          state.waiters.append((number, continuation))
          return nil
        }
        arrived.increment()
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      guard !deaf else { return }
      state.withLock { state -> CheckedContinuation<Void, any Error>? in
        state.gone.insert(number)
        guard let index = state.waiters.firstIndex(where: { $0.0 == number }) else { return nil }
        return state.waiters.remove(at: index).1
      }?.resume(throwing: CancellationError())
    }
  }
}

/// A clock that stands still until it is advanced.
final class ManualClock: Clock {
  struct Instant: InstantProtocol {
    var offset: Duration = .zero
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }
  private struct State {
    var now = Instant()
    var sleepers: [(number: Int, deadline: Instant, continuation: CheckedContinuation<Void, any Error>)] = []
    var gone: Set<Int> = []
    var last = 0
  }
  private let state = Mutex(State())
  let sleeping = Counter()

  var now: Instant { state.withLock { $0.now } }
  var minimumResolution: Duration { .nanoseconds(1) }
  var sleepers: Int { state.withLock { $0.sleepers.count } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let result: Result<Void, any Error>? = state.withLock { state in
          if state.gone.contains(number) { return .failure(CancellationError()) }
          if deadline <= state.now { return .success(()) }
          state.sleepers.append((number, deadline, continuation))
          return nil
        }
        sleeping.increment()
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      state.withLock { state -> CheckedContinuation<Void, any Error>? in
        state.gone.insert(number)
        guard let index = state.sleepers.firstIndex(where: { $0.number == number }) else { return nil }
        return state.sleepers.remove(at: index).continuation
      }?.resume(throwing: CancellationError())
    }
  }

  func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.deadline <= state.now }
      state.sleepers.removeAll { $0.deadline <= state.now }
      return due
    }
    for sleeper in due { sleeper.continuation.resume() }
  }
}
