internal import RuntimeProbe

/// Says of the tasks that are alive in a deadlock where they were made, what they do, and in which chain of async
/// functions each waits; alike ones together.
enum StuckTasks {
  /// At most this many sentences, made of at most this many tasks.
  private static let limit = 8
  private static let tasksRead = 10_000

  /// The tasks that are alive, with their chains.
  static func read() -> [LiveTask] {
    var stuck = Array(Probe.liveTasks().filter { $0.state != .endedButRetained }.prefix(tasksRead))
    for index in stuck.indices { Probe.readChain(of: &stuck[index]) }
    return stuck
  }

  static func describe(_ tasks: [LiveTask], _ descriptions: inout TaskDescriptions) -> [String] {
    descriptions.grouped(tasks, limit: limit, withPlace: true)
  }
}
