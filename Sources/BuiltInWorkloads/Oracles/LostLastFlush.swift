internal import WorkloadInterface

/// Elements that a worker was given and that never came into the registry.
struct LostLastFlush: StoryOracle {
  static let declaration = FindingDeclaration(
    name: "lost-last-flush",
    about: "Elements were made and neither stored nor withdrawn: a worker ended without flushing its batch.",
    advice: "Flush where every ending passes: after the loop and in its catch, also on cancellation.")

  mutating func see(_ event: StoryEvent) {}

  func evidence(at end: StoryEnd) -> [String: Int64]? {
    guard end.hasEnded, end.unstored > 0 else { return nil }
    return ["elements-lost": Int64(end.unstored)]
  }
}
