public import StoryPipeline

/// The ways in which a channel without a buffer is wrong on purpose about its waiting senders.
public enum HandoverFlaw: String, CaseIterable, Sendable {
  /// ``DeafSenderChannel``
  case deafSender = "deaf-sender"
  /// ``SharedCancelChannel``
  case cancelEndsAll = "cancel-ends-all"

  /// What is wrong, in one line.
  public var about: String {
    switch self {
    case .deafSender: "a sender that waits for a reader does not hear its own cancel"
    case .cancelEndsAll: "the cancel of one waiting sender ends all that wait"
    }
  }

  /// Where a case of it was reported in public.
  public var report: String { "apple/swift-async-algorithms#131" }

  /// An open channel with the flaw in it.
  public func makeChannel<Element: Sendable>(of element: Element.Type) -> any PublicationChannel<Element> {
    switch self {
    case .deafSender: DeafSenderChannel<Element>()
    case .cancelEndsAll: SharedCancelChannel<Element>()
    }
  }
}

/// Flaw: a sender waits in a task of the channel's own, which the cancel of the sender's task does not reach.
///
/// Sound: ``HandoverChannel`` resumes a sender that is cancelled.
public final class DeafSenderChannel<Element: Sendable>: PublicationChannel {
  private let sound = HandoverChannel<Element>()

  /// An open channel.
  public init() {}

  /// Returns when the element is taken, or the whole channel ends.
  public func send(_ element: Element) async throws {
    try await Task { [sound] in try await sound.send(element) }.value
  }

  /// As the sound one.
  public func finish() { sound.finish() }

  /// As the sound one.
  public func cancel() { sound.cancel() }

  /// As the sound one.
  public func receive() async throws -> Element? { try await sound.receive() }

  /// As the sound one.
  public func onCancel(_ action: @escaping @Sendable () -> Void) { sound.onCancel(action) }
}

/// Flaw: a sender's cancel ends the channel, and with it every other sender.
///
/// Right where there is one sender. Sound: ``HandoverChannel`` takes the one sender out of the line.
public final class SharedCancelChannel<Element: Sendable>: PublicationChannel {
  private let sound = HandoverChannel<Element>()

  /// An open channel.
  public init() {}

  /// Returns when the element is taken; throws when anybody's send was cancelled.
  public func send(_ element: Element) async throws {
    try await withTaskCancellationHandler {
      try await sound.send(element)
    } onCancel: {
      sound.cancel()
    }
  }

  /// As the sound one.
  public func finish() { sound.finish() }

  /// As the sound one.
  public func cancel() { sound.cancel() }

  /// As the sound one.
  public func receive() async throws -> Element? { try await sound.receive() }

  /// As the sound one.
  public func onCancel(_ action: @escaping @Sendable () -> Void) { sound.onCancel(action) }
}
