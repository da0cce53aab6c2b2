internal import StoryPipeline

/// The user's hands and eyes: starts stages and feeds what comes of them to a screen.
protocol StoryConsumer: Sendable {
  /// Starts a stage and feeds the screen until its stream ends. Returns when the coordinator has started it.
  func start(_ kind: ProviderKind, screen: Screen) async throws
  /// Asks for one name again; returns when its stream has ended. With `cancels`, it is cancelled at once.
  func regenerateName(slot: Int, cancels: Bool, screen: Screen) async throws
  /// Leaves: nothing is looked at any more. Returns when the user's own loops have ended.
  func leave() async
}

/// Loops that feed a screen, and the day they are given up.
struct Followers: Sendable {
  private let tasks = TaskList()

  /// Follows a stream until it ends; the screen knows meanwhile that more may come.
  @discardableResult
  func follow<Element: Sendable>(
    _ stream: Publication<Element>, screen: Screen, see: @escaping @Sendable (Element) async -> Void
  ) -> Task<Void, Never> {
    screen.followerBegan()
    let task = Task {
      // A stream that ends with an error has been stopped: there is no more to see.
      try? await Self.read(stream, see: see)
      screen.followerEnded()
    }
    tasks.add(task)
    return task
  }

  /// Waits for a loop that feeds the screen and is not the user's own.
  @discardableResult
  func wait(for loop: Task<Void, Never>, screen: Screen) -> Task<Void, Never> {
    screen.followerBegan()
    return Task {
      await loop.value
      screen.followerEnded()
    }
  }

  /// Ends the loops and waits for them.
  func leave() async { await tasks.cancelAndWait() }

  private static func read<Element: Sendable>(
    _ stream: Publication<Element>, see: @Sendable (Element) async -> Void
  ) async throws {
    for try await element in stream { await see(element) }
  }
}
