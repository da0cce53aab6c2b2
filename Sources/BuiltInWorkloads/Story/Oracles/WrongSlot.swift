internal import StoryPipeline
internal import WorkloadInterface

/// A failed slot, or an element's slot, that is not the one that was asked for.
struct WrongSlot: StoryOracle {
  private struct Slot: Hashable {
    let kind: ProviderKind
    let number: Int
  }

  static let declaration = FindingDeclaration(
    name: "wrong-slot",
    about:
      "A stage named a slot that is not the one its provider was asked for: a retry replaces another one.",
    advice: "Number slots by the call, not by counting what has come so far.")

  private var unanswered: Set<Slot> = []
  private var failures: Int64 = 0
  private var elements: Int64 = 0

  mutating func see(_ event: StoryEvent) {
    switch event {
    case .callEnded(let call, let outcome, _) where outcome != .succeeded:
      unanswered.insert(Slot(kind: call.kind, number: call.slot))
    // Prose has one slot, and may fail by itself when nobody takes it.
    case .slotFailed(let kind, let slot, isCancellation: false) where kind != .prose:
      if !unanswered.contains(Slot(kind: kind, number: slot)) { failures += 1 }
    case .made(let id, let slot):
      if StoryIdentifiers.slot(of: id) != slot { elements += 1 }
    default: break
    }
  }

  func evidence(at end: StoryEnd) -> [String: Int64]? {
    failures + elements > 0 ? ["failures-misplaced": failures, "elements-misplaced": elements] : nil
  }
}
