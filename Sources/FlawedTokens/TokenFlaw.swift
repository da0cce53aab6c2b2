public import TokenStreaming

/// The ways in which the token pipeline is wrong on purpose. Each replaces one part of the sound one.
public enum TokenFlaw: String, CaseIterable, Sendable {
  /// ``UnterminatedStream``
  case noTerminationHandler = "no-termination-handler"
  /// ``UnclosedSessionStream``
  case sessionNeverClosed = "session-never-closed"
  /// ``StreamReturningActor``
  case streamReturningActor = "stream-returning-actor"
  /// ``LastComeEngine``
  case lastComeFirstServed = "last-come-first-served"
  /// ``CancelledCallersEngine``
  case cancelledCallerServed = "cancelled-caller-served"
  /// ``NewestReplyPolicy``
  case tokensInNewestReply = "tokens-in-newest-reply"
  /// ``ThrownCancellationPolicy``
  case interruptionAsCompletion = "interruption-as-completion"
  /// ``InterruptionAsFailurePolicy``
  case interruptionAsFailure = "interruption-as-failure"
  /// ``DiscardingPolicy``
  case partialReplyDiscarded = "partial-reply-discarded"
  /// ``ForgetfulPresentation``
  case flushLostOnCancel = "flush-lost-on-cancel"
  /// ``ForgetfulPresentation``
  case flushLostOnFailure = "flush-lost-on-failure"
  /// ``TokenClockedPresentation``
  case heldInSilence = "held-in-silence"
  /// `PerTokenPresentation` where a cadence was asked for.
  case updatePerToken = "update-per-token"
  /// ``CollectingStream``
  case collectedFirst = "collected-first"
  /// ``TokenwiseDecodingPresentation``
  case decodedByToken = "decoded-by-token"
  /// ``StrongGenerationLoop``
  case conversationKeptAlive = "conversation-kept-alive"

  /// What is wrong, in one line.
  public var about: String {
    switch self {
    case .noTerminationHandler: "the stream does not tell the engine that its reader has gone"
    case .sessionNeverClosed: "a stopped reply goes on downloading: the session behind it is never closed"
    case .streamReturningActor: "an actor that returns a stream is free again while the generation runs"
    case .lastComeFirstServed: "the caller who came last gets the engine first"
    case .cancelledCallerServed:
      "a caller cancelled in the queue keeps its place, and the engine runs for nobody"
    case .tokensInNewestReply: "what the old generation had read is put into the new reply"
    case .interruptionAsCompletion:
      "`catch is CancellationError` never runs: a stopped reply counts as complete"
    case .interruptionAsFailure: "the user's own stop is shown as a failure"
    case .partialReplyDiscarded: "a reply that is not complete is thrown away"
    case .flushLostOnCancel: "the text in the buffer is lost when the reply is stopped"
    case .flushLostOnFailure: "the text in the buffer is lost when the engine fails"
    case .heldInSilence:
      "the buffer looks at the clock only when a token comes, and holds text while the stream is silent"
    case .updatePerToken: "every token updates the view, though a cadence was asked for"
    case .collectedFirst: "all tokens are collected before the first is handed on"
    case .decodedByToken: "each token's bytes are decoded alone, so characters cut in two are broken"
    case .conversationKeptAlive: "the task of a reply keeps the conversation whose screen was left"
    }
  }

  /// The address of a public report of the fault; nil where it was found in a listing.
  public var report: String? {
    switch self {
    case .noTerminationHandler: "https://forums.swift.org/t/how-do-you-completely-cancel-an-asyncstream/53733"
    case .sessionNeverClosed: "https://github.com/MacPaw/OpenAI/issues/198"
    case .flushLostOnCancel, .heldInSilence: "https://github.com/apple/swift-async-algorithms/issues/248"
    case .collectedFirst: "https://github.com/huggingface/AnyLanguageModel/issues/195"
    default: nil
    }
  }

  /// These components with the flawed part in place; the rest stays. `every` is the cadence by `clock`, where
  /// there is one.
  public func components(
    in sound: TokenComponents, every: Duration?, clock: some Clock<Duration>
  ) -> TokenComponents {
    var all = sound
    switch self {
    case .noTerminationHandler: all.makeStream = UnterminatedStream.make
    case .sessionNeverClosed: all.makeStream = UnclosedSessionStream.make
    case .collectedFirst: all.makeStream = CollectingStream.make
    case .streamReturningActor: all.makeInference = { StreamReturningActor($0, makeStream: $1) }
    case .lastComeFirstServed: all.makeInference = { LastComeEngine($0, makeStream: $1) }
    case .cancelledCallerServed: all.makeInference = { CancelledCallersEngine($0, makeStream: $1) }
    case .tokensInNewestReply: all.parts.policy = NewestReplyPolicy()
    case .interruptionAsCompletion: all.parts.policy = ThrownCancellationPolicy()
    case .interruptionAsFailure: all.parts.policy = InterruptionAsFailurePolicy()
    case .partialReplyDiscarded: all.parts.policy = DiscardingPolicy()
    case .flushLostOnCancel:
      all.parts.presentation = ForgetfulPresentation(sound.parts.presentation, on: .cancel)
    case .flushLostOnFailure:
      all.parts.presentation = ForgetfulPresentation(sound.parts.presentation, on: .failure)
    case .heldInSilence:
      all.parts.presentation = TokenClockedPresentation(every: every ?? .milliseconds(50), clock: clock)
    case .updatePerToken: all.parts.presentation = PerTokenPresentation()
    case .decodedByToken: all.parts.presentation = TokenwiseDecodingPresentation()
    case .conversationKeptAlive: all.parts.loop = StrongGenerationLoop()
    }
    return all
  }

  /// Whether the flaw is in the cadence, so that a strategy without one cannot have it.
  public var needsCadence: Bool {
    switch self {
    case .flushLostOnCancel, .flushLostOnFailure, .heldInSilence, .updatePerToken: true
    default: false
    }
  }
}
