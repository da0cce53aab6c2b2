/// One reply of a conversation.
public struct Reply: Sendable {
  /// What a reply is at.
  public enum State: Sendable {
    /// Text may still come.
    case generating
    /// It is over.
    case ended(ReplyEnding)
  }

  /// What was asked.
  public let prompt: Prompt
  /// The text so far.
  public fileprivate(set) var text = ""
  /// Tokens whose text is in it.
  public fileprivate(set) var tokens = 0
  /// What it is at.
  public fileprivate(set) var state = State.generating

  fileprivate init(_ prompt: Prompt) { self.prompt = prompt }
}

/// A chat on the main actor: replies that grow while a model writes.
///
/// One generation at a time: a new prompt cancels the one before, and whatever that had read still goes into its
/// own reply. What was written stays, on interruption and on failure, and the two are told apart.
/// Letting go of the conversation stops its generation.
@MainActor
public final class Conversation {
  /// The replies, in the order of their prompts.
  public private(set) var replies: [Reply] = []
  /// Called after a reply, by number, has changed.
  public var onChange: (@MainActor (Int) -> Void)?

  private let number: Int
  private let inference: any Inference
  private let parts: ConversationParts
  private let observer: any TokenObserver
  private var current: GenerationLease?

  /// An empty conversation; `number` tells it from others at the same engine.
  public init(
    number: Int = 0, inference: any Inference, parts: ConversationParts,
    observer: any TokenObserver = NoObserver()
  ) {
    self.number = number
    self.inference = inference
    self.parts = parts
    self.observer = observer
  }

  /// Cancels the generation that runs and starts another. The task ends when the reply has.
  @discardableResult
  public func send(_ text: String) -> Task<Void, Never> {
    stop()
    let prompt = Prompt(conversation: number, number: replies.count, text: text)
    replies.append(Reply(prompt))
    let (inference, presentation, observer) = (inference, parts.presentation, observer)
    let task = parts.loop.start(self) { conversation in
      let end: StreamEnd
      do {
        let stream = try await inference.generate(prompt, observer: observer)
        end = await presentation.present(stream) { conversation()?.append($0, for: prompt) }
      } catch {
        end = StreamEnd(error: error, isCancelled: Task.isCancelled)
      }
      conversation()?.end(prompt, end)
    }
    current = GenerationLease(task)
    return task
  }

  /// Interrupts the generation that runs, if any; its reply keeps what was written.
  public func stop() { current = nil }

  private func append(_ update: TextUpdate, for prompt: Prompt) {
    let number = parts.policy.reply(for: prompt.number, last: replies.count - 1)
    replies[number].text += update.text
    replies[number].tokens += update.tokens.count
    observer.replyGrew(number, by: update, for: prompt)
    onChange?(number)
  }

  private func end(_ prompt: Prompt, _ end: StreamEnd) {
    let ending = parts.policy.ending(of: end)
    let kept = parts.policy.kept(replies[prompt.number].text, after: ending)
    replies[prompt.number].text = kept
    replies[prompt.number].state = .ended(ending)
    observer.replyEnded(prompt, ending, text: kept)
    onChange?(prompt.number)
  }
}

/// Keeps a generation running as long as somebody holds it.
private final class GenerationLease: Sendable {
  private let task: Task<Void, Never>
  init(_ task: Task<Void, Never>) { self.task = task }
  deinit { task.cancel() }
}
