import Synchronization

/// How a view model follows a stream.
public protocol ViewLoop: Sendable {
  /// Starts a task that opens a stream and applies each element to the model.
  @MainActor
  func follow<Element: Sendable>(
    _ model: StoryViewModel, open: @escaping @Sendable () async throws -> Publication<Element>,
    apply: @escaping @MainActor @Sendable (StoryViewModel, Element) -> Void
  ) -> Task<Void, Never>
}

/// The sound loop: it knows the model only while it applies an element, and ends when the model is gone.
public struct WeakViewLoop: ViewLoop {
  /// It has no state.
  public init() {}

  /// Holds the model weakly between elements.
  @MainActor
  public func follow<Element: Sendable>(
    _ model: StoryViewModel, open: @escaping @Sendable () async throws -> Publication<Element>,
    apply: @escaping @MainActor @Sendable (StoryViewModel, Element) -> Void
  ) -> Task<Void, Never> {
    Task { @MainActor [weak model] in
      do {
        for try await element in try await open() {
          guard let model else { return }
          apply(model, element)
        }
      } catch {
        model?.report(error)
      }
    }
  }
}

/// The running loops of a model, for the day it goes.
final class LoopTasks: Sendable {
  private let tasks = Mutex<[Task<Void, Never>]>([])

  func add(_ task: Task<Void, Never>) { tasks.withLock { $0.append(task) } }

  func cancelAll() {
    let tasks = tasks.withLock { tasks in
      defer { tasks = [] }
      return tasks
    }
    for task in tasks { task.cancel() }
  }
}
