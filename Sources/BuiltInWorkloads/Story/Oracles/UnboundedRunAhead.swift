internal import StoryPipeline
internal import WorkloadInterface

/// A stage that asks its provider on though its consumer has not taken what it made.
///
/// A sound stage has at most one element in the hand when it asks, and what its batch may hold. Where batches
/// are also shown by age, several may be on their way at once and there is no bound to judge by.
struct UnboundedRunAhead: StoryOracle {
  static let declaration = FindingDeclaration(
    name: "unbounded-run-ahead",
    about: "A stage made elements that its consumer had not taken, and went on asking its provider.",
    advice: "Hand elements over directly, or through a buffer whose bound makes the producer wait.")

  private let batch: Int?
  private var undelivered: Set<CandidateID> = []
  private var extra = 0
  private var mostAhead = 0
  private var hasLeft = false
  private var callsAhead: Int64 = 0

  init(_ strategy: RegistryStrategy) {
    guard let limit = strategy.limit else {
      batch = 0
      return
    }
    batch = limit.every == nil ? limit.size : nil
  }

  mutating func see(_ event: StoryEvent) {
    switch event {
    case .made(let id, _): undelivered.insert(id)
    case .delivered(let id), .dropped(let id): undelivered.remove(id)
    case .callStarted(let call, _): asked(call)
    // What was stopped is not taken any more; what was withdrawn comes to light a little later.
    case .stopped: undelivered = []
    // Who has left takes nothing; what is asked for all the same is another oracle's business.
    case .leftScreen: hasLeft = true
    case .restarting: extra += 2 * (batch ?? 0) + 2
    default: break
    }
  }

  private mutating func asked(_ call: ProviderCall) {
    // Each call beside the stage has an element of its own in the hand.
    if call.attempt > 0 { extra += 1 }
    guard !hasLeft, let batch, call.kind == .names || call.kind == .titles else { return }
    let ahead = undelivered.count { StoryIdentifiers.kind(of: $0) == call.kind }
    mostAhead = max(mostAhead, ahead)
    if ahead > batch + 1 + extra { callsAhead += 1 }
  }

  func evidence(at end: StoryEnd) -> [String: Int64]? {
    callsAhead > 0 ? ["calls-ahead": callsAhead, "elements-ahead": Int64(mostAhead)] : nil
  }
}
