internal import RuntimeProbe

/// Says of the tasks that are alive in a deadlock where they were made, what they do, and in which chain of async
/// functions each waits; alike ones together.
enum StuckTasks {
  /// At most this many sentences, made of at most this many tasks.
  private static let limit = 8
  private static let tasksRead = 10_000

  static func describe(_ tasks: [LiveTask]) -> [String] {
    var stuck = Array(tasks.filter { $0.state != .endedButRetained }.prefix(tasksRead))
    for index in stuck.indices { Probe.readChain(of: &stuck[index]) }
    var descriptions = TaskDescriptions()
    return descriptions.grouped(stuck, limit: limit, withPlace: true)
  }
}
