import Synchronization
import TokenStreaming

/// Something that tests wait for: a state under a lock, and those who wait for a condition of it.
final class Watched<Value: Sendable>: Sendable {
  private struct State {
    var value: Value
    var waiters: [(@Sendable (Value) -> Bool, CheckedContinuation<Void, Never>)] = []
  }
  private let state: Mutex<State>

  init(_ value: Value) { state = Mutex(State(value: value)) }

  var value: Value { state.withLock { $0.value } }

  @discardableResult
  func update<Result: Sendable>(_ change: (inout Value) -> Result) -> Result {
    let (result, due) = state.withLock { state in
      let result = change(&state.value)
      let due = state.waiters.filter { $0.0(state.value) }
      state.waiters.removeAll { $0.0(state.value) }
      return (result, due)
    }
    for (_, waiter) in due { waiter.resume() }
    return result
  }

  func wait(until condition: @escaping @Sendable (Value) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isDue = state.withLock { state in
        if condition(state.value) { return true }
        state.waiters.append((condition, continuation))
        return false
      }
      if isDue { continuation.resume() }
    }
  }
}

/// An engine that does what the test says.
final class ManualEngine: TokenEngine {
  final class Run: EngineRun {
    let prompt: Prompt
    let isDeaf: Bool
    let stops = Watched(0)
    private let onEvent: @Sendable (EngineEvent) -> Void
    private let state = Mutex((made: 0, isOver: false))
    private let over: @Sendable () -> Void

    init(
      _ prompt: Prompt, isDeaf: Bool, over: @escaping @Sendable () -> Void,
      onEvent: @escaping @Sendable (EngineEvent) -> Void
    ) {
      self.prompt = prompt
      self.isDeaf = isDeaf
      self.over = over
      self.onEvent = onEvent
    }

    func emit(_ texts: String...) { for text in texts { emit(utf8: Array(text.utf8)) } }

    func emit(utf8: [UInt8]) {
      let index = state.withLock { state in
        defer { state.made += 1 }
        return state.made
      }
      onEvent(.token(Token(index: index, utf8: utf8)))
    }

    func end(_ event: EngineEvent) {
      let isFirst = state.withLock { state in
        defer { state.isOver = true }
        return !state.isOver
      }
      guard isFirst else { return }
      over()
      onEvent(event)
    }

    func stop() {
      stops.update { $0 += 1 }
      if !isDeaf { end(.stopped) }
    }
  }

  struct Books: Sendable {
    var runs: [Run] = []
    var running = 0
    var mostRunning = 0
  }
  let isDeaf: Bool
  let books = Watched(Books())

  init(isDeaf: Bool = false) { self.isDeaf = isDeaf }

  func start(_ prompt: Prompt, onEvent: @escaping @Sendable (EngineEvent) -> Void) -> any EngineRun {
    let run = Run(
      prompt, isDeaf: isDeaf, over: { [books] in books.update { $0.running -= 1 } }, onEvent: onEvent)
    books.update {
      $0.runs.append(run)
      $0.running += 1
      $0.mostRunning = max($0.mostRunning, $0.running)
    }
    return run
  }

  /// The run of that number, as soon as it has started.
  func run(_ number: Int) async -> Run {
    await books.wait { $0.runs.count > number }
    return books.value.runs[number]
  }
}

/// Counts what the pipeline tells.
final class Recording: TokenObserver {
  struct Counts: Sendable {
    var queued = 0, left = 0, read = 0, dropped = 0
    var updates: [TextUpdate] = []
    var endings: [Int: String] = [:]
  }
  let counts = Watched(Counts())

  func callerQueued(_ prompt: Prompt) { counts.update { $0.queued += 1 } }
  func callerLeft(_ prompt: Prompt) { counts.update { $0.left += 1 } }
  func tokenRead(_ prompt: Prompt, index: Int) { counts.update { $0.read += 1 } }
  func tokenDropped(_ prompt: Prompt, index: Int) { counts.update { $0.dropped += 1 } }
  func replyGrew(_ reply: Int, by update: TextUpdate, for prompt: Prompt) {
    counts.update { $0.updates.append(update) }
  }
  func replyEnded(_ prompt: Prompt, _ ending: ReplyEnding, text: String) {
    let word =
      switch ending {
      case .complete: "complete"
      case .interrupted: "interrupted"
      case .failed: "failed"
      }
    counts.update { $0.endings[prompt.number] = word }
  }
}

/// A clock that stands still until the test moves it.
final class ManualClock: Clock {
  struct Instant: InstantProtocol {
    var offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
  }

  struct Sleeper: Sendable {
    let number: Int
    let end: Instant
    let continuation: CheckedContinuation<Bool, Never>
  }
  struct Times: Sendable {
    var now = Instant(offset: .zero)
    var sleepers: [Sleeper] = []
    var last = 0
    var cancelled: Set<Int> = []
  }
  let times = Watched(Times())

  var now: Instant { times.value.now }
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let number = times.update { times in
      times.last += 1
      return times.last
    }
    let isOver = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isNow = times.update { times -> Bool? in
          if times.cancelled.contains(number) { return false }
          if times.now >= deadline { return true }
          times.sleepers.append(Sleeper(number: number, end: deadline, continuation: continuation))
          return nil
        }
        if let isNow { continuation.resume(returning: isNow) }
      }
    } onCancel: {
      let sleeper = times.update { times -> Sleeper? in
        times.cancelled.insert(number)
        guard let index = times.sleepers.firstIndex(where: { $0.number == number }) else { return nil }
        return times.sleepers.remove(at: index)
      }
      sleeper?.continuation.resume(returning: false)
    }
    if !isOver { throw CancellationError() }
  }

  /// Moves on, as soon as somebody sleeps.
  func advanceSleeper(by duration: Duration) async {
    await times.wait { !$0.sleepers.isEmpty }
    advance(by: duration)
  }

  func advance(by duration: Duration) {
    let due = times.update { times -> [Sleeper] in
      times.now = times.now.advanced(by: duration)
      let now = times.now
      defer { times.sleepers.removeAll { $0.end <= now } }
      return times.sleepers.filter { $0.end <= now }
    }
    for sleeper in due { sleeper.continuation.resume(returning: true) }
  }
}

struct EngineFault: Error {}
