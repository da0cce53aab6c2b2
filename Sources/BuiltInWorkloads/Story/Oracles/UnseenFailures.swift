internal import StoryPipeline
internal import WorkloadInterface

/// Calls that failed, and of which nobody was told.
///
/// What fails just when a stage is stopped or left need not be told any more.
struct FailureSwallowed: StoryOracle {
  static let declaration = FindingDeclaration(
    name: "failure-swallowed",
    about: "A provider call failed, and no slot was reported as failed: the user waits for what never comes.",
    advice: "Let each failure be an event; `try?` makes it nothing.")

  private struct Slot: Hashable {
    let kind: ProviderKind
    let number: Int
  }
  private var untold: [Slot: Int64] = [:]
  /// The slot of the call that was seen last, where it failed.
  private var last: Slot?

  mutating func see(_ event: StoryEvent) {
    switch event {
    case .callEnded(let call, .failed, _) where call.kind != .prose:
      let slot = Slot(kind: call.kind, number: call.slot)
      untold[slot, default: 0] += 1
      last = slot
    case .callStarted, .callEnded: last = nil
    case .slotFailed(let kind, let slot, isCancellation: false):
      untold[Slot(kind: kind, number: slot), default: 0] -= 1
    case .stopped, .restarting, .leftScreen:
      if let last, untold[last, default: 0] > 0 { untold[last] = 0 }
    default: break
    }
  }

  func evidence(at end: StoryEnd) -> [String: Int64]? {
    // A failure under another slot's number is another oracle's business.
    guard end.hasEnded, untold.values.allSatisfy({ $0 >= 0 }) else { return nil }
    let failures = untold.values.reduce(0, +)
    return failures > 0 ? ["failures-untold": failures] : nil
  }
}

/// A story that counts as written though its provider failed.
struct ProseFailureAsEnd: StoryOracle {
  static let declaration = FindingDeclaration(
    name: "failure-taken-for-end",
    about: "The provider of the prose failed, and the story counts as complete.",
    advice: "Let the bridge from callbacks carry failures as well as the end.")

  private var hasFailed = false
  private var stories: Int64 = 0

  mutating func see(_ event: StoryEvent) {
    switch event {
    case .callEnded(let call, let outcome, _) where call.kind == .prose: hasFailed = outcome == .failed
    case .written: if hasFailed { stories += 1 }
    default: break
    }
  }

  func evidence(at end: StoryEnd) -> [String: Int64]? { stories > 0 ? ["stories": stories] : nil }
}
