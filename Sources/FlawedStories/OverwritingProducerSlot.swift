public import StoryPipeline
import Synchronization

/// Flaw: a second start overwrites the handle of the first task, which nobody can cancel any more.
///
/// Sound: ``SingleProducerSlot`` cancels what it replaces.
public final class OverwritingProducerSlot: ProducerSlot {
  private let current = Mutex<Producer?>(nil)

  /// An empty slot.
  public init() {}

  /// Forgets the former producer.
  public func install(_ producer: Producer) { current.withLock { $0 = producer } }

  /// Cancels the latest producer.
  public func stop() {
    let producer = current.withLock { current in
      defer { current = nil }
      return current
    }
    producer?.cancel()
  }

  /// Forgets the producer, unless another has taken its place.
  public func ended(generation: UInt64) {
    current.withLock { if $0?.generation == generation { $0 = nil } }
  }
}
