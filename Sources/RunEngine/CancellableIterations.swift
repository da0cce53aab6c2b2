internal import Synchronization
internal import WorkloadInterface

/// The iterations that run, for whoever cancels them all at a scheduling step.
final class CancellableIterations: Sendable {
  private struct State {
    var cancels: [Int: @Sendable () -> Void] = [:]
    var asked: Set<Int> = []
    var cancelled = 0
  }
  private let state = Mutex(State())

  /// An iteration began; `cancel` cancels its task.
  func began(_ index: Int, cancel: @escaping @Sendable () -> Void) {
    state.withLock { $0.cancels[index] = cancel }
  }

  /// An iteration ended.
  func ended(_ index: Int, _ outcome: IterationOutcome) {
    state.withLock { state in
      state.cancels[index] = nil
      if outcome == .cancelled, state.asked.contains(index) { state.cancelled += 1 }
    }
  }

  /// Whether any runs.
  var areAny: Bool { state.withLock { !$0.cancels.isEmpty } }

  /// Cancels all that run, in the order of their numbers. Handlers run before this returns.
  func cancelAll() {
    let cancels = state.withLock { state in
      state.asked.formUnion(state.cancels.keys)
      return state.cancels.sorted { $0.key < $1.key }.map(\.value)
    }
    for cancel in cancels { cancel() }
  }

  /// How many were cancelled, and how many of these ended as such.
  var counts: (asked: Int, cancelled: Int) { state.withLock { ($0.asked.count, $0.cancelled) } }
}
