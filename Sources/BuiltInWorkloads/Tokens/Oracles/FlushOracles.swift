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

  /// Tokens of one reply that were read before it was over, from the first; and how many of them came into it.
  private struct Reading {
    var read = 0
    var shown = 0

    var lost: Int64 { Int64(max(read - shown, 0)) }
  }
  private var readings: [Int: Reading] = [:]
  private var isOver: Set<Int> = []
  private var positions: [Int: LastTokens] = [:]

  mutating func see(_ event: TokenStoryEvent, at time: Int64) {
    switch event {
    // What is made for a reply that is over is another fault.
    case .made(let prompt):
      if !isOver.contains(prompt.number) { positions[prompt.number, default: LastTokens()].made += 1 }
    case .read(let prompt):
      if !isOver.contains(prompt.number) { readings[prompt.number, default: Reading()].read += 1 }
    case .grew(_, let update, let prompt):
      // What was read afterwards makes up for nothing that was lost.
      let read = readings[prompt.number]?.read ?? 0
      readings[prompt.number]?.shown += update.tokens.clamped(to: 0..<read).count
      positions[prompt.number, default: LastTokens()].grew(update)
    case .replyEnded(let prompt, _, _): isOver.insert(prompt.number)
    default: break
    }
  }

  func evidence(at end: TokenStoryEnd) -> [String: Int64]? {
    let lost = readings.reduce(0) { $0 + (isOver.contains($1.key) ? $1.value.lost : 0) }
    return lost > 0 ? ["elements-lost": lost] : nil
  }

  var firstSighting: [String: Int64] {
    let first = readings.filter { $0.value.lost > 0 && isOver.contains($0.key) }.keys.min()
    return first.flatMap { positions[$0] }?.figures ?? [:]
  }
}

/// Text that stays in a buffer while the stream is silent.
///
/// Only a silence of the script counts, of ten times the cadence and half a second at least: on an overloaded machine
/// all streams are silent. Text that ends within a character has to wait and is not held. On the virtual clock nothing
/// waits for the machine: what had been read before the silence and was not shown in it was held. On the real one it
/// is judged by the update that shows it: if that also holds what came after the silence, or comes with the end, no
/// timer ran. One that was taken out before has only waited for the main actor. Where the engine itself came late by
/// half the silence, the machine may have run no timer either, and nothing is said.
struct TextHeldInSilence: TokenOracle {
  static let declaration = FindingDeclaration(
    name: "text-held-in-silence",
    about: "The stream went silent, and text that had come before it was not shown.",
    advice: "Flush by a timer that runs while there is text in hand, not when the next element comes.")

  private static let factor: Int64 = 10
  /// The shortest silence that is judged, in ns.
  static let least: Int64 = 500_000_000

  private struct Silence {
    let from: Int64
    let to: Int64
    let began: Int64
    /// Of the tokens made before it, how many are text that can be shown.
    let whole: Int

    /// Whether the engine kept to the script at both ends, as far as is known.
    func isKept(until time: Int64) -> Bool { max(began - from, time - to) * 2 <= to - from }
  }
  /// What was in hand when a silence ended.
  private struct Suspicion {
    let read: Int
    let tokens: Int64
    let held: Int64
    let last: LastTokens
  }
  private struct Generation {
    var read = 0
    var silence: Silence?
    var suspicion: Suspicion?
    var last = LastTokens()
  }
  private let every: Int64?
  private let isVirtual: Bool
  private var generations: [Int: Generation] = [:]
  private var silences: Int64 = 0
  private var tokens: Int64 = 0
  private var heldFor: Int64 = 0
  /// How far the reply was whose text was held first, when the silence began.
  private var first: LastTokens?

  /// An oracle for a reply shown each `every` ns, or token by token; `isVirtual` says by which clock.
  init(every: Int64?, isVirtual: Bool) {
    self.every = every
    self.isVirtual = isVirtual
  }

  mutating func see(_ event: TokenStoryEvent, at time: Int64) {
    switch event {
    case .made(let prompt):
      spoke(prompt.number, at: time)
      generations[prompt.number, default: Generation()].last.made += 1
    case .silent(let prompt, let from, let to, let whole):
      generations[prompt.number]?.silence = Silence(from: from, to: to, began: time, whole: whole)
    case .engineEnded(let prompt, _): spoke(prompt.number, at: time)
    case .read(let prompt):
      generations[prompt.number, default: Generation()].read += 1
    case .grew(_, let update, let prompt):
      judge(prompt.number, update)
      generations[prompt.number]?.last.grew(update)
    // What its reader does not want any more is nobody's to show.
    case .replyEnded(let prompt, _, _): generations[prompt.number]?.silence = nil
    case .leftScreen: for reply in generations.keys { generations[reply]?.silence = nil }
    default: break
    }
  }

  /// The engine ends a silence.
  private mutating func spoke(_ reply: Int, at time: Int64) {
    guard let silence = generations[reply]?.silence else { return }
    generations[reply]?.silence = nil
    guard let every, let generation = generations[reply], silence.isKept(until: time),
      min(time - silence.began, silence.to - silence.from) >= max(every * Self.factor, Self.least)
    else { return }
    let held = Int64(min(generation.read, silence.whole)) - generation.last.delivered
    guard held > 0 else { return }
    let suspicion = Suspicion(
      read: generation.read, tokens: held, held: time - silence.began, last: generation.last)
    if isVirtual { count(suspicion) } else { generations[reply]?.suspicion = suspicion }
  }

  /// The first update after a silence shows what was in hand in it.
  private mutating func judge(_ reply: Int, _ update: TextUpdate) {
    guard let suspicion = generations[reply]?.suspicion else { return }
    generations[reply]?.suspicion = nil
    if update.tokens.upperBound > suspicion.read || update.cause == .end { count(suspicion) }
  }

  private mutating func count(_ suspicion: Suspicion) {
    first = first ?? suspicion.last
    silences += 1
    tokens += suspicion.tokens
    heldFor += suspicion.held
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
