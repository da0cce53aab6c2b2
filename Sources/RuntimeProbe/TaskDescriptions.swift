/// Says of tasks what they do and in which chain of functions, alike ones together. For the report.
package struct TaskDescriptions {
  private var places = CreationPlaces()
  private var chains = AsyncChains()

  package init() {}

  /// Where the task was made.
  package mutating func place(of task: LiveTask) -> String {
    places.place(of: task.creationAddresses)?.description ?? "unknown place"
  }

  /// E.g. `async let, suspended, cancelled, in AsyncStream.Iterator.next() ← closure #1 in Feed.start()`.
  package mutating func text(_ task: LiveTask) -> String {
    var text = task.kind.rawValue
    if let name = task.name { text += " \"\(name)\"" }
    text += ", \(task.state.rawValue)"
    if task.isCancelled { text += ", cancelled" }
    if let chain = chains.chain(of: task) { text += ", in \(chain)" }
    return text
  }

  /// One sentence for each kind of task, the most frequent first, with its number; at most `limit`.
  package mutating func grouped(_ tasks: [LiveTask], limit: Int, withPlace: Bool) -> [String] {
    var counts: [String: Int] = [:]
    for task in tasks {
      counts[text(task) + (withPlace ? ", made at \(place(of: task))" : ""), default: 0] += 1
    }
    let lines = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) × \($0.key)" }
    return Array(lines.prefix(limit)) + (lines.count > limit ? ["and \(lines.count - limit) more kinds"] : [])
  }
}
