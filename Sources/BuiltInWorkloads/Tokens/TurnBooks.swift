internal import Synchronization
internal import TokenStreaming
internal import WorkloadInterface

/// Who asked one engine, waited and was served, in which order. Shared by all conversations of that engine.
final class TurnBooks: Sendable {
  private let oracles = Mutex(TurnOracles())

  /// A caller comes, takes its place in the queue, or has left it.
  func asked(_ prompt: Prompt) { oracles.withLock { $0.asked(Caller(prompt)) } }
  func queued(_ prompt: Prompt) { oracles.withLock { $0.queued(Caller(prompt)) } }
  func left(_ prompt: Prompt) { oracles.withLock { $0.left(Caller(prompt)) } }
  /// A user does not want the reply any more.
  func interrupted(_ prompt: Prompt) { oracles.withLock { $0.interrupted(Caller(prompt)) } }
  /// A generation starts; true if another one runs.
  func started(_ prompt: Prompt) -> Bool { oracles.withLock { $0.started(Caller(prompt)) } }
  /// A generation has ended.
  func ended(_ prompt: Prompt) { oracles.withLock { $0.ended(Caller(prompt)) } }
  /// A conversation is over: what was found about it.
  func findings(conversation: Int) -> [ReportedFinding] {
    oracles.withLock { $0.findings(conversation: conversation) }
  }
}

/// Who waits at an engine.
struct Caller: Hashable {
  let conversation: Int
  let reply: Int

  init(_ prompt: Prompt) {
    conversation = prompt.conversation
    reply = prompt.number
  }
}

/// Looks for faults in the order of turns, as a value. Judges by order alone.
struct TurnOracles {
  static let overlap = FindingDeclaration(
    name: "generations-overlap",
    about: "A generation was started while the engine ran another: its state is corrupt, or it crashes.",
    advice: "Give the next turn when the engine says that it has ended, not when a method returns.")
  static let overtaken = FindingDeclaration(
    name: "caller-overtaken",
    about: "A caller was served before one that had been waiting when it came.",
    advice: "Serve callers in the order in which they came.")
  static let forNobody = FindingDeclaration(
    name: "started-for-nobody",
    about: "A caller was cancelled while it waited, and its generation was started all the same.",
    advice: "Take a cancelled caller out of the queue.")
  static let declarations = [overlap, overtaken, forNobody]

  private var now = 0
  private var running: Set<Caller> = []
  private var askedAt: [Caller: Int] = [:]
  private var waitingSince: [Caller: Int] = [:]
  private var interruptedAt: [Caller: Int] = [:]
  private var lastEnd = 0
  private var counts: [Int: [String: Int64]] = [:]

  mutating func asked(_ caller: Caller) { askedAt[caller] = tick() }

  /// The engine says so after the caller has its place, so the place is at least as old as this.
  mutating func queued(_ caller: Caller) { waitingSince[caller] = tick() }

  mutating func left(_ caller: Caller) { forget(caller) }

  mutating func interrupted(_ caller: Caller) { interruptedAt[caller] = tick() }

  mutating func started(_ caller: Caller) -> Bool {
    let came = askedAt[caller] ?? 0
    if waitingSince.contains(where: { $0.key != caller && $0.value < came && interruptedAt[$0.key] == nil }) {
      count("callers-overtaking", caller)
    }
    // A turn that came before the cancel may be taken after it; one that came after it may not.
    if waitingSince[caller] != nil, let interrupt = interruptedAt[caller], lastEnd > interrupt {
      count("generations-for-nobody", caller)
    }
    forget(caller)
    let overlaps = !running.isEmpty
    if overlaps { count("generations-overlapping", caller) }
    running.insert(caller)
    return overlaps
  }

  mutating func ended(_ caller: Caller) {
    running.remove(caller)
    lastEnd = tick()
  }

  mutating func findings(conversation: Int) -> [ReportedFinding] {
    let counts = counts.removeValue(forKey: conversation) ?? [:]
    return Self.evidence.compactMap { declaration, key in
      counts[key].map { ReportedFinding(declaration.name, evidence: [key: $0], iteration: conversation) }
    }
  }

  private static let evidence = [
    (overlap, "generations-overlapping"), (overtaken, "callers-overtaking"),
    (forNobody, "generations-for-nobody"),
  ]

  private mutating func count(_ key: String, _ caller: Caller) {
    counts[caller.conversation, default: [:]][key, default: 0] += 1
  }

  private mutating func forget(_ caller: Caller) {
    askedAt[caller] = nil
    waitingSince[caller] = nil
    interruptedAt[caller] = nil
  }

  private mutating func tick() -> Int {
    now += 1
    return now
  }
}
