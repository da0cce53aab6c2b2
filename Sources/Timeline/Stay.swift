/// A task's stay on an executor: from where it began to run there until it left, suspended or ended.
package struct Stay: Sendable, Hashable {
  /// Index among the recording's threads.
  package var thread: Int
  /// The runtime's number of the task.
  package var task: UInt64
  /// Index among `TimelineModel.actors`; `nil`: the generic executor.
  package var actor: Int?
  /// What it ran first; 0: not known.
  package var code: UInt64
  /// Of a stay that goes on after a continuation, a task or a group: the functions that it goes on in, innermost first.
  package var resumes: [UInt64] = []
  /// Of one that ends in a continuation, or in a wait for a task or a group that had its end in the trace: the same of
  /// what suspended.
  package var awaits: [UInt64] = []
  package var start: Int64
  package var end: Int64
  /// The numbers of the events that began and ended it: they tell what came first where the times are equal.
  package var startOrder: Int
  package var endOrder: Int
  /// The stay that the task hopped here from; `nil` where it did not come by a hop that was seen.
  package var origin: Int?
  /// How long the hop took, in ns: queueing, on a busy actor. `nil` without an origin.
  package var wait: Int64?
  /// False where another task was found running on the thread: the end is then the latest there can be.
  package var isEndSeen = true
}

/// An actor instance.
package struct ActorInstance: Sendable, Hashable {
  /// The type's presented name.
  package var type: String
  /// Its number among those of its type, from 1, in order of their first sight.
  package var number: Int
  /// When it was seen to be made; `nil`: before the trace.
  package var made: Int64?

  /// As tracks have it: `BatchRegistry #2`.
  package var label: String { "\(type) #\(number)" }
}

/// A task's course.
package struct TaskCourse: Sendable, Hashable {
  /// When it was made; `nil`: before the trace.
  package var made: Int64?
  /// Where it begins; 0: not known.
  package var code: UInt64 = 0
  /// Return addresses of its creation, innermost first.
  package var creation: [UInt64] = []
  /// Whether it is what `Task.sleep` waits with, not a task of the program's.
  package var isTimer = false
  /// The number of the task that made it; 0: none.
  package var creator: UInt64 = 0
  /// The iteration it belongs to, by tag; 0: none.
  package var iteration: UInt64 = 0
  /// Its stays, as indices.
  package var stays: [Int] = []
  /// When it was gone.
  package var ended: Int64?
  /// A hop under way: from which stay, when it left, where to.
  package var hop: Hop?

  /// A hop that has begun.
  package struct Hop: Sendable, Hashable {
    package var origin: Int
    package var left: Int64
    package var onto: Int?
    package var thread: Int
  }
}

/// Something that happened at one moment.
package struct TimelineInstant: Sendable, Hashable {
  /// What it is called: `cancel`, or a mark of the workload's.
  package var name: String
  package var time: Int64
  /// The task that it happened in or to; 0: none.
  package var task: UInt64
  /// The mark's value; `nil` for others.
  package var value: UInt64?
  /// The number of the event.
  package var order: Int
}

/// A change of a level: of the tasks that wait for an actor, or of the tasks alive.
package struct LevelChange: Sendable, Hashable {
  package var time: Int64
  package var change: Int

  /// At one moment a rise comes first, so that no level is below 0.
  static func comesBefore(_ one: LevelChange, _ other: LevelChange) -> Bool {
    (one.time, -one.change) < (other.time, -other.change)
  }
}
