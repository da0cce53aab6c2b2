/// Counts of one actor type.
package struct ActorCounts: Sendable, Hashable {
  /// Unqualified type name; module-qualified where two types share it. `MainActor` on both clocks.
  package var name: String
  /// The qualified name, by which counts are matched.
  package var qualifiedName: String
  /// Switches of a task onto this actor from another executor.
  package var hops: UInt64
  /// Those of `hops` that took the actor over on the same thread; 0 unless classifying.
  package var fast: UInt64
  /// Those of `hops` that were enqueued and have resumed; 0 unless classifying.
  package var slow: UInt64
}

/// What the probe has counted since its first start. Take the difference of two for a window.
package struct ProbeCounts: Sendable, Hashable {
  package var coverage: ProbeCoverage
  /// The mode in which the counts were made; `nil` before the first start.
  package var mode: ProbeMode?
  /// By qualified name.
  package var actors: [ActorCounts]
  /// Switches that stayed where they were.
  package var switchesSame: UInt64
  /// Switches to another executor, the generic one included.
  package var switchesMoved: UInt64
  /// Of `switchesMoved`, those on the same thread; only when classifying.
  package var switchesFast: UInt64
  /// Of `switchesMoved`, those enqueued and resumed; only when classifying.
  package var switchesSlow: UInt64
  package var tasksCreated: UInt64
  /// Tasks that are complete, also when something still refers to them.
  package var tasksEnded: UInt64
  /// Of `tasksCreated`, those made by a task with an iteration tag.
  package var iterationTasksCreated: UInt64
  /// Of `iterationTasksCreated`, those whose memory is gone.
  package var iterationTasksEnded: UInt64
  /// The most tasks in memory at once since the first start; not a difference.
  package var tasksAliveMax: UInt64
  /// Calls of `swift_task_cancel`, also by the runtime, as for an `async let` left without waiting; `nil` where
  /// the linking does not see them.
  package var cancels: UInt64?
  /// Events that no counter was free for. Other than 0: the counts are too low.
  package var eventsLost: UInt64

  /// Hops onto all actors.
  package var hops: UInt64 { actors.reduce(0) { $0 + $1.hops } }

  /// Hops onto the actor of this name, qualified or as presented; `nil` if no task has hopped there.
  package func hops(onto name: String) -> UInt64? { actor(name)?.hops }

  /// The counts of the actor of this name, qualified or as presented.
  package func actor(_ name: String) -> ActorCounts? {
    actors.first { $0.qualifiedName == name || $0.name == name }
  }

  /// What was counted after `earlier`. Actors without any hop in between are left out.
  package func since(_ earlier: ProbeCounts) -> ProbeCounts {
    var result = self
    let before = Dictionary(
      earlier.actors.map { ($0.qualifiedName, $0) }, uniquingKeysWith: { first, _ in first })
    result.actors = actors.compactMap { now in
      guard let then = before[now.qualifiedName] else { return now }
      var change = now
      change.hops &-= then.hops
      change.fast &-= then.fast
      change.slow &-= then.slow
      return change.hops == 0 && change.fast == 0 && change.slow == 0 ? nil : change
    }
    result.switchesSame &-= earlier.switchesSame
    result.switchesMoved &-= earlier.switchesMoved
    result.switchesFast &-= earlier.switchesFast
    result.switchesSlow &-= earlier.switchesSlow
    result.tasksCreated &-= earlier.tasksCreated
    result.tasksEnded &-= earlier.tasksEnded
    result.iterationTasksCreated &-= earlier.iterationTasksCreated
    result.iterationTasksEnded &-= earlier.iterationTasksEnded
    if let now = cancels, let then = earlier.cancels { result.cancels = now &- then }
    result.eventsLost &-= earlier.eventsLost
    return result
  }

  /// The sum of the counts of two windows.
  package func adding(_ other: ProbeCounts) -> ProbeCounts {
    var sum = self
    sum.actors = Self.named(actors + other.actors)
    sum.switchesSame &+= other.switchesSame
    sum.switchesMoved &+= other.switchesMoved
    sum.switchesFast &+= other.switchesFast
    sum.switchesSlow &+= other.switchesSlow
    sum.tasksCreated &+= other.tasksCreated
    sum.tasksEnded &+= other.tasksEnded
    sum.iterationTasksCreated &+= other.iterationTasksCreated
    sum.iterationTasksEnded &+= other.iterationTasksEnded
    sum.tasksAliveMax = max(tasksAliveMax, other.tasksAliveMax)
    if let mine = cancels, let others = other.cancels { sum.cancels = mine &+ others }
    sum.eventsLost &+= other.eventsLost
    return sum
  }

  /// Adds up rows of one qualified name and gives every row the name it is presented by.
  static func named(_ rows: [ActorCounts]) -> [ActorCounts] {
    var merged: [String: ActorCounts] = [:]
    for row in rows {
      guard var known = merged[row.qualifiedName] else {
        merged[row.qualifiedName] = row
        continue
      }
      known.hops += row.hops
      known.fast += row.fast
      known.slow += row.slow
      merged[row.qualifiedName] = known
    }
    let shared = Dictionary(grouping: merged.values, by: \.name).filter { $0.value.count > 1 }
    return merged.values.map { row in
      var row = row
      if shared[row.name] != nil { row.name = row.qualifiedName }
      return row
    }.sorted { $0.qualifiedName < $1.qualifiedName }
  }
}
