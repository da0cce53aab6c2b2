import Synchronization

/// The task that fills a coordinator's stream, and the way to end it.
public struct Producer: Sendable {
  /// Which start of the coordinator made it, counted from 1.
  public let generation: UInt64
  private let task: Task<Void, Never>
  private let closeStream: @Sendable () -> Void

  /// A producer with its task; `closeStream` ends its consumer's stream with `CancellationError`.
  public init(generation: UInt64, task: Task<Void, Never>, closeStream: @escaping @Sendable () -> Void) {
    self.generation = generation
    self.task = task
    self.closeStream = closeStream
  }

  /// Cancels the task and ends the stream; does not wait, so a deaf provider holds up nobody.
  public func cancel() {
    task.cancel()
    closeStream()
  }
}

/// The place of a coordinator's one producer.
public protocol ProducerSlot: AnyObject, Sendable {
  /// Puts a producer in; the one before is cancelled.
  func install(_ producer: Producer)
  /// Cancels the producer, if there is one.
  func stop()
  /// The producer of that generation has ended by itself.
  func ended(generation: UInt64)
}

/// The sound slot: at most one producer that is not cancelled.
public final class SingleProducerSlot: ProducerSlot {
  private let current = Mutex<Producer?>(nil)

  /// An empty slot.
  public init() {}

  deinit { stop() }

  /// Cancels the former producer.
  public func install(_ producer: Producer) {
    replace(with: producer)?.cancel()
  }

  /// Cancels the producer.
  public func stop() { replace(with: nil)?.cancel() }

  /// Forgets the producer, unless another has taken its place.
  public func ended(generation: UInt64) {
    current.withLock { if $0?.generation == generation { $0 = nil } }
  }

  private func replace(with producer: Producer?) -> Producer? {
    current.withLock { current in
      defer { current = producer }
      return current
    }
  }
}
