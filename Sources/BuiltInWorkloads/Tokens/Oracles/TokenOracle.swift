internal import TokenStreaming
internal import WorkloadInterface

/// What was seen of one conversation, in the order in which it was seen.
enum TokenStoryEvent: Sendable {
  /// A generation starts; makes a token; was told to stop; has ended, with its last event.
  case engineStarted(Prompt), made(Prompt), stopCalled(Prompt), engineEnded(Prompt, EngineEvent)
  /// After the token it has just made, the engine has nothing to say for this time, in ns of the cell; so many of the
  /// tokens so far are text that can be shown, and the rest ends within a character.
  case silent(Prompt, from: Int64, to: Int64, whole: Int)
  /// The stream's reader has taken a token.
  case read(Prompt)
  /// A reply grew by text made for a prompt.
  case grew(reply: Int, TextUpdate, Prompt)
  /// A reply is over, with so many bytes of text.
  case replyEnded(Prompt, ReplyEnding, bytes: Int)
  /// The user does not want a reply any more, and the pipeline was told.
  case interrupted(Prompt)
  /// The conversation was let go of.
  case leftScreen
}

/// What is known when all is over.
struct TokenStoryEnd: Sendable {
  /// Whether the iteration has ended; one that still runs may put right what looks wrong.
  let hasEnded: Bool
  /// When that is, in ns of the cell.
  let time: Int64
  /// Whether a conversation that was let go of is still there.
  let isConversationAlive: Bool
}

/// Looks for one fault in what was seen of one conversation. Where it can, it judges by order alone, never by how
/// long something took; where a fault is one of time, by a ratio that a slow machine does not come near.
protocol TokenOracle: Sendable {
  /// The fault.
  static var declaration: FindingDeclaration { get }
  /// Something was seen, at a time in ns of the cell.
  mutating func see(_ event: TokenStoryEvent, at time: Int64)
  /// The figures that show the fault, or nil where there is none.
  func evidence(at end: TokenStoryEnd) -> [String: Int64]?
  /// Where there is one, figures of its first sighting that make no sum.
  var firstSighting: [String: Int64] { get }
}

extension TokenOracle {
  var firstSighting: [String: Int64] { [:] }
}

/// All oracles, for one conversation.
struct TokenOracles: Sendable {
  private var engineNotStopped = EngineNotStopped()
  private var retainedConversation = RetainedConversation()
  private var staleTokens = StaleTokens()
  private var asCompletion = InterruptionAsCompletion()
  private var asFailure = InterruptionAsFailure()
  private var partialReplyLost = PartialReplyLost()
  private var brokenCharacters = BrokenCharacters()
  private var lostLastText = LostLastText()
  private var heldInSilence: TextHeldInSilence
  private var cadenceIgnored: CadenceIgnored
  private var burstAtEnd = BurstAtEnd()

  /// Oracles for a conversation shown at a cadence, nil where each token is, by the virtual or the real clock.
  init(cadence: Duration?, isVirtual: Bool) {
    let every = cadence.map { Int64($0 / .nanoseconds(1)) }
    heldInSilence = TextHeldInSilence(every: every, isVirtual: isVirtual)
    cadenceIgnored = CadenceIgnored(every: every)
  }

  /// The faults they look for.
  static let declarations = [
    EngineNotStopped.declaration, RetainedConversation.declaration, StaleTokens.declaration,
    InterruptionAsCompletion.declaration, InterruptionAsFailure.declaration, PartialReplyLost.declaration,
    BrokenCharacters.declaration, LostLastText.declaration, TextHeldInSilence.declaration,
    CadenceIgnored.declaration, BurstAtEnd.declaration,
  ]

  /// Something was seen.
  mutating func see(_ event: TokenStoryEvent, at time: Int64) {
    engineNotStopped.see(event, at: time)
    retainedConversation.see(event, at: time)
    staleTokens.see(event, at: time)
    asCompletion.see(event, at: time)
    asFailure.see(event, at: time)
    partialReplyLost.see(event, at: time)
    brokenCharacters.see(event, at: time)
    lostLastText.see(event, at: time)
    heldInSilence.see(event, at: time)
    cadenceIgnored.see(event, at: time)
    burstAtEnd.see(event, at: time)
  }

  /// The faults found in one conversation.
  func findings(at end: TokenStoryEnd, iteration: Int) -> [ReportedFinding] {
    let all: [any TokenOracle] = [
      engineNotStopped, retainedConversation, staleTokens, asCompletion, asFailure, partialReplyLost,
      brokenCharacters, lostLastText, heldInSilence, cadenceIgnored, burstAtEnd,
    ]
    return all.compactMap { oracle in
      oracle.evidence(at: end).map {
        ReportedFinding(
          type(of: oracle).declaration.name, evidence: $0, firstSighting: oracle.firstSighting,
          iteration: iteration)
      }
    }
  }
}
