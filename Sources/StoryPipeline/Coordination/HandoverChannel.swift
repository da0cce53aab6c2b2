import Synchronization

/// A channel without a buffer, as a value: events in, actions out.
struct HandoverState<Element: Sendable> {
  typealias Sender = CheckedContinuation<Void, any Error>
  typealias Receiver = CheckedContinuation<Element?, any Error>

  enum Offer {
    case handed(to: Receiver)
    case refused
    case wait
  }
  enum Request {
    case element(Element, from: Sender)
    case end
    case refused
    case wait
  }

  private struct Waiting {
    let number: UInt64
    let element: Element
    let sender: Sender
  }

  private var senders: [Waiting] = []
  private var receiver: Receiver?
  private var isFinished = false
  private(set) var isCancelled = false
  private var withdrawn: Set<UInt64> = []
  private var onCancel: (@Sendable () -> Void)?

  /// A sender comes, with its continuation where it is ready to wait.
  mutating func offer(_ element: Element, number: UInt64, sender: Sender?) -> Offer {
    if isCancelled || isFinished || withdrawn.remove(number) != nil { return .refused }
    if let receiver {
      self.receiver = nil
      return .handed(to: receiver)
    }
    if let sender { senders.append(Waiting(number: number, element: element, sender: sender)) }
    return .wait
  }

  /// A sender's task is cancelled: its continuation, or a note for when it comes to wait.
  mutating func withdraw(_ number: UInt64) -> Sender? {
    guard let index = senders.firstIndex(where: { $0.number == number }) else {
      withdrawn.insert(number)
      return nil
    }
    return senders.remove(at: index).sender
  }

  mutating func forget(_ number: UInt64) { withdrawn.remove(number) }

  /// The consumer asks, with its continuation where it is ready to wait.
  mutating func request(_ continuation: Receiver?) -> Request {
    if isCancelled { return .refused }
    if !senders.isEmpty {
      let waiting = senders.removeFirst()
      return .element(waiting.element, from: waiting.sender)
    }
    if isFinished { return .end }
    if let continuation {
      precondition(receiver == nil, "a publication has one consumer")
      receiver = continuation
    }
    return .wait
  }

  mutating func finish() -> Receiver? {
    guard !isCancelled else { return nil }
    isFinished = true
    onCancel = nil
    defer { receiver = nil }
    return receiver
  }

  struct Cancelled {
    var senders: [Sender] = []
    var receiver: Receiver?
    var action: (@Sendable () -> Void)?
  }

  mutating func cancel() -> Cancelled {
    guard !isCancelled, !(isFinished && senders.isEmpty) else { return Cancelled() }
    isCancelled = true
    defer {
      senders = []
      receiver = nil
      onCancel = nil
    }
    return Cancelled(senders: senders.map(\.sender), receiver: receiver, action: onCancel)
  }

  /// False if the action is due already.
  mutating func setOnCancel(_ action: @escaping @Sendable () -> Void) -> Bool {
    if isCancelled { return false }
    if !isFinished { onCancel = action }
    return true
  }
}

/// Hands each element from the sender to the consumer; the sender waits until it is taken.
///
/// Several tasks may send; one consumes.
public final class HandoverChannel<Element: Sendable>: PublicationChannel {
  private let state = Mutex(HandoverState<Element>())
  private let lastNumber = Atomic<UInt64>(0)

  /// An open channel.
  public init() {}

  /// Returns when the element is taken.
  public func send(_ element: Element) async throws {
    try Task.checkCancellation()
    let number = lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
    switch state.withLock({ $0.offer(element, number: number, sender: nil) }) {
    case .handed(let receiver): return receiver.resume(returning: element)
    case .refused: throw CancellationError()
    case .wait: break
    }
    defer { state.withLock { $0.forget(number) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        switch state.withLock({ $0.offer(element, number: number, sender: continuation) }) {
        case .handed(let receiver):
          receiver.resume(returning: element)
          continuation.resume()
        case .refused: continuation.resume(throwing: CancellationError())
        case .wait: break
        }
      }
    } onCancel: {
      state.withLock { $0.withdraw(number) }?.resume(throwing: CancellationError())
    }
  }

  /// No more comes.
  public func finish() { state.withLock { $0.finish() }?.resume(returning: nil) }

  /// Ends at once.
  public func cancel() {
    let cancelled = state.withLock { $0.cancel() }
    cancelled.action?()
    for sender in cancelled.senders { sender.resume(throwing: CancellationError()) }
    cancelled.receiver?.resume(throwing: CancellationError())
  }

  /// Takes the next element.
  public func receive() async throws -> Element? {
    try await withTaskCancellationHandler {
      switch state.withLock({ $0.request(nil) }) {
      case .element(let element, let sender):
        sender.resume()
        return element
      case .end: return nil
      case .refused: throw CancellationError()
      case .wait: break
      }
      return try await withCheckedThrowingContinuation { continuation in
        switch state.withLock({ $0.request(continuation) }) {
        case .element(let element, let sender):
          sender.resume()
          continuation.resume(returning: element)
        case .end: continuation.resume(returning: nil)
        case .refused: continuation.resume(throwing: CancellationError())
        case .wait: break
        }
      }
    } onCancel: {
      cancel()
    }
  }

  /// Sets what to do when the consumer leaves.
  public func onCancel(_ action: @escaping @Sendable () -> Void) {
    if !state.withLock({ $0.setOnCancel(action) }) { action() }
  }
}
