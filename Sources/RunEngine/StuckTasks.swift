internal import RuntimeProbe

/// Says of the tasks that are alive in a deadlock where they were made and what they do, alike ones together.
enum StuckTasks {
  /// At most this many sentences.
  private static let limit = 8

  static func describe(_ tasks: [LiveTask]) -> [String] {
    var places = CreationPlaces()
    var counts: [String: Int] = [:]
    for task in tasks where task.state != .endedButRetained {
      let place = places.place(of: task.creationAddresses)?.description ?? "unknown place"
      counts[
        "\(task.state.rawValue)\(task.isCancelled ? ", cancelled" : ""), made at \(place)", default: 0] += 1
    }
    let lines = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
      "\($0.value) × task \($0.key)"
    }
    return Array(lines.prefix(limit)) + (lines.count > limit ? ["and \(lines.count - limit) more kinds"] : [])
  }
}
