internal import TokenStreaming
internal import WorkloadInterface

/// An engine that was not told that its reader had gone.
struct EngineNotStopped: TokenOracle {
  static let declaration = FindingDeclaration(
    name: "engine-not-stopped",
    about:
      "The reader of a stream had gone, and the engine was not told to stop: tokens are made for nobody.",
    advice: "Stop the engine in the stream's termination handler, whatever the reason.")

  private struct Generation {
    var made: Int64 = 0
    var read: Int64 = 0
    var isStopped = false
    var readerLeftAt: Int64?
    var afterLeft: Int64 = 0
    var endedAt: Int64?
  }
  private var generations: [Int: Generation] = [:]
  private var hasLeft = false

  mutating func see(_ event: TokenStoryEvent, at time: Int64) {
    switch event {
    case .engineStarted(let prompt): generations[prompt.number] = Generation()
    case .made(let prompt):
      generations[prompt.number]?.made += 1
      if generations[prompt.number]?.readerLeftAt != nil { generations[prompt.number]?.afterLeft += 1 }
    case .read(let prompt): generations[prompt.number]?.read += 1
    case .stopCalled(let prompt): generations[prompt.number]?.isStopped = true
    case .engineEnded(let prompt, _): ended(prompt.number, at: time)
    case .replyEnded(let prompt, _, _): left(prompt.number, at: time)
    default: break
    }
  }

  private mutating func left(_ reply: Int, at time: Int64) {
    guard let generation = generations[reply], !generation.isStopped else { return }
    generations[reply]?.readerLeftAt = time
  }

  private mutating func ended(_ reply: Int, at time: Int64) {
    // Nobody has to stop what has ended by itself.
    generations[reply]?.isStopped = true
    generations[reply]?.endedAt = time
  }

  func evidence(at end: TokenStoryEnd) -> [String: Int64]? {
    let faulty = generations.values.filter { $0.afterLeft > 0 }
    guard !faulty.isEmpty else { return nil }
    return [
      "tokens-after-reader-left": faulty.reduce(0) { $0 + $1.afterLeft },
      "tokens-made": faulty.reduce(0) { $0 + $1.made },
      "tokens-read": faulty.reduce(0) { $0 + $1.read },
      // Where the engine still runs, at least so much.
      "closed-after-ns": faulty.reduce(0) { $0 + ($1.endedAt ?? end.time) - ($1.readerLeftAt ?? end.time) },
    ]
  }
}

/// A conversation that goes on growing after its screen was left.
///
/// One update may be under way when the screen is left. A second one, or a conversation that is there when all is
/// over, has been kept.
struct RetainedConversation: TokenOracle {
  static let declaration = FindingDeclaration(
    name: "retained-view-model",
    about: "A view model lived on after its screen was left, kept by its own loop.",
    advice: "Hold the model weakly in the loop that feeds it, and look for it at each element.")

  private var hasLeft = false
  private var updates: Int64 = 0

  mutating func see(_ event: TokenStoryEvent, at time: Int64) {
    switch event {
    case .leftScreen: hasLeft = true
    case .grew: if hasLeft { updates += 1 }
    default: break
    }
  }

  func evidence(at end: TokenStoryEnd) -> [String: Int64]? {
    guard updates > 1 || end.isConversationAlive else { return nil }
    return ["updates-after-leaving": updates, "models-alive": end.isConversationAlive ? 1 : 0]
  }
}

/// A stream that has its first token when the engine has made all.
struct BurstAtEnd: TokenOracle {
  static let declaration = FindingDeclaration(
    name: "burst-at-end",
    about:
      "A stream handed its first token on when the engine had made its last, though it made tokens long before.",
    advice: "Pass each token on when it comes; totals and throughput do not show the difference.")

  /// Replies of fewer tokens are not judged, nor those that took less time, in ns: on a busy machine a reader may
  /// not run for as long as a short reply takes.
  private static let least = (tokens: 10, length: Int64(500_000_000))

  private struct Generation {
    var startedAt: Int64
    var made = 0
    /// How many were made when the first was read: a reader that is late by itself, on a machine that has more to do
    /// than it can, has some of them before the last is made.
    var madeAtFirstRead: Int?
    var firstMadeAt, firstReadAt, endedAt: Int64?

    /// The first token was made in the first half, and read in the last tenth, after the last was made.
    var isBurst: Bool {
      guard made >= BurstAtEnd.least.tokens, madeAtFirstRead == made, let made = firstMadeAt,
        let read = firstReadAt, let end = endedAt
      else { return false }
      let length = end - startedAt
      guard length >= BurstAtEnd.least.length else { return false }
      return made - startedAt < length / 2 && read - startedAt >= length / 10 * 9
    }
  }
  private var generations: [Int: Generation] = [:]

  mutating func see(_ event: TokenStoryEvent, at time: Int64) {
    switch event {
    case .engineStarted(let prompt): generations[prompt.number] = Generation(startedAt: time)
    case .made(let prompt):
      generations[prompt.number]?.made += 1
      if generations[prompt.number]?.firstMadeAt == nil { generations[prompt.number]?.firstMadeAt = time }
    case .read(let prompt):
      if let made = generations[prompt.number]?.made, generations[prompt.number]?.firstReadAt == nil {
        generations[prompt.number]?.firstReadAt = time
        generations[prompt.number]?.madeAtFirstRead = made
      }
    case .engineEnded(let prompt, .finished): generations[prompt.number]?.endedAt = time
    default: break
    }
  }

  func evidence(at end: TokenStoryEnd) -> [String: Int64]? {
    let bursts = generations.values.filter(\.isBurst)
    guard !bursts.isEmpty else { return nil }
    return [
      "first-output-ns": bursts.reduce(0) { $0 + ($1.firstReadAt ?? 0) - $1.startedAt },
      "provider-ns": bursts.reduce(0) { $0 + ($1.endedAt ?? 0) - $1.startedAt },
    ]
  }

  /// The first output as a share of the provider's time, of the first reply that came in a burst.
  var firstSighting: [String: Int64] {
    guard let first = generations.filter(\.value.isBurst).min(by: { $0.key < $1.key })?.value,
      let read = first.firstReadAt, let end = first.endedAt
    else { return [:] }
    return ["first-output-of-provider-percent": (read - first.startedAt) * 100 / (end - first.startedAt)]
  }
}
