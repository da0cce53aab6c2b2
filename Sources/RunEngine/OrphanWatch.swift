internal import RuntimeProbe

/// Tells tasks that outlive their iteration from tasks that only take a moment to end, as a value.
///
/// A task is looked at more than once: alive after its iteration ended it is a suspect, and an orphan when it
/// is still alive a grace time later. A suspect that ends in time has settled. A task is charged to the
/// iteration that made it, and counted once.
struct OrphanWatch: Sendable {
  /// An orphan: where it was made and which iteration made it.
  struct Orphan: Sendable {
    var task: LiveTask
    var iteration: Int
  }

  /// How long a task may outlive its iteration, in ns.
  let grace: Int64
  private var endTimes: [UInt64: Int64] = [:]
  private var suspects: Set<UInt64> = []
  private var known: Set<UInt64> = []
  private(set) var orphans: [Orphan] = []
  private(set) var settled: Int64 = 0

  init(grace: Int64) { self.grace = grace }

  /// Ended iterations that are still remembered: those since the last look, and those with live tasks.
  var iterationsRemembered: Int { endTimes.count }

  /// The tag of an iteration in the probe's ledger; 0 means none there.
  static func tag(of iteration: Int) -> UInt64 { UInt64(iteration) + 1 }

  /// An iteration ended.
  mutating func iterationEnded(_ iteration: Int, at now: Int64) { endTimes[Self.tag(of: iteration)] = now }

  /// Looks at the live tasks of the ledger.
  mutating func look(at live: [LiveTask], now: Int64) {
    var alive: Set<UInt64> = []
    var seen: Set<UInt64> = []
    for task in live where task.state != .endedButRetained {
      seen.insert(task.iteration)
      guard let end = endTimes[task.iteration] else { continue }
      alive.insert(task.id)
      if known.contains(task.id) { continue }
      if now - end >= grace {
        suspects.remove(task.id)
        known.insert(task.id)
        orphans.append(Orphan(task: task, iteration: Int(task.iteration) - 1))
      } else {
        suspects.insert(task.id)
      }
    }
    settled += Int64(suspects.subtracting(alive).count)
    suspects.formIntersection(alive)
    known.formIntersection(alive)
    endTimes = endTimes.filter { seen.contains($0.key) }
  }
}
