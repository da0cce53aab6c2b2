internal import Foundation
internal import Glibc
internal import RuntimeProbe
internal import Synchronization

/// A task that shows by its beat that the pool has a free thread, and a plain thread that listens for it; see
/// `PoolJudge`.
final class PoolWatch: Sendable {
  private let lastBeat = Atomic<Int64>(0)
  private let isOver = Atomic<Bool>(false)
  private let judge = Mutex(PoolJudge())

  private static let beatInterval: Int64 = 50_000_000
  private static let lookInterval = 0.1

  /// The exhaustion seen so far.
  var exhaustion: PoolJudge.Exhaustion? { judge.withLock { $0.worst } }

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
    while !isOver.load(ordering: .relaxed) {
      Thread.sleep(forTimeInterval: Self.lookInterval)
      let beat = lastBeat.load(ordering: .relaxed)
      let now = Probe.rawMonotonic()
      // A beat that was there just now: nothing to look for.
      let threads = now - beat < 2 * Self.beatInterval ? [] : Probe.threadsInJobs()
      let look = PoolJudge.Look(
        time: now, beat: beat, cpu: CellCosts.cpu(), threads: threads.count,
        blocked: threads.count(where: \.isBlocked))
      judge.withLock { $0.saw(look) }
    }
  }
}
