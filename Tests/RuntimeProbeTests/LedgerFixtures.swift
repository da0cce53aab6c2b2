import RuntimeProbe
import Synchronization

/// What a test must end itself, because the code under test does not.
private let abandoned = Mutex<[Task<Void, Never>]>([])

func keepForTheEnd(_ task: Task<Void, Never>) {
  abandoned.withLock { $0.append(task) }
}

func cancelKept() {
  let tasks = abandoned.withLock { kept in
    defer { kept = [] }
    return kept
  }
  for task in tasks { task.cancel() }
}

actor HeldTask {
  private var task: Task<Void, Never>?

  func keep(_ task: Task<Void, Never>) async {
    self.task = task
    await task.value
  }

  func drop() {
    task = nil
  }
}

/// The kinds of the tasks of one iteration that a look at the ledger showed, but for the one that had the tag set.
final class SeenKinds: Sendable {
  private let found = Mutex<[LiveTask.Kind]>([])

  var kinds: [LiveTask.Kind] { found.withLock { $0 } }

  /// Looks until there is something to see: a task may run before its maker has entered it.
  func look(at iteration: UInt64) async {
    var kinds: [LiveTask.Kind] = []
    while kinds.isEmpty {
      kinds = Probe.liveTasks().filter { $0.iteration == iteration && $0.kind != .detached }.map(\.kind)
    }
    found.withLock { $0 = kinds }
  }
}
