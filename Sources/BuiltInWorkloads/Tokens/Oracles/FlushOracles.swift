internal import TokenStreaming
internal import WorkloadInterface

/// The numbers of the last token that was made for a reply, and of the last that came into it; from 1.
private struct LastTokens {
  var made: Int64 = 0
  private(set) var delivered: Int64 = 0

  mutating func grew(_ update: TextUpdate) { delivered = max(delivered, Int64(update.tokens.upperBound)) }

  var figures: [String: Int64] { ["last-made": made, "last-delivered": delivered] }
}

/// Tokens that a reader took out of the stream and that no reply has.
struct LostLastText: TokenOracle {
  static let declaration = FindingDeclaration(
    name: "lost-last-flush",
    about: "Elements were made and neither stored nor withdrawn: a worker ended without flushing its batch.",
    advice: "Flush where every ending passes: after the loop and in its catch, also on cancellation.")

  private var inHand: [Int: Int64] = [:]
  private var isOver: Set<Int> = []
  private var positions: [Int: LastTokens] = [:]

  mutating func see(_ event: TokenStoryEvent, at time: Int64) {
    switch event {
    // What is made for a reply that is over is another fault.
    case .made(let prompt):
      if !isOver.contains(prompt.number) { positions[prompt.number, default: LastTokens()].made += 1 }
    case .read(let prompt): inHand[prompt.number, default: 0] += 1
    case .grew(_, let update, let prompt):
      inHand[prompt.number, default: 0] -= Int64(update.tokens.count)
      positions[prompt.number, default: LastTokens()].grew(update)
    case .replyEnded(let prompt, _, _): isOver.insert(prompt.number)
    default: break
    }
  }

  func evidence(at end: TokenStoryEnd) -> [String: Int64]? {
    let lost = inHand.filter { isOver.contains($0.key) }.values.reduce(0, +)
    return lost > 0 ? ["elements-lost": lost] : nil
  }

  var firstSighting: [String: Int64] {
    let first = inHand.filter { $0.value > 0 && isOver.contains($0.key) }.keys.min()
    return first.flatMap { positions[$0] }?.figures ?? [:]
  }
}

/// Text that stays in a buffer while the stream is silent.
///
/// Judged when the engine speaks again, or ends: it had made nothing for ten times the cadence and half a second,
/// and what had been read before that silence was not shown in it.
struct TextHeldInSilence: TokenOracle {
  static let declaration = FindingDeclaration(
    name: "text-held-in-silence",
    about: "The stream went silent, and text that had come before it was not shown.",
    advice: "Flush by a timer that runs while there is text in hand, not when the next element comes.")

  private static let factor: Int64 = 10
  /// A busy machine may not run anything for a while; in ns.
  private static let least: Int64 = 500_000_000

  private struct Generation {
    var inHand = 0
    var lastMadeAt: Int64?
    var last = LastTokens()
  }
  private let every: Int64?
  private var generations: [Int: Generation] = [:]
  private var silences: Int64 = 0
  private var tokens: Int64 = 0
  private var heldFor: Int64 = 0
  /// How far the reply was whose text was held first, when the silence began.
  private var first: LastTokens?

  init(every: Int64?) { self.every = every }

  mutating func see(_ event: TokenStoryEvent, at time: Int64) {
    switch event {
    case .read(let prompt): generations[prompt.number, default: Generation()].inHand += 1
    case .grew(_, let update, let prompt):
      generations[prompt.number]?.inHand -= update.tokens.count
      generations[prompt.number]?.last.grew(update)
    case .made(let prompt):
      spoke(prompt.number, at: time)
      generations[prompt.number, default: Generation()].last.made += 1
      generations[prompt.number, default: Generation()].lastMadeAt = time
    case .engineEnded(let prompt, _): spoke(prompt.number, at: time)
    default: break
    }
  }

  private mutating func spoke(_ reply: Int, at time: Int64) {
    guard let every, let generation = generations[reply], let last = generation.lastMadeAt,
      generation.inHand > 0, time - last >= max(every * Self.factor, Self.least)
    else { return }
    first = first ?? generation.last
    silences += 1
    tokens += Int64(generation.inHand)
    heldFor += time - last
  }

  func evidence(at end: TokenStoryEnd) -> [String: Int64]? {
    guard silences > 0, let every else { return nil }
    return ["silences": silences, "tokens-held": tokens, "held-ns": heldFor, "allowed-ns": silences * every]
  }

  var firstSighting: [String: Int64] { first?.figures ?? [:] }
}

/// A reply that is updated more often than its cadence allows.
struct CadenceIgnored: TokenOracle {
  static let declaration = FindingDeclaration(
    name: "cadence-ignored",
    about:
      "A reply was updated more often than its cadence allows: each update lays out all of its text again.",
    advice: "Collect text, and show it when the last update is old enough.")

  private struct Updates {
    var count: Int64 = 0
    var firstAt: Int64
    var lastAt: Int64
  }
  private let every: Int64?
  private var replies: [Int: Updates] = [:]

  init(every: Int64?) { self.every = every }

  mutating func see(_ event: TokenStoryEvent, at time: Int64) {
    guard case .grew(_, let update, let prompt) = event, update.cause != .end else { return }
    replies[prompt.number, default: Updates(firstAt: time, lastAt: time)].count += 1
    replies[prompt.number]?.lastAt = time
  }

  func evidence(at end: TokenStoryEnd) -> [String: Int64]? {
    guard let every else { return nil }
    var (updates, allowed): (Int64, Int64) = (0, 0)
    for reply in replies.values {
      // One to begin with. On a busy machine one update may come late and the next in time.
      let most = (reply.lastAt - reply.firstAt) / every + 2
      guard reply.count > most else { continue }
      updates += reply.count
      allowed += most
    }
    return updates > 0 ? ["updates": updates, "updates-allowed": allowed] : nil
  }
}
