internal import WorkloadInterface

/// A choice that came back whole, in another order than the user's.
struct SelectionReordered: StoryOracle {
  static let declaration = FindingDeclaration(
    name: "selection-reordered",
    about: "The user's choice was taken whole, and came back in an order that is not the user's.",
    advice: "Keep a choice in an array; a set forgets the order.")

  private var displaced: Int64 = 0

  mutating func see(_ event: StoryEvent) {
    if case .chosen(let displaced, _) = event { self.displaced += Int64(displaced) }
  }

  func evidence(at end: StoryEnd) -> [String: Int64]? {
    displaced > 0 ? ["choices-displaced": displaced] : nil
  }
}

/// A choice in which there is more than the user chose.
struct EarlierChoiceKept: StoryOracle {
  static let declaration = FindingDeclaration(
    name: "earlier-choice-kept",
    about: "The user chose again, and what had been chosen before was still part of the choice.",
    advice: "Let a choice take the place of the one before it.")

  private var extra: Int64 = 0

  mutating func see(_ event: StoryEvent) {
    if case .chosen(_, let extra) = event { self.extra += Int64(extra) }
  }

  func evidence(at end: StoryEnd) -> [String: Int64]? { extra > 0 ? ["choices-kept": extra] : nil }
}
