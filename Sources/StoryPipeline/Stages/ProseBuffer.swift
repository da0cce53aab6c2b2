import Synchronization

/// The provider wrote more paragraphs than the buffer holds, and nobody took them.
public struct ProseOverflow: Error, Sendable, Equatable, CustomStringConvertible {
  /// The size of the buffer, in paragraphs.
  public let capacity: Int

  /// An overflow of a buffer of that size.
  public init(capacity: Int) { self.capacity = capacity }

  /// One line for the user.
  public var description: String {
    "the prose provider was stopped: \(capacity) paragraphs were written and not taken"
  }
}

/// What stands between the provider's callback and the consumer, as a value: events in, actions out.
struct ProseBufferState {
  enum Push {
    case ignore
    case keep(paragraph: Int?)
    case hand(ProseEvent, to: CheckedContinuation<ProseEvent?, any Error>, paragraph: Int?, last: Bool)
    case overflow
  }
  enum Take {
    case event(ProseEvent, last: Bool)
    case end
    case cancelled
    case wait
  }

  let capacity: Int
  private var queue: [ProseEvent] = []
  private var head = 0
  private var paragraphsQueued = 0
  private var paragraphsMade = 0
  private var progress = 0.0
  private var isClosed = false
  private var isCancelled = false
  private(set) var waiter: CheckedContinuation<ProseEvent?, any Error>?

  init(capacity: Int) { self.capacity = capacity }

  /// The provider called back.
  mutating func push(_ event: ProseEvent) -> Push {
    guard !isClosed else { return .ignore }
    switch event {
    case .paragraph:
      guard waiter != nil || paragraphsQueued < capacity else {
        isClosed = true
        queue.append(.failure(StageFailure(ProseOverflow(capacity: capacity), slot: 0)))
        return .overflow
      }
      paragraphsMade += 1
      return keep(event, paragraph: paragraphsMade - 1)
    case .progress(let value):
      let clamped = min(max(value, 0), 1)
      guard clamped > progress else { return .ignore }
      progress = clamped
      return keep(.progress(clamped))
    case .complete:
      isClosed = true
      guard progress < 1 else { return keep(.complete) }
      progress = 1
      if waiter == nil { return keep(.progress(1), then: .complete) }
      let step = keep(.progress(1))
      queue.append(.complete)
      return step
    case .failure:
      isClosed = true
      return keep(event)
    }
  }

  private mutating func keep(_ event: ProseEvent, then next: ProseEvent? = nil, paragraph: Int? = nil) -> Push
  {
    if let waiter {
      self.waiter = nil
      return .hand(event, to: waiter, paragraph: paragraph, last: event.isLast)
    }
    // A progress nobody has taken yet is replaced by the next, so that progress cannot fill the buffer.
    if case .progress = event, queue.count > head, case .progress = queue[queue.count - 1] {
      queue[queue.count - 1] = event
    } else {
      queue.append(event)
    }
    if let next { queue.append(next) }
    if paragraph != nil { paragraphsQueued += 1 }
    return .keep(paragraph: paragraph)
  }

  /// The provider has stopped because it was cancelled. After an overflow what was written stays to be taken.
  mutating func writerWasCancelled() -> (waiter: CheckedContinuation<ProseEvent?, any Error>?, dropped: Int) {
    isClosed ? (nil, 0) : cancel()
  }

  /// The consumer asks.
  mutating func take() -> Take {
    if isCancelled { return .cancelled }
    guard head < queue.count else { return isClosed ? .end : .wait }
    let event = queue[head]
    head += 1
    if case .paragraph = event { paragraphsQueued -= 1 }
    if head == queue.count {
      queue.removeAll(keepingCapacity: true)
      head = 0
    } else if head > 2 * capacity {
      queue.removeFirst(head)
      head = 0
    }
    return .event(event, last: event.isLast)
  }

  /// The consumer waits.
  mutating func park(_ continuation: CheckedContinuation<ProseEvent?, any Error>) {
    precondition(waiter == nil, "a prose run has one consumer")
    waiter = continuation
  }

  /// Ends it from outside: the waiting consumer, if any, and how many paragraphs nobody will get.
  mutating func cancel() -> (waiter: CheckedContinuation<ProseEvent?, any Error>?, dropped: Int) {
    // A run whose last event was taken is over, not cancelled.
    guard !isCancelled, !(isClosed && head == queue.count) else { return (nil, 0) }
    isCancelled = true
    isClosed = true
    queue = []
    head = 0
    defer {
      waiter = nil
      paragraphsQueued = 0
    }
    return (waiter, paragraphsQueued)
  }
}

extension ProseEvent {
  /// True for the events after which there is no other.
  var isLast: Bool {
    switch self {
    case .complete, .failure: true
    case .paragraph, .progress: false
    }
  }
}

/// The state under its lock, and the effects outside it.
final class ProseBuffer: Sendable {
  private let state: Mutex<ProseBufferState>
  private let writer = Mutex<Writer>(.unknown)
  private let observer: any StoryObserver

  private enum Writer {
    case unknown
    case running(Task<Void, Never>)
    case over
  }

  init(capacity: Int, observer: any StoryObserver) {
    state = Mutex(ProseBufferState(capacity: capacity))
    self.observer = observer
  }

  /// The task whose provider calls ``push(_:)``; cancelled at once if the run is already over.
  func attach(_ task: Task<Void, Never>) {
    let isOver = writer.withLock { writer in
      if case .over = writer { return true }
      writer = .running(task)
      return false
    }
    if isOver { task.cancel() }
  }

  func push(_ event: ProseEvent) {
    switch state.withLock({ $0.push(event) }) {
    case .ignore: break
    case .keep(let paragraph):
      if let paragraph { observer.paragraphMade(index: paragraph) }
    case .hand(let event, let waiter, let paragraph, let last):
      if let paragraph { observer.paragraphMade(index: paragraph) }
      waiter.resume(returning: event)
      if last { stopWriter() }
    case .overflow: stopWriter()
    }
  }

  func next() async throws -> ProseEvent? {
    switch state.withLock({ $0.take() }) {
    case .event(let event, let last):
      if last { stopWriter() }
      return event
    case .end: return nil
    case .cancelled: throw CancellationError()
    case .wait: break
    }
    return try await withCheckedThrowingContinuation { continuation in
      // Something may have come between the first look and this one.
      let step = state.withLock { state in
        let step = state.take()
        if case .wait = step { state.park(continuation) }
        return step
      }
      switch step {
      case .event(let event, let last):
        if last { stopWriter() }
        continuation.resume(returning: event)
      case .end: continuation.resume(returning: nil)
      case .cancelled: continuation.resume(throwing: CancellationError())
      case .wait: break
      }
    }
  }

  func cancel() { end(state.withLock { $0.cancel() }) }

  func writerWasCancelled() { end(state.withLock { $0.writerWasCancelled() }) }

  private func end(_ end: (waiter: CheckedContinuation<ProseEvent?, any Error>?, dropped: Int)) {
    let (waiter, dropped) = end
    if dropped > 0 { observer.paragraphsDropped(count: dropped) }
    stopWriter()
    waiter?.resume(throwing: CancellationError())
  }

  private func stopWriter() {
    let task = writer.withLock { writer -> Task<Void, Never>? in
      defer { writer = .over }
      if case .running(let task) = writer { return task }
      return nil
    }
    task?.cancel()
  }
}
