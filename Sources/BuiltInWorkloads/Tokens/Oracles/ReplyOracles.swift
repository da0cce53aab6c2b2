internal import TokenStreaming
internal import WorkloadInterface

/// Text that was put into a reply it was not made for.
struct StaleTokens: TokenOracle {
  static let declaration = FindingDeclaration(
    name: "stale-tokens",
    about: "Text of a generation that was cancelled landed in the reply of another.",
    advice: "Let text carry the number of its reply, and put it there or nowhere.")

  private var tokens: Int64 = 0

  mutating func see(_ event: TokenStoryEvent, at time: Int64) {
    guard case .grew(let reply, let update, let prompt) = event, reply != prompt.number else { return }
    tokens += Int64(update.tokens.count)
  }

  func evidence(at end: TokenStoryEnd) -> [String: Int64]? { tokens > 0 ? ["tokens-misplaced": tokens] : nil }
}

/// A reply that counts as complete though the engine never finished it.
struct InterruptionAsCompletion: TokenOracle {
  static let declaration = FindingDeclaration(
    name: "interruption-taken-for-completion",
    about: "A reply counts as complete, and the engine had not finished it: the user had stopped it.",
    advice: "Ask whether the task is cancelled after the loop: a cancelled stream ends without an error.")

  private var finished: Set<Int> = []
  private var replies: Int64 = 0

  mutating func see(_ event: TokenStoryEvent, at time: Int64) {
    switch event {
    case .engineEnded(let prompt, .finished): finished.insert(prompt.number)
    case .replyEnded(let prompt, .complete, _): if !finished.contains(prompt.number) { replies += 1 }
    default: break
    }
  }

  func evidence(at end: TokenStoryEnd) -> [String: Int64]? { replies > 0 ? ["replies": replies] : nil }
}

/// A reply that counts as failed though the engine did not fail.
struct InterruptionAsFailure: TokenOracle {
  static let declaration = FindingDeclaration(
    name: "interruption-taken-for-failure",
    about: "A reply counts as failed, and the engine had not failed: the user had stopped it.",
    advice: "Whatever is thrown while the task is cancelled is an interruption.")

  private var failed: Set<Int> = []
  private var replies: Int64 = 0

  mutating func see(_ event: TokenStoryEvent, at time: Int64) {
    switch event {
    case .engineEnded(let prompt, .failed): failed.insert(prompt.number)
    case .replyEnded(let prompt, .failed, _): if !failed.contains(prompt.number) { replies += 1 }
    default: break
    }
  }

  func evidence(at end: TokenStoryEnd) -> [String: Int64]? { replies > 0 ? ["replies": replies] : nil }
}

/// A reply that has less text at its end than was put into it.
struct PartialReplyLost: TokenOracle {
  static let declaration = FindingDeclaration(
    name: "partial-reply-lost",
    about: "A reply that was stopped or failed has less text than the user had read.",
    advice: "Keep what was written, whatever ended it.")

  private var shown: [Int: Int] = [:]
  private var replies: Int64 = 0
  private var bytes: Int64 = 0

  mutating func see(_ event: TokenStoryEvent, at time: Int64) {
    switch event {
    case .grew(let reply, let update, _): shown[reply, default: 0] += update.text.utf8.count
    case .replyEnded(let prompt, _, let kept):
      let lost = shown[prompt.number, default: 0] - kept
      guard lost > 0 else { return }
      replies += 1
      bytes += Int64(lost)
    default: break
    }
  }

  func evidence(at end: TokenStoryEnd) -> [String: Int64]? {
    replies > 0 ? ["replies": replies, "bytes-lost": bytes] : nil
  }
}

/// Text that shows the half of a character. The scripted engine itself never writes what is looked for.
struct BrokenCharacters: TokenOracle {
  static let declaration = FindingDeclaration(
    name: "broken-characters",
    about: "A character that was cut over two tokens was shown in halves.",
    advice: "Join the tokens' bytes before making text of them, and hold back what is not whole.")

  private var replacements: Int64 = 0
  private var halves: Int64 = 0

  mutating func see(_ event: TokenStoryEvent, at time: Int64) {
    guard case .grew(_, let update, _) = event else { return }
    // The replacement character in UTF-8 begins with EF; so does little else.
    if update.text.utf8.contains(0xEF) {
      replacements += Int64(update.text.unicodeScalars.count { $0 == "\u{FFFD}" })
    }
    if update.cause != .end, update.text.unicodeScalars.last == "\u{200D}" { halves += 1 }
  }

  func evidence(at end: TokenStoryEnd) -> [String: Int64]? {
    guard replacements + halves > 0 else { return nil }
    return ["replacement-characters": replacements, "joined-characters-halved": halves]
  }
}
