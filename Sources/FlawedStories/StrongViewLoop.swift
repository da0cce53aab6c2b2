public import StoryPipeline

/// Flaw: `guard let self` before the loop, so the loop keeps the model as long as the stream lives.
///
/// The screen is left, the model stays, and the model is what would cancel the loop.
/// Sound: ``WeakViewLoop`` looks for the model at each element.
public struct StrongViewLoop: ViewLoop {
  /// It has no state.
  public init() {}

  /// Holds the model for the whole loop.
  @MainActor
  public func follow<Element: Sendable>(
    _ model: StoryViewModel, open: @escaping @Sendable () async throws -> Publication<Element>,
    apply: @escaping @MainActor @Sendable (StoryViewModel, Element) -> Void
  ) -> Task<Void, Never> {
    Task { @MainActor [weak model] in
      guard let model else { return }
      do {
        for try await element in try await open() { apply(model, element) }
      } catch {
        model.report(error)
      }
    }
  }
}
