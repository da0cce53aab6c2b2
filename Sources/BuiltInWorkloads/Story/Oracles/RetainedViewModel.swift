internal import WorkloadInterface

/// A view model that goes on showing after its screen was left.
///
/// One update may be under way when the screen is left. A second one, or a model that is there when all is
/// over, has been kept.
struct RetainedViewModel: StoryOracle {
  static let declaration = FindingDeclaration(
    name: "retained-view-model",
    about: "A view model lived on after its screen was left, kept by its own loop.",
    advice: "Hold the model weakly in the loop that feeds it, and look for it at each element.")

  private var hasLeft = false
  private var updates: Int64 = 0

  mutating func see(_ event: StoryEvent) {
    switch event {
    case .leftScreen: hasLeft = true
    case .viewUpdated: if hasLeft { updates += 1 }
    default: break
    }
  }

  func evidence(at end: StoryEnd) -> [String: Int64]? {
    guard updates > 1 || end.isModelAlive else { return nil }
    return ["updates-after-leaving": updates, "models-alive": end.isModelAlive ? 1 : 0]
  }
}
