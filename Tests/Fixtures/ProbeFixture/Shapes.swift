// Ten ways in which a task outlives the work it was made for, and how each ends in code that is sound.

import RuntimeProbe
import Synchronization

/// How what a shape has started comes to its end.
enum Ending: String, CaseIterable {
  /// Not, while the shape is watched: the fault.
  case never
  /// It is cancelled when its consumer leaves, and heeds that.
  case cancelled
  /// The consumer waits for it.
  case awaited
  /// By itself, a moment after its consumer has left.
  case soon
}

/// What a shape leaves behind: how to end it, and the line that made the task.
struct Remains: Sendable {
  var line: Int
  var gate: Gate
  var tasks: [Task<Void, Never>] = []
  var release: @Sendable () -> Void = {}
}

/// What must be said of a shape that never ends.
struct Expected {
  enum Fate { case orphan, retained, settled }
  var fate = Fate.orphan
  var kind = LiveTask.Kind.unstructured
  var states: Set<LiveTask.State> = [.suspended]
  var isCancelled = false
  /// The function that made it.
  var function: String
  /// What the chain of functions must speak of; empty: there is none to show.
  var chain: String = ""
  var count = 1
}

struct Shape: Sendable {
  let name: String
  let expected: @Sendable () -> Expected
  let start: @Sendable (Ending) async -> Remains
}

/// A named place to wait at.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [Int: UnsafeContinuation<Void, Never>] = [:]
    var next = 0
  }
  private let state = Mutex(State())

  /// Whether it was opened.
  var isOpen: Bool { state.withLock { $0.isOpen } }

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [:] }
      return state.waiting.values
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until it is opened or, for those who heed that, until the task is cancelled.
  @inline(never) func wait(heedsCancel: Bool) async {
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let isOver = state.withLock { state in
          if state.isOpen || (heedsCancel && Task.isCancelled) { return true }
          state.waiting[number] = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      guard heedsCancel else { return }
      state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
    }
  }
}

/// A channel without room: a sender waits for its reader.
final class Rendezvous: Sendable {
  let gate: Gate
  init(gate: Gate) { self.gate = gate }
  // What the optimiser folds into its caller has no place in a chain.
  @inline(never) func send(_ value: Int) async { await gate.wait(heedsCancel: true) }
}

/// Keeps tasks that are over.
final class KeepingTable: Sendable {
  private let tasks = Mutex<[Task<Void, Never>]>([])
  func keep(_ task: Task<Void, Never>) { tasks.withLock { $0.append(task) } }
  func empty() { tasks.withLock { $0 = [] } }
}

/// Is referred to by the task that it would cancel.
final class SelfKeeping: Sendable {
  private let task = Mutex<Task<Void, Never>?>(nil)
  private let gate: Gate

  init(gate: Gate) { self.gate = gate }

  deinit { task.withLock { $0?.cancel() } }

  func start() -> Task<Void, Never> {
    let made = Task { await self.run() }
    task.withLock { $0 = made }
    return made
  }

  func drop() { task.withLock { $0 = nil } }

  @inline(never) private func run() async { await gate.wait(heedsCancel: true) }
}

/// Starts nothing until it is told to.
final class IdleExecutor: TaskExecutor {
  private let jobs = Mutex<(isOpen: Bool, waiting: [UnownedJob])>((false, []))

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let runsNow = jobs.withLock { jobs in
      if !jobs.isOpen { jobs.waiting.append(job) }
      return jobs.isOpen
    }
    if runsNow { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  func open() {
    let waiting = jobs.withLock { jobs in
      jobs.isOpen = true
      defer { jobs.waiting = [] }
      return jobs.waiting
    }
    for job in waiting { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
