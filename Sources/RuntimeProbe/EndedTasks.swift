internal import CRuntimeProbe

/// The end of a task that was cancelled, or followed.
package struct EndedTask: Sendable, Hashable {
  /// The runtime's number of the task.
  package var id: UInt64
  /// The tag of the iteration that made it; 0: none.
  package var iteration: UInt64
  /// When it ended, in ns of the cell's clock (`Probe.now`).
  package var endedAt: Int64
  /// Nanoseconds from the first cancel that was seen to the end; `nil`: it was not cancelled.
  package var cancelDelay: Int64?
}

extension Probe {
  /// The ends of cancelled and followed tasks since the last call, and how many there was no room for since the
  /// start (65,536 between two calls). Cancels that this linking sees.
  package static func takeEndedTasks() -> (tasks: [EndedTask], lost: UInt64) {
    var all: [EndedTask] = []
    var lost: UInt64 = 0
    let capacity = 1024
    while true {
      let taken = [crp_task_end](unsafeUninitializedCapacity: capacity) { buffer, count in
        count = crp_take_task_ends(buffer.baseAddress, capacity, &lost)
      }
      all += taken.map {
        EndedTask(
          id: $0.id, iteration: $0.iteration, endedAt: $0.ended_at,
          cancelDelay: $0.cancel_delay < 0 ? nil : $0.cancel_delay)
      }
      if taken.count < capacity { return (all, lost) }
    }
  }

  /// Has the end of a task kept for `takeEndedTasks`; false if it has ended meanwhile.
  @discardableResult
  package static func follow(_ task: LiveTask) -> Bool {
    crp_follow_task(task.address, task.id)
  }
}
