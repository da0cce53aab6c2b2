internal import StoryPipeline
internal import WorkloadInterface

/// A slot that is reported as failed because its call was cancelled.
struct CancellationReportedAsFailure: StoryOracle {
  static let declaration = FindingDeclaration(
    name: "cancellation-reported-as-failure",
    about: "A stage reported slots as failed whose calls were cancelled: the user is offered to retry them.",
    advice: "Rethrow `CancellationError`, and whatever is thrown while the task is cancelled.")

  private var slots: Int64 = 0

  mutating func see(_ event: StoryEvent) {
    if case .slotFailed(_, _, isCancellation: true) = event { slots += 1 }
  }

  func evidence(at end: StoryEnd) -> [String: Int64]? { slots > 0 ? ["slots-reported": slots] : nil }
}
