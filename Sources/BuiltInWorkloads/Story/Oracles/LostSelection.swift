internal import WorkloadInterface

/// A choice that was taken, and of which something is missing.
struct LostSelection: StoryOracle {
  static let declaration = FindingDeclaration(
    name: "lost-selection",
    about: "The user chose elements that were shown; the choice was taken without an error and is not whole.",
    advice: "Store what is still in a batch before selecting, and refuse what is missing even then.")

  private var missing: Int64 = 0

  mutating func see(_ event: StoryEvent) {
    if case .chose(let missing) = event { self.missing += Int64(missing) }
  }

  func evidence(at end: StoryEnd) -> [String: Int64]? { missing > 0 ? ["selections-lost": missing] : nil }
}
