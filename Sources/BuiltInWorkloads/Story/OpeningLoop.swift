internal import StoryPipeline
internal import Synchronization

/// A view loop that tells when the coordinator has opened the stream it follows; the rest is the loop inside.
final class OpeningLoop: ViewLoop {
  private let inner: any ViewLoop
  private let opening = Mutex<Signal?>(nil)

  init(_ inner: any ViewLoop) { self.inner = inner }

  /// The next stream to be followed fires this.
  func expect(_ signal: Signal) { opening.withLock { $0 = signal } }

  @MainActor
  func follow<Element: Sendable>(
    _ model: StoryViewModel, open: @escaping @Sendable () async throws -> Publication<Element>,
    apply: @escaping @MainActor @Sendable (StoryViewModel, Element) -> Void
  ) -> Task<Void, Never> {
    let signal = opening.withLock { opening in
      defer { opening = nil }
      return opening
    }
    return inner.follow(
      model,
      open: {
        defer { signal?.fire() }
        return try await open()
      }, apply: apply)
  }
}
