/// What stands between a producer and one consumer.
public protocol PublicationChannel<Element>: AnyObject, Sendable {
  /// What goes through.
  associatedtype Element: Sendable
  /// Hands an element on; returns when there is room for it or it is taken.
  /// Throws `CancellationError` if it will not be taken: the task is cancelled, or the consumer has left.
  func send(_ element: Element) async throws
  /// No more comes: after what is waiting, the consumer gets `nil`.
  func finish()
  /// Ends at once: producer and consumer get `CancellationError`. Does nothing after the end.
  func cancel()
  /// The next element; `nil` after the end. Throws `CancellationError`; then the consumer counts as left.
  func receive() async throws -> Element?
  /// What to do, once, when the channel is cancelled or its consumer leaves; at once if that has happened.
  func onCancel(_ action: @escaping @Sendable () -> Void)
}

/// Makes the channels of a coordinator.
public protocol PublicationFactory: Sendable {
  /// A channel for one producer and one consumer.
  func makeChannel<Element: Sendable>(of element: Element.Type) -> any PublicationChannel<Element>
}

/// Makes channels that hand over directly: the producer works one element ahead and no further.
public struct HandoverFactory: PublicationFactory {
  /// It has no state.
  public init() {}

  /// A ``HandoverChannel``.
  public func makeChannel<Element: Sendable>(of element: Element.Type) -> any PublicationChannel<Element> {
    HandoverChannel<Element>()
  }
}

/// A coordinator's stream, for one consumer.
///
/// The stage behind it is stopped when the consumer leaves the loop, is cancelled, or drops the stream.
/// It ends with `nil` when the stage has finished and throws `CancellationError` when the stage was cancelled.
public struct Publication<Element: Sendable>: AsyncSequence, Sendable {
  private let lease: Lease
  private let onDelivered: @Sendable (Element) -> Void

  /// A stream out of `channel`; `onDelivered` is called for each element that the consumer takes;
  /// `owner` lives as long as the stream does.
  public init(
    _ channel: any PublicationChannel<Element>, owner: (any AnyObject & Sendable)? = nil,
    onDelivered: @escaping @Sendable (Element) -> Void = { _ in }
  ) {
    lease = Lease(channel, owner: owner)
    self.onDelivered = onDelivered
  }

  /// The iterator of the one consumer.
  public func makeAsyncIterator() -> Iterator {
    Iterator(stream: lease, loop: Lease(lease.channel, owner: nil), onDelivered: onDelivered)
  }

  /// The consumer's end.
  public struct Iterator: AsyncIteratorProtocol {
    let stream: Lease
    let loop: Lease
    let onDelivered: @Sendable (Element) -> Void

    /// The next element; `nil` when the stage has finished. Throws `CancellationError`.
    public func next() async throws -> Element? {
      guard let element = try await loop.channel.receive() else { return nil }
      onDelivered(element)
      return element
    }
  }

  /// Ends the channel when the loop, or the stream, is gone.
  final class Lease: Sendable {
    let channel: any PublicationChannel<Element>
    private let owner: (any AnyObject & Sendable)?
    init(_ channel: any PublicationChannel<Element>, owner: (any AnyObject & Sendable)?) {
      self.channel = channel
      self.owner = owner
    }
    deinit { channel.cancel() }
  }
}
