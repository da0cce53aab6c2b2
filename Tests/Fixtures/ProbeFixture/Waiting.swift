import Synchronization

/// Continuations that code has lost; the fixture resumes them when it has looked.
final class Forgotten: Sendable {
  private let kept = Mutex<[ObjectIdentifier: UnsafeContinuation<Void, Never>]>([:])

  func keep(_ continuation: UnsafeContinuation<Void, Never>, _ gate: Gate) {
    kept.withLock { $0[ObjectIdentifier(gate)] = continuation }
  }

  func resume(_ gate: Gate) { kept.withLock { $0.removeValue(forKey: ObjectIdentifier(gate)) }?.resume() }
}

let forgotten = Forgotten()

/// Work that does not heed a cancel.
struct CleanUp: Sendable {
  /// Sleeps in a task that nobody cancels.
  func wait(milliseconds: Int) async {
    let until = ContinuousClock.now.advanced(by: .milliseconds(milliseconds))
    while ContinuousClock.now < until {
      // A cancelled sleep ends at once; an uncancelled one of another task does not. No task may be made here.
      await tickets.wait(until: until)
    }
  }
}

let cleanUp = CleanUp()

/// Wakes those who wait, from the fixture's own loop: a wait that heeds no cancel and makes no task.
final class Tickets: Sendable {
  private let waiting = Mutex<[(ContinuousClock.Instant, UnsafeContinuation<Void, Never>)]>([])

  func wait(until time: ContinuousClock.Instant) async {
    await withUnsafeContinuation { continuation in waiting.withLock { $0.append((time, continuation)) } }
  }

  /// Resumes those whose time has come.
  func tick() {
    let now = ContinuousClock.now
    let due = waiting.withLock { waiting in
      defer { waiting.removeAll { $0.0 <= now } }
      return waiting.filter { $0.0 <= now }
    }
    for (_, continuation) in due { continuation.resume() }
  }
}

let tickets = Tickets()
