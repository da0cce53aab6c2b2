import Synchronization

/// A worker's batch as a value: events in, actions out.
struct BatchState {
  let limit: BatchLimit
  private(set) var pending: [Candidate] = []
  private var number: UInt64 = 0
  /// The timer of the pending batch: it sleeps, and may be cancelled when the batch goes another way.
  private var timer: Task<Void, Never>?
  /// Timers that have run out and are storing or showing their batch, by its number; `nil` until registered.
  private var expiring: [UInt64: Task<Void, Never>?] = [:]
  private var unshown: [Candidate] = []
  /// Batches that the user's choice is having stored.
  private var selections = 0
  private var finisher: CheckedContinuation<Void, Never>?

  init(limit: BatchLimit) {
    self.limit = limit
    pending.reserveCapacity(min(limit.size ?? 0, 1_024))
  }

  /// A candidate came. Start a timer for the batch with the number returned, if it is the first of one.
  mutating func add(_ candidate: Candidate) -> UInt64? {
    pending.append(candidate)
    return pending.count == 1 && limit.every != nil ? number : nil
  }

  /// The batch, if it is full, and its timer.
  mutating func takeFull() -> (batch: [Candidate], timer: Task<Void, Never>?)? {
    guard let size = limit.size, pending.count >= size else { return nil }
    return take()
  }

  /// Whatever is there, and its timer.
  mutating func take() -> (batch: [Candidate], timer: Task<Void, Never>?) {
    defer {
      pending = []
      timer = nil
      number += 1
    }
    return (pending, timer)
  }

  /// A timer ran out: its batch, or `nil` if that has gone another way.
  mutating func takeExpired(_ expired: UInt64) -> [Candidate]? {
    guard expired == number, !pending.isEmpty else { return nil }
    let (batch, timer) = take()
    expiring.updateValue(timer, forKey: expired)
    return batch
  }

  /// The batch of a timer that ran out is stored and shown.
  mutating func expiryEnded(_ expired: UInt64) { expiring.removeValue(forKey: expired) }

  /// A timer was started; false if its batch has gone another way and it can be cancelled.
  mutating func started(_ timer: Task<Void, Never>, for batch: UInt64) -> Bool {
    if batch == number {
      self.timer = timer
    } else if expiring[batch] != nil {
      expiring.updateValue(timer, forKey: batch)
    } else {
      return false
    }
    return true
  }

  /// Timers that are still at work on their batch.
  var timersAtWork: [Task<Void, Never>] { expiring.values.compactMap { $0 } }

  /// The user chooses: the batch to store now, and its timer.
  mutating func takeForSelection() -> (batch: [Candidate], timer: Task<Void, Never>?) {
    selections += 1
    return take()
  }

  /// What the user's choice took is stored; the view has not seen `batch` yet. Returns who waits for that.
  mutating func selectionStored(unshown batch: [Candidate]) -> CheckedContinuation<Void, Never>? {
    unshown.append(contentsOf: batch)
    selections -= 1
    guard selections == 0 else { return nil }
    defer { finisher = nil }
    return finisher
  }

  /// The stage ends, and waits for the batches that are being stored for the user. False if there are none.
  mutating func awaitSelections(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
    guard selections > 0 else { return false }
    finisher = continuation
    return true
  }

  mutating func takeUnshown() -> [Candidate] {
    guard !unshown.isEmpty else { return [] }
    defer { unshown = [] }
    return unshown
  }
}

/// Collects a worker's candidates and stores each batch in one call.
///
/// A batch is stored when it is full, when its first candidate is old enough (a timer on the injected clock,
/// so also while the source is silent), when the user chooses, and when the stage ends in whatever way.
/// One worker feeds one collector.
public final class CandidateCollector: CandidateIntake {
  private let context: IntakeContext
  private let showsFirst: Bool
  private let state: Mutex<BatchState>

  /// A collector. `showsFirst`: the view gets a candidate before it is stored (write-behind), not after.
  public init(_ context: IntakeContext, limit: BatchLimit, showsFirst: Bool) {
    self.context = context
    self.showsFirst = showsFirst
    state = Mutex(BatchState(limit: limit))
  }

  /// Adds to the batch; stores it if it is full.
  public func accept(_ candidate: Candidate) async throws {
    if let batch = state.withLock({ $0.add(candidate) }) { startTimer(for: batch) }
    if showsFirst { try await context.showOrDrop(CollectionOfOne(candidate)) }
    if let (batch, timer) = state.withLock({ $0.takeFull() }) {
      timer?.cancel()
      await store(batch, cause: .size)
      if !showsFirst { try await context.showOrDrop(batch) }
    }
    if !showsFirst { try await context.showOrDrop(state.withLock { $0.takeUnshown() }) }
  }

  /// Stores the batch as it is; the view gets it with the next one.
  public func storePending() async {
    let (batch, timer) = state.withLock { $0.takeForSelection() }
    timer?.cancel()
    await store(batch, cause: .selection)
    state.withLock { $0.selectionStored(unshown: showsFirst ? [] : batch) }?.resume()
  }

  /// Stores the last partial batch.
  public func finish(_ ending: StageEnding) async {
    let (batch, timer) = state.withLock { $0.take() }
    timer?.cancel()
    await store(batch, cause: .end)
    for timer in state.withLock({ $0.timersAtWork }) {
      if ending != .finished { timer.cancel() }
      await timer.value
    }
    await withCheckedContinuation { continuation in
      if !state.withLock({ $0.awaitSelections(continuation) }) { continuation.resume() }
    }
    guard !showsFirst else { return }
    let rest = state.withLock { $0.takeUnshown() } + batch
    if ending == .finished {
      try? await context.showOrDrop(rest)
    } else {
      context.drop(rest)
    }
  }

  private func store(_ batch: [Candidate], cause: FlushCause) async {
    guard !batch.isEmpty else { return }
    await context.registry.store(contentsOf: batch)
    for candidate in batch { context.observer.candidateStored(candidate.id) }
    context.observer.batchFlushed(size: batch.count, cause: cause)
  }

  private func startTimer(for batch: UInt64) {
    let every = state.withLock { $0.limit.every } ?? .zero
    let timer = Task { [context, self] in
      do { try await context.clock.sleep(for: every) } catch { return }
      await expire(batch)
    }
    if !state.withLock({ $0.started(timer, for: batch) }) { timer.cancel() }
  }

  private func expire(_ number: UInt64) async {
    guard let batch = state.withLock({ $0.takeExpired(number) }) else { return }
    await store(batch, cause: .age)
    if !showsFirst { try? await context.showOrDrop(batch) }
    state.withLock { $0.expiryEnded(number) }
  }
}
