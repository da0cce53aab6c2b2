import Flowline
import Synchronization

/// What happened in one flow, in order: `+a` preparing, `-a` prepared, `a` executed.
final class Record: Sendable {
  private struct State {
    var lines: [String] = []
    var open = 0
    var most = 0
  }
  private let state = Mutex(State())

  func note(_ line: String) { state.withLock { $0.lines.append(line) } }

  func began(_ id: String) {
    state.withLock {
      $0.lines.append("+" + id)
      $0.open += 1
      $0.most = max($0.most, $0.open)
    }
  }

  func ended(_ id: String) {
    state.withLock {
      $0.lines.append("-" + id)
      $0.open -= 1
    }
  }

  var lines: [String] { state.withLock { $0.lines } }
  /// Most preparations at once.
  var most: Int { state.withLock { $0.most } }
  func index(of line: String) -> Int? { lines.firstIndex(of: line) }
  /// What was executed.
  var executed: [String] { lines.filter { !$0.hasPrefix("+") && !$0.hasPrefix("-") } }
}

/// Something that many wait for and that happens once; waiting ends on a cancel too.
final class Latch: Sendable {
  private struct State {
    var isOpen = false
    var last = 0
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
  }
  private let state = Mutex(State())

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [:] }
      return state.waiting
    }
    for (_, continuation) in waiting { continuation.resume() }
  }

  /// Throws when the task is cancelled first.
  func wait() async throws {
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          guard !state.isOpen, !Task.isCancelled else { return true }
          state.waiting[number] = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
    }
    try Task.checkCancellation()
  }
}

typealias Step = FlowOperation<String, String>

struct Broken: Error {}

extension FlowOperation where ID == String, Value == String {
  /// A step that is prepared when its latch opens, if it has one.
  static func step(
    _ id: String, after prerequisites: [String] = [], in record: Record, when latch: Latch? = nil,
    skips: Bool = false
  ) -> Step {
    FlowOperation(id: id, preparationDependencies: prerequisites) {
      record.began(id)
      defer { record.ended(id) }
      try await latch?.wait()
      return skips ? .skip : .ready(id)
    }
  }
}

/// Waits until something is so; gives way to other tasks meanwhile.
func until(_ condition: () -> Bool) async {
  while !condition() { await Task.yield() }
}

/// A clock that stands still until it is moved.
final class HandClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    var offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }
  private let time = Mutex(Duration.zero)
  var now: Instant { Instant(offset: time.withLock { $0 }) }
  var minimumResolution: Duration { .nanoseconds(1) }
  func advance(by duration: Duration) { time.withLock { $0 += duration } }
  func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
}
