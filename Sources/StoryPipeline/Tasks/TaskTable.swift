import Synchronization

/// The identity of a task in one table.
public struct TaskID: Hashable, Sendable, CustomStringConvertible {
  /// The number, counted from 1 by the table.
  public let rawValue: UInt64
  /// An identity with the given number.
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }
  /// `task-` and the number.
  public var description: String { "task-\(rawValue)" }
}

/// A table of tasks that can be cancelled one by one.
public protocol TaskTracking: AnyObject, Sendable {
  /// A new entry, for a task that does not exist yet.
  func announce() -> TaskID
  /// The entry's task is there.
  func register(_ task: Task<Void, Never>, for id: TaskID)
  /// The entry's task has ended, perhaps before it was registered.
  func ended(_ id: TaskID)
  /// Cancels one task, perhaps before it is registered. False if there is no such entry (any more).
  @discardableResult func cancel(_ id: TaskID) -> Bool
  /// Cancels all.
  func cancelAll()
  /// Entries there are: tasks announced and not ended.
  var count: Int { get }
  /// Runs `operation` in a task of its own, entered in the table as long as it runs.
  @discardableResult func run(_ operation: @escaping @Sendable () async -> Void) -> TaskID
}

/// The table as a value: events in, actions out.
struct TaskTableState {
  private enum Entry {
    case announced
    case cancelledEarly
    case running(Task<Void, Never>)
  }

  private var entries: [TaskID: Entry] = [:]
  private var lastNumber: UInt64 = 0

  var count: Int { entries.count }

  mutating func announce() -> TaskID {
    lastNumber += 1
    let id = TaskID(lastNumber)
    entries[id] = .announced
    return id
  }

  /// True if the task is to be cancelled at once.
  mutating func register(_ task: Task<Void, Never>, for id: TaskID) -> Bool {
    switch entries[id] {
    case .announced: entries[id] = .running(task)
    case .cancelledEarly:
      entries[id] = .running(task)
      return true
    // Ended before it was registered: nothing is left to track.
    case nil: break
    // The first task of an identity stays.
    case .running: break
    }
    return false
  }

  mutating func ended(_ id: TaskID) { entries[id] = nil }

  /// The task to cancel, if it is there already; and whether there is an entry.
  mutating func cancel(_ id: TaskID) -> (found: Bool, task: Task<Void, Never>?) {
    switch entries[id] {
    case nil: return (false, nil)
    case .running(let task): return (true, task)
    case .announced, .cancelledEarly:
      entries[id] = .cancelledEarly
      return (true, nil)
    }
  }

  mutating func cancelAll() -> [Task<Void, Never>] {
    entries.keys.sorted { $0.rawValue < $1.rawValue }.compactMap { cancel($0).task }
  }
}

/// The sound table: entries go when tasks end, and the order of registering, ending and cancelling is free.
///
/// Dropping the table cancels what still runs.
public final class TaskTable: TaskTracking {
  private let state = Mutex(TaskTableState())

  /// An empty table.
  public init() {}

  deinit { cancelAll() }

  /// A new entry.
  public func announce() -> TaskID { state.withLock { $0.announce() } }

  /// Enters the task, cancelling it if its entry was cancelled before.
  public func register(_ task: Task<Void, Never>, for id: TaskID) {
    if state.withLock({ $0.register(task, for: id) }) { task.cancel() }
  }

  /// Removes the entry.
  public func ended(_ id: TaskID) { state.withLock { $0.ended(id) } }

  /// Cancels one task, now or when it is registered.
  @discardableResult
  public func cancel(_ id: TaskID) -> Bool {
    let (found, task) = state.withLock { $0.cancel(id) }
    task?.cancel()
    return found
  }

  /// Cancels all, now or when they are registered.
  public func cancelAll() {
    for task in state.withLock({ $0.cancelAll() }) { task.cancel() }
  }

  /// Entries there are.
  public var count: Int { state.withLock { $0.count } }

  /// Announces, starts and registers. The task does not keep the table alive.
  @discardableResult
  public func run(_ operation: @escaping @Sendable () async -> Void) -> TaskID {
    let id = announce()
    let task = Task { [weak self] in
      await operation()
      self?.ended(id)
    }
    register(task, for: id)
    return id
  }
}
