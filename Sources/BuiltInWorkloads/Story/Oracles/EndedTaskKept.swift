internal import WorkloadInterface

/// Entries for tasks that have ended.
struct EndedTaskKept: StoryOracle {
  static let declaration = FindingDeclaration(
    name: "ended-task-kept",
    about: "The table of tasks holds entries though nothing runs: tasks that ended were not removed.",
    advice: "Let each task remove its entry when it ends, whether or not it was cancelled.")

  mutating func see(_ event: StoryEvent) {}

  func evidence(at end: StoryEnd) -> [String: Int64]? {
    let running = max(end.openCalls, end.openWorkers)
    guard end.hasEnded, end.tableEntries > running else { return nil }
    return ["entries-kept": Int64(end.tableEntries - running)]
  }
}
