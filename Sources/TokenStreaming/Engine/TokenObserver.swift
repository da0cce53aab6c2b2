/// A seam for counting and timing from outside. Every hook does nothing unless implemented.
///
/// Hooks are called where the thing happens, from any task, synchronously, outside every lock. An implementation
/// must be quick.
public protocol TokenObserver: Sendable {
  /// A caller comes to the inference engine.
  func callerAsked(_ prompt: Prompt)
  /// It has its place in the queue, because somebody else is served.
  func callerQueued(_ prompt: Prompt)
  /// It was cancelled while it waited.
  func callerLeft(_ prompt: Prompt)
  /// The stream's reader has taken a token.
  func tokenRead(_ prompt: Prompt, index: Int)
  /// A token was made after the stream had ended: nobody will see it.
  func tokenDropped(_ prompt: Prompt, index: Int)
  /// Text was added to a reply on the main actor: made for `prompt`, put into the reply of number `reply`.
  func replyGrew(_ reply: Int, by update: TextUpdate, for prompt: Prompt)
  /// A reply is over, with the text that is kept.
  func replyEnded(_ prompt: Prompt, _ ending: ReplyEnding, text: String)
}

extension TokenObserver {
  /// Does nothing.
  public func callerAsked(_ prompt: Prompt) {}
  /// Does nothing.
  public func callerQueued(_ prompt: Prompt) {}
  /// Does nothing.
  public func callerLeft(_ prompt: Prompt) {}
  /// Does nothing.
  public func tokenRead(_ prompt: Prompt, index: Int) {}
  /// Does nothing.
  public func tokenDropped(_ prompt: Prompt, index: Int) {}
  /// Does nothing.
  public func replyGrew(_ reply: Int, by update: TextUpdate, for prompt: Prompt) {}
  /// Does nothing.
  public func replyEnded(_ prompt: Prompt, _ ending: ReplyEnding, text: String) {}
}

/// The default: nobody looks.
public struct NoObserver: TokenObserver {
  /// Looks at nothing.
  public init() {}
}
