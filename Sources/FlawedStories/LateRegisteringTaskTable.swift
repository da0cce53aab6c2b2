public import StoryPipeline
import Synchronization

/// Flaw: a task is entered by a second task, and a cancel that comes before it finds nothing.
///
/// Sound: ``TaskTable`` has an entry before there is a task.
public final class LateRegisteringTaskTable: TaskTracking {
  private struct Contents {
    var tasks: [TaskID: Task<Void, Never>] = [:]
    var ended: Set<TaskID> = []
    var lastNumber: UInt64 = 0
  }

  private let contents = Mutex(Contents())

  /// An empty table.
  public init() {}

  /// A number, but no entry.
  public func announce() -> TaskID {
    contents.withLock {
      $0.lastNumber += 1
      return TaskID($0.lastNumber)
    }
  }

  /// Enters the task, unless it has ended.
  public func register(_ task: Task<Void, Never>, for id: TaskID) {
    contents.withLock { if $0.ended.remove(id) == nil { $0.tasks[id] = task } }
  }

  /// Removes the entry.
  public func ended(_ id: TaskID) {
    contents.withLock { if $0.tasks.removeValue(forKey: id) == nil { $0.ended.insert(id) } }
  }

  /// Cancels a task that is entered; otherwise nothing happens, now or later.
  @discardableResult
  public func cancel(_ id: TaskID) -> Bool {
    let task = contents.withLock { $0.tasks[id] }
    task?.cancel()
    return task != nil
  }

  /// Cancels what is entered.
  public func cancelAll() {
    for task in contents.withLock({ $0.tasks.values.map { $0 } }) { task.cancel() }
  }

  /// Entries there are.
  public var count: Int { contents.withLock { $0.tasks.count } }

  /// Starts the task now and enters it later.
  @discardableResult
  public func run(_ operation: @escaping @Sendable () async -> Void) -> TaskID {
    let id = announce()
    let task = Task {
      await operation()
      ended(id)
    }
    Task { register(task, for: id) }
    return id
  }
}
