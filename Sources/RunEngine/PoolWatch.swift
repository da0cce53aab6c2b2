internal import Foundation
internal import Glibc
internal import RuntimeProbe
internal import Synchronization
internal import WorkloadInterface

/// A task that shows by its beat that the pool has a free thread, and a plain thread that listens for it.
///
/// The pool is exhausted when the beat stays away for a second while the process uses no processor and threads
/// of the pool are blocked in jobs. On a machine that is merely loaded the process would wait for a core, and its
/// threads would not be blocked.
final class PoolWatch: Sendable {
  /// What was seen at the worst moment.
  struct Exhaustion: Sendable, Hashable {
    var silence: Int64
    var blockedThreads: Int
    var cpuPercent: Int64
    var count: Int
  }

  private let lastBeat = Atomic<Int64>(0)
  private let isOver = Atomic<Bool>(false)
  private let worst = Mutex<Exhaustion?>(nil)

  static let silence: Int64 = 1_000_000_000
  private static let beatInterval: Int64 = 50_000_000
  /// Of one core, over the silence.
  private static let idleShare = 0.05

  /// The exhaustion seen so far.
  var exhaustion: Exhaustion? { worst.withLock { $0 } }

  func start() {
    lastBeat.store(Probe.rawMonotonic(), ordering: .relaxed)
    Task.detached { [self] in
      while !isOver.load(ordering: .relaxed) {
        lastBeat.store(Probe.rawMonotonic(), ordering: .relaxed)
        try? await Task.sleep(for: .nanoseconds(Self.beatInterval))
      }
    }
    Thread.detachNewThread { [self] in listen() }
  }

  func stop() { isOver.store(true, ordering: .relaxed) }

  private func listen() {
    var beat = lastBeat.load(ordering: .relaxed)
    var cpuAtBeat = Self.cpu()
    var isCounted = false
    while !isOver.load(ordering: .relaxed) {
      Thread.sleep(forTimeInterval: 0.1)
      let newest = lastBeat.load(ordering: .relaxed)
      if newest != beat {
        beat = newest
        cpuAtBeat = Self.cpu()
        isCounted = false
        continue
      }
      let silence = Probe.rawMonotonic() - beat
      let used = Self.cpu() - cpuAtBeat
      guard silence >= Self.silence, Double(used) <= Double(silence) * Self.idleShare else { continue }
      let threads = Probe.threadsInJobs()
      guard !threads.isEmpty, threads.allSatisfy(\.isBlocked) else { continue }
      note(silence: silence, blocked: threads.count, used: used, isNew: !isCounted)
      isCounted = true
    }
  }

  private func note(silence: Int64, blocked: Int, used: Int64, isNew: Bool) {
    worst.withLock { worst in
      let count = (worst?.count ?? 0) + (isNew ? 1 : 0)
      if let known = worst, known.silence >= silence {
        worst?.count = count
      } else {
        worst = Exhaustion(
          silence: silence, blockedThreads: blocked, cpuPercent: used * 100 / silence, count: count)
      }
    }
  }

  private static func cpu() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

extension PoolWatch.Exhaustion {
  /// The finding.
  var finding: ReportedFinding {
    ReportedFinding(
      "pool-exhausted", count: count,
      evidence: [
        "silent-ns": silence, "blocked-threads": Int64(blockedThreads), "cpu-percent": cpuPercent,
      ])
  }
}
