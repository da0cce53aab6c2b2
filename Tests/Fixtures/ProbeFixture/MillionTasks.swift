import Glibc
import RuntimeProbe
import Synchronization

/// A million tasks alive at once and ten million in all: the ledger must be exact, and as large as the million needs.
struct MillionTasks: Sendable {
  private static let alive = 1_000_000
  private static let inAll = 10_000_000

  func run() async -> Int32 {
    Probe.setIteration(1)
    Probe.watchIteration(1)
    let gate = Gate()
    let start = Probe.rawMonotonic()
    let empty = Probe.ledgerMemory
    var waiting: [Task<Void, Never>] = []
    waiting.reserveCapacity(Self.alive)
    for _ in 0..<Self.alive { waiting.append(Task { await gate.wait(heedsCancel: false) }) }
    let full = Probe.ledgerMemory
    report("alive at once", since: start, full)
    var first: UInt64 = 0
    for batch in 0..<(Self.inAll - Self.alive) / 10_000 {
      await withDiscardingTaskGroup { group in
        for _ in 0..<10_000 { group.addTask {} }
      }
      // Each batch needs room beside the million, more or less as its tasks overlap; three million settle that.
      if batch == 299 { first = Probe.ledgerMemory.bytes }
      if batch % 300 == 299 {
        report("after \((batch + 1) * 10_000 + Self.alive)", since: start, Probe.ledgerMemory)
      }
    }
    let after = Probe.ledgerMemory
    gate.open()
    for task in waiting { await task.value }
    waiting = []
    for _ in 0..<10_000 where Probe.watchedTasks.ended < Self.inAll {
      try? await Task.sleep(for: .milliseconds(1))
    }
    let watched = Probe.watchedTasks
    let each = Double(full.bytes) / Double(Self.alive)
    print("created \(watched.created) ended \(watched.ended) in ledger \(Probe.ledgerMemory.tasks)")
    print(
      "bytes for each task \(each) growth by ended tasks \(after.bytes - first) at start \(empty.bytes)")
    let isExact =
      watched.created == Self.inAll && watched.ended == Self.inAll && full.tasks - empty.tasks == Self.alive
    // The number alive at once differs a little from batch to batch; what ended tasks would take is a hundred times as much.
    let isFlat = after.bytes - first <= full.bytes / 100
    return isExact && isFlat && each <= 160 ? 0 : 1
  }

  private func report(_ what: String, since start: Int64, _ ledger: (bytes: UInt64, tasks: UInt64)) {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    let milliseconds = (Probe.rawMonotonic() - start) / 1_000_000
    print(
      "\(what): ledger \(ledger.tasks) tasks \(ledger.bytes) bytes, rss \(usage.ru_maxrss / 1024) MiB, \(milliseconds) ms"
    )
  }
}
