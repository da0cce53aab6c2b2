internal import StoryPipeline
internal import WorkloadInterface

/// A stage that got an answer after it had been stopped, and asked again.
///
/// A call that was under way when the stop came is nobody's fault. When it is answered, though, the stop has
/// returned, so a stage that looks before it asks again cannot miss it.
struct AskedAfterCancel: StoryOracle {
  static let declaration = FindingDeclaration(
    name: "asked-after-cancel",
    about: "A stage was stopped, then got an answer, and asked its provider again.",
    advice: "Check for cancellation before each provider call; do not leave it to the provider.")

  /// Producers and single calls that were asking when a second start replaced them: another oracle's business.
  private var replaced: Set<Asker> = []
  /// Those that have asked since the last stop.
  private var asking: Set<Asker> = []
  /// Those that had asked when a stop came.
  private var stopped: Set<Asker> = []
  /// Those of them that were answered after it.
  private var answered: Set<Asker> = []
  private var calls: Int64 = 0

  mutating func see(_ event: StoryEvent) {
    switch event {
    case .callStarted(let call, let task):
      let asker = Asker(call, task: task)
      if answered.contains(asker) { calls += 1 }
      asking.insert(asker)
    case .callEnded(let call, .succeeded, let task):
      let asker = Asker(call, task: task)
      if stopped.contains(asker) { answered.insert(asker) }
    case .restarting: replaced = asking
    case .stopped: stopped.formUnion(asking.subtracting(replaced))
    default: break
    }
  }

  func evidence(at end: StoryEnd) -> [String: Int64]? { calls > 0 ? ["calls-after-cancel": calls] : nil }
}
