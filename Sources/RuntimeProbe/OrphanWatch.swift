package import Measurement

/// Tells tasks that outlive their iteration from tasks that only take a moment to end, as a value.
///
/// A task is looked at more than once: alive after its iteration ended it is a suspect, and an orphan when it
/// is still alive a grace time later. A suspect that ends in time has settled. A task is charged to the
/// iteration that made it, and counted once; that it ends later, or that the work is tried again, takes nothing
/// back.
package struct OrphanWatch: Sendable {
  /// An orphan, as it was when it was last seen, and which iteration made it.
  package struct Orphan: Sendable, Codable {
    package var task: LiveTask
    package var iteration: Int
    /// Whether it was still alive at the last look.
    package var isAlive = true
  }

  /// A task that is over and still referred to, a grace time after its iteration ended.
  package struct Retained: Sendable, Codable {
    package var task: LiveTask
    package var iteration: Int
  }

  /// A task that outlived its iteration and ended within the grace time.
  package struct Settled: Sendable {
    package var iteration: Int
    /// Ns from the iteration's end to its own.
    package var after: Int64
  }

  /// What a look has brought.
  package struct Look: Sendable {
    /// Suspects that are new: their ends are of interest.
    package var suspects: [LiveTask] = []
    /// Suspects that have ended since the last look.
    package var settled: [Settled] = []
  }

  /// A suspect: its iteration, and when that ended.
  private struct Suspect {
    var iteration: Int
    var end: Int64
  }

  /// How long a task may outlive its iteration, in ns.
  package let grace: Int64
  private var endTimes: [UInt64: Int64] = [:]
  private var suspects: [UInt64: Suspect] = [:]
  private var known: [UInt64: Int] = [:]
  /// How many of the orphans have been described.
  private var described = 0
  package private(set) var orphans: [Orphan] = []
  /// As of the last look.
  package private(set) var retained: [Retained] = []
  /// Tasks of iterations that were alive at the last look.
  package private(set) var alive: Int64 = 0
  package private(set) var iterationsEnded: Int64 = 0
  package private(set) var settled: Int64 = 0
  /// How long settled tasks outlived their iterations, in ns.
  package private(set) var settleTimes = LatencyHistogram()

  package init(grace: Int64) { self.grace = grace }

  /// Ended iterations that are still remembered: those since the last look, and those with tasks in the ledger.
  package var iterationsRemembered: Int { endTimes.count }

  /// The tag of an iteration in the probe's ledger; 0 means none there.
  package static func tag(of iteration: Int) -> UInt64 { UInt64(iteration) + 1 }

  /// An iteration ended.
  package mutating func iterationEnded(_ iteration: Int, at now: Int64) {
    endTimes[Self.tag(of: iteration)] = now
    iterationsEnded += 1
  }

  /// Looks at the tasks in the ledger. `ends` says when tasks ended that earlier looks asked to follow, where
  /// that is known; else the time of the look that misses them stands for it.
  @discardableResult
  package mutating func look(at live: [LiveTask], now: Int64, ends: [UInt64: Int64] = [:]) -> Look {
    var found = Set<UInt64>()
    var seen = Set<UInt64>()
    var look = Look()
    retained = []
    alive = 0
    for task in live {
      if task.iteration != 0 { seen.insert(task.iteration) }
      let end = endTimes[task.iteration]
      if task.state == .endedButRetained {
        if let end, now - end >= grace {
          retained.append(Retained(task: task, iteration: Int(task.iteration) - 1))
        }
        continue
      }
      if task.iteration != 0 { alive += 1 }
      guard let end else { continue }
      found.insert(task.id)
      if let index = known[task.id] {
        let chain = orphans[index].task.chainAddresses
        orphans[index].task = task
        // As it was read last; the last look reads it again.
        if task.state != .running { orphans[index].task.chainAddresses = chain }
      } else if now - end >= grace {
        suspects[task.id] = nil
        known[task.id] = orphans.count
        orphans.append(Orphan(task: task, iteration: Int(task.iteration) - 1))
      } else if suspects.updateValue(
        Suspect(iteration: Int(task.iteration) - 1, end: end), forKey: task.id) == nil
      {
        look.suspects.append(task)
      }
    }
    look.settled = settle(found, ends: ends, now: now)
    for (id, index) in known where !found.contains(id) {
      orphans[index].isAlive = false
      known[id] = nil
    }
    endTimes = endTimes.filter { seen.contains($0.key) }
    return look
  }

  private mutating func settle(_ found: Set<UInt64>, ends: [UInt64: Int64], now: Int64) -> [Settled] {
    var ended: [Settled] = []
    for (id, suspect) in suspects where !found.contains(id) {
      let after = max(0, (ends[id] ?? now) - suspect.end)
      ended.append(Settled(iteration: suspect.iteration, after: after))
      settleTimes.record(after)
      suspects[id] = nil
    }
    settled += Int64(ended.count)
    return ended
  }

  /// Fills in what costs too much at every look, the chains of functions that orphans wait in: for those found since
  /// the last call, at most `limit` of them.
  package mutating func describeNewOrphans(limit: Int, _ describe: (inout LiveTask) -> Void) {
    for index in orphans.indices.suffix(orphans.count - described).prefix(limit) {
      describe(&orphans[index].task)
    }
    described = orphans.count
  }

  /// The same for all that are alive, at most the last `limit`: what they do at the end.
  package mutating func describeOrphans(limit: Int, _ describe: (inout LiveTask) -> Void) {
    for index in orphans.indices.suffix(limit) where orphans[index].isAlive {
      describe(&orphans[index].task)
    }
  }
}
