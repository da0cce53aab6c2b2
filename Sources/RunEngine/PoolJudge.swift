internal import WorkloadInterface

/// Tells a pool that has no free thread because all of them are blocked from one that is only busy, as a value: looks
/// in, what was seen out.
///
/// Exhausted is a pool whose beat has been away for `silence`, while for just as long every look found threads in jobs
/// and all of them blocked, and the process used next to no processor. Threads that compute, or that wait for a core
/// of a loaded machine, are not blocked.
struct PoolJudge: Sendable {
  /// What one look saw.
  struct Look: Sendable {
    /// When, in ns.
    var time: Int64
    /// When the newest beat came, in ns.
    var beat: Int64
    /// Processor time of the process so far, in ns.
    var cpu: Int64
    /// Threads of the pool that are in a job, and of these the blocked ones.
    var threads: Int
    var blocked: Int
  }

  /// What was seen at the worst moment.
  struct Exhaustion: Sendable, Hashable {
    /// How long the beat was away, in ns.
    var silence: Int64
    var blockedThreads: Int
    /// Of one core, while all were blocked.
    var cpuPercent: Int64
    /// How often the pool came to that.
    var count: Int
  }

  static let silence: Int64 = 1_000_000_000
  /// Of one core, while all were blocked.
  private static let idleShare = 0.05

  private(set) var worst: Exhaustion?
  private var beat: Int64?
  /// The first of the looks, without another between, that found all threads blocked.
  private var blockedSince: Look?
  private var isCounted = false

  /// Takes a look.
  mutating func saw(_ look: Look) {
    if look.beat != beat {
      beat = look.beat
      blockedSince = nil
      isCounted = false
    }
    guard look.threads > 0, look.blocked == look.threads else {
      blockedSince = nil
      return
    }
    guard let first = blockedSince else {
      blockedSince = look
      return
    }
    let length = look.time - first.time
    let used = look.cpu - first.cpu
    guard length >= Self.silence, Double(used) <= Double(length) * Self.idleShare else { return }
    let silence = look.time - look.beat
    let count = (worst?.count ?? 0) + (isCounted ? 0 : 1)
    isCounted = true
    if let known = worst, known.silence >= silence {
      worst?.count = count
    } else {
      worst = Exhaustion(
        silence: silence, blockedThreads: look.blocked, cpuPercent: used * 100 / length, count: count)
    }
  }
}

extension PoolJudge.Exhaustion {
  /// The finding.
  var finding: ReportedFinding {
    ReportedFinding(
      "pool-exhausted", count: count,
      evidence: [
        "silent-ns": silence, "blocked-threads": Int64(blockedThreads), "cpu-percent": cpuPercent,
      ])
  }
}
