internal import WorkloadInterface

/// A regeneration that was cancelled, and whose element came all the same.
///
/// The user cancels before looking: what comes through the stream of a sound regeneration after the cancel
/// has returned is nothing.
struct LostCancel: StoryOracle {
  static let declaration = FindingDeclaration(
    name: "lost-cancel",
    about: "A task was cancelled before it was entered in the table; the cancel found nothing and it ran on.",
    advice: "Enter tasks before they start, or remember a cancel until its task is entered.")

  private var elements: Int64 = 0

  mutating func see(_ event: StoryEvent) {
    if case .cameAfterCancel = event { elements += 1 }
  }

  func evidence(at end: StoryEnd) -> [String: Int64]? {
    elements > 0 ? ["elements-after-cancel": elements] : nil
  }
}
