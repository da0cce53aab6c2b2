internal import CRuntimeProbe

/// A task that was cancelled, and has ended.
package struct CancelledTask: Sendable, Hashable {
  /// The tag of the iteration that made it; 0: none.
  package var iteration: UInt64
  /// Nanoseconds from the first cancel to the task's end, on the cell's clock.
  package var delay: Int64
}

extension Probe {
  /// Tasks that were cancelled and have ended since the last call, by cancels that this linking sees; and how many
  /// there was no room for since the start (65,536 between two calls).
  package static func takeCancelledTasks() -> (tasks: [CancelledTask], lost: UInt64) {
    var all: [CancelledTask] = []
    var lost: UInt64 = 0
    let capacity = 1024
    while true {
      let taken = [crp_cancelled_task](unsafeUninitializedCapacity: capacity) { buffer, count in
        count = crp_take_cancelled(buffer.baseAddress, capacity, &lost)
      }
      all += taken.map { CancelledTask(iteration: $0.iteration, delay: $0.delay) }
      if taken.count < capacity { return (all, lost) }
    }
  }
}
