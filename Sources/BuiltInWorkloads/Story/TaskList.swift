internal import Synchronization

/// Tasks that are given up together.
final class TaskList: Sendable {
  private struct State {
    var tasks: [Task<Void, Never>] = []
    var isClosed = false
  }
  private let state = Mutex(State())

  /// Adds a task; one that comes too late is cancelled at once.
  func add(_ task: Task<Void, Never>) {
    let isLate = state.withLock { state in
      if !state.isClosed { state.tasks.append(task) }
      return state.isClosed
    }
    if isLate { task.cancel() }
  }

  /// Cancels all and returns when they have ended.
  func cancelAndWait() async {
    for task in cancel() { await task.value }
  }

  /// Cancels all and waits for none.
  @discardableResult
  func cancel() -> [Task<Void, Never>] {
    let tasks = close()
    for task in tasks { task.cancel() }
    return tasks
  }

  /// Returns when all have ended by themselves.
  func wait() async {
    for task in close() { await task.value }
  }

  private func close() -> [Task<Void, Never>] {
    state.withLock { state in
      state.isClosed = true
      defer { state.tasks = [] }
      return state.tasks
    }
  }
}
