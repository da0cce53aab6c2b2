public import StoryPipeline

/// Flaw: the coordinator's stream has no termination handler, and its buffer takes whatever comes.
///
/// Its producer does not learn that the consumer has left. Sound: ``HandoverFactory``.
public struct UnheardFactory: PublicationFactory {
  /// It has no state.
  public init() {}

  /// An ``UnheardChannel``.
  public func makeChannel<Element: Sendable>(of element: Element.Type) -> any PublicationChannel<Element> {
    UnheardChannel<Element>()
  }
}

/// A channel whose producer is told nothing.
public final class UnheardChannel<Element: Sendable>: PublicationChannel {
  private let buffer = UnboundedChannel<Element>()

  /// An open channel.
  public init() {}

  /// Never waits, never throws: after the end it goes nowhere.
  public func send(_ element: Element) async throws { try? await buffer.send(element) }

  /// No more comes.
  public func finish() { buffer.finish() }

  /// Ends the consumer's side.
  public func cancel() { buffer.cancel() }

  /// Takes the next element.
  public func receive() async throws -> Element? { try await buffer.receive() }

  /// Nothing will be done.
  public func onCancel(_ action: @escaping @Sendable () -> Void) {}
}

/// Flaw, the other half: the task of a stage is in nobody's hand, so nobody cancels it.
///
/// Sound: ``SingleProducerSlot``, whose end is that of its producer.
public final class LooseProducerSlot: ProducerSlot {
  /// A slot that holds nothing.
  public init() {}

  /// Lets go of the producer at once.
  public func install(_ producer: Producer) {}

  /// There is nothing to stop.
  public func stop() {}

  /// As it may.
  public func ended(generation: UInt64) {}
}
