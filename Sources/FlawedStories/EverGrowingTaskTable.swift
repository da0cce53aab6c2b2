public import StoryPipeline

/// Flaw: only a cancel removes an entry, so every task that ends by itself stays.
///
/// Sound: ``TaskTable`` removes the entry when the task ends.
public final class EverGrowingTaskTable: TaskTracking {
  private let sound = TaskTable()

  /// An empty table.
  public init() {}

  /// As the sound one.
  public func announce() -> TaskID { sound.announce() }

  /// As the sound one.
  public func register(_ task: Task<Void, Never>, for id: TaskID) { sound.register(task, for: id) }

  /// Nobody takes notice.
  public func ended(_ id: TaskID) {}

  /// Cancels one task and removes it.
  @discardableResult
  public func cancel(_ id: TaskID) -> Bool {
    defer { sound.ended(id) }
    return sound.cancel(id)
  }

  /// As the sound one.
  public func cancelAll() { sound.cancelAll() }

  /// Entries there are.
  public var count: Int { sound.count }

  /// Announces, starts and registers.
  @discardableResult
  public func run(_ operation: @escaping @Sendable () async -> Void) -> TaskID {
    let id = announce()
    register(Task { await operation() }, for: id)
    return id
  }
}
