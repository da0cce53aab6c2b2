internal import Synchronization

/// A clock that is moved by hand, as tests have it. It starts at 0 and knows only who has come to sleep.
final class HandClock: Sendable {
  private struct Sleeper {
    let end: Int64
    let continuation: CheckedContinuation<Void, any Error>
  }
  private struct State {
    var now: Int64 = 0
    var sleepers: [Int: Sleeper] = [:]
    var lastNumber = 0
  }
  private let state = Mutex(State())
  private let hasSleeper = Signal()

  /// Sleeps for so many ns, from whatever the clock shows when the caller comes to it.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  func sleep(for duration: Int64) async throws {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isAsleep = state.withLock { state in
          // A cancel from here on waits for the lock and finds the entry.
          guard !Task.isCancelled else { return false }
          state.sleepers[number] = Sleeper(end: state.now + duration, continuation: continuation)
          return true
        }
        if isAsleep { hasSleeper.fire() } else { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: number) }?
        .continuation.resume(throwing: CancellationError())
    }
  }

  /// Returns when the first sleeper has come, or the task is cancelled.
  func waitForSleeper() async { await hasSleeper.wait() }

  /// Moves the clock and wakes who is due; returns how many that were.
  func advance(by duration: Int64) -> Int {
    let due = state.withLock { state -> [Sleeper] in
      state.now += duration
      let due = state.sleepers.filter { $0.value.end <= state.now }
      for number in due.keys { state.sleepers[number] = nil }
      return Array(due.values)
    }
    for sleeper in due { sleeper.continuation.resume() }
    return due.count
  }

  /// Who sleeps now.
  var sleepers: Int { state.withLock { $0.sleepers.count } }
}
