internal import StoryPipeline
internal import Synchronization

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
  private let parting = Parting()
  private let exit: StoryBehaviour.Exit

  /// Loops that are left in this way; by default their tasks are cancelled.
  init(exit: StoryBehaviour.Exit = .leave) { self.exit = exit }

  /// Set when the user has had enough; holds the streams of loops left by `break`.
  private final class Parting: Sendable {
    let hasEnough = Atomic(false)
    private let held = Mutex<[any Sendable]>([])
    func hold(_ stream: any Sendable) { held.withLock { $0.append(stream) } }
  }

  /// Follows a stream until it ends; the screen knows meanwhile that more may come.
  @discardableResult
  func follow<Element: Sendable>(
    _ stream: Publication<Element>, screen: Screen, see: @escaping @Sendable (Element) async -> Void
  ) -> Task<Void, Never> {
    screen.followerBegan()
    let task = Task { [exit, parting] in
      // A stream that ends with an error has been stopped: there is no more to see.
      switch exit {
      case .cancel, .leave: try? await Self.read(stream, see: see)
      case .break: try? await Self.readAndBreak(stream, parting, see: see)
      case .drop: try? await Self.readAndDrop(stream, parting, see: see)
      }
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

  /// Ends the loops, in the way that they are left in, and waits for them.
  func leave() async {
    switch exit {
    case .cancel, .leave: await tasks.cancelAndWait()
    case .break, .drop:
      parting.hasEnough.store(true, ordering: .relaxed)
      await tasks.wait()
    }
  }

  private static func read<Element: Sendable>(
    _ stream: Publication<Element>, see: @Sendable (Element) async -> Void
  ) async throws {
    for try await element in stream { await see(element) }
  }

  /// The loop is left at the next element; the stream stays in hand.
  private static func readAndBreak<Element: Sendable>(
    _ stream: Publication<Element>, _ parting: Parting, see: @Sendable (Element) async -> Void
  ) async throws {
    for try await element in stream {
      if parting.hasEnough.load(ordering: .relaxed) {
        parting.hold(stream)
        break
      }
      await see(element)
    }
  }

  /// The iterator is let go of after the next element; nobody is told.
  private static func readAndDrop<Element: Sendable>(
    _ stream: consuming Publication<Element>, _ parting: Parting, see: @Sendable (Element) async -> Void
  ) async throws {
    var iterator: Publication<Element>.AsyncIterator? = stream.makeAsyncIterator()
    while let element = try await iterator?.next() {
      if parting.hasEnough.load(ordering: .relaxed) { iterator = nil } else { await see(element) }
    }
  }
}
