import Synchronization

/// The places of a provider of limited capacity, shared by all iterations.
final class ServingPlaces: Sendable {
  private let queue: Mutex<CapacityQueue<UnsafeContinuation<Int64?, Never>>>
  private let isDeaf: Bool

  /// A provider deaf to cancellation keeps cancelled callers in its queue.
  init(capacity: Int, limit: Int?, isDeaf: Bool) {
    queue = Mutex(CapacityQueue(capacity: capacity, limit: limit))
    self.isDeaf = isDeaf
  }

  /// Calls that wait.
  var waiting: Int { queue.withLock { $0.waiting } }

  /// Waits for a turn. Returns when service begins, or `nil` where the queue is full.
  ///
  /// - Throws: `CancellationError` for a caller cancelled while it waits.
  nonisolated(nonsending) func enter(at now: Int64) async throws -> Int64? {
    switch queue.withLock({ $0.arrive(at: now) }) {
    case .start: return now
    case .refuse: return nil
    case .wait(let ticket):
      guard let start = await turn(ticket) else { throw CancellationError() }
      return start
    }
  }

  private nonisolated(nonsending) func turn(_ ticket: Int) async -> Int64? {
    if isDeaf { return await park(ticket) }
    return await withTaskCancellationHandler {
      await park(ticket)
    } onCancel: {
      queue.withLock { $0.leave(ticket) }?.resume(returning: nil)
    }
  }

  private nonisolated(nonsending) func park(_ ticket: Int) async -> Int64? {
    await withUnsafeContinuation { continuation in
      switch queue.withLock({ $0.attach(continuation, to: ticket) }) {
      case .start(let time): continuation.resume(returning: time)
      case .left: continuation.resume(returning: nil)
      case .waits: break
      }
    }
  }

  /// Ends a call's service as of `time` and starts the next one's.
  func exit(at time: Int64) {
    guard let next = queue.withLock({ $0.finish(at: time) }) else { return }
    next.waiter.resume(returning: next.start)
  }
}
