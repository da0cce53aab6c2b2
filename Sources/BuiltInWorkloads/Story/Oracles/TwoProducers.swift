internal import StoryPipeline
internal import WorkloadInterface

/// A producer that goes on after a second start has replaced it.
///
/// As with a stop: the call under way may end, but a producer that gets an answer after the second start has
/// returned, and asks again, was not stopped.
struct TwoProducers: StoryOracle {
  static let declaration = FindingDeclaration(
    name: "two-producers",
    about: "Names were started a second time, and the first producer went on asking.",
    advice: "Cancel the task that a new one replaces before its handle is overwritten.")

  private var asking: Set<Asker> = []
  private var replaced: Set<Asker> = []
  private var answered: Set<Asker> = []
  private var isRestarted = false
  private var calls: Int64 = 0

  mutating func see(_ event: StoryEvent) {
    switch event {
    case .callStarted(let call, let task):
      let asker = Asker(call, task: task)
      if answered.contains(asker) { calls += 1 }
      asking.insert(asker)
    case .callEnded(let call, .succeeded, let task):
      let asker = Asker(call, task: task)
      if isRestarted, replaced.contains(asker) { answered.insert(asker) }
    case .restarting: replaced = asking
    case .restarted: isRestarted = true
    default: break
    }
  }

  func evidence(at end: StoryEnd) -> [String: Int64]? {
    calls > 0 ? ["calls-by-replaced-producer": calls] : nil
  }
}
