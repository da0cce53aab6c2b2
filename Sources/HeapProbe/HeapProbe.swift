internal import Glibc

/// What the heap looked like at one moment.
package struct HeapSnapshot: Sendable, Hashable {
  /// Allocations since the process started.
  package var mallocs: UInt64
  /// Bytes of these, each rounded up to its size class.
  package var bytes: UInt64
  /// Bytes allocated and not freed.
  package var live: UInt64

  /// What was allocated after `earlier`, and by how much the live bytes have changed.
  package func since(_ earlier: HeapSnapshot) -> HeapChange {
    HeapChange(
      mallocs: mallocs &- earlier.mallocs, bytes: bytes &- earlier.bytes,
      live: Int64(bitPattern: live &- earlier.live))
  }
}

/// The difference of two snapshots.
package struct HeapChange: Sendable, Hashable {
  package var mallocs: UInt64
  package var bytes: UInt64
  package var live: Int64
}

/// jemalloc's counters. Allocations served by another thread's cache are counted when that thread next talks to
/// its arena, so counts are exact where one thread does the work, as in virtual time, and a little behind elsewhere.
package struct HeapCounters: Sendable {
  private let epoch: Mallctl
  private let flush: Mallctl
  private let allocated: Mallctl
  private var classes: [(requests: Mallctl, size: UInt64)] = []

  /// The counters of this process, or why there are none, e.g. under a sanitizer.
  package static let shared: Result<HeapCounters, HeapAbsence> = Result { () throws(HeapAbsence) in
    try HeapCounters()
  }

  /// A snapshot; `nil` if there are no counters. About 30 microseconds; what it allocates it frees.
  package static func snapshot() -> HeapSnapshot? {
    guard case .success(let counters) = shared else { return nil }
    return counters.snapshot()
  }

  private init() throws(HeapAbsence) {
    if let reason = Mallctl.reasonForNone { throw HeapAbsence(reason) }
    guard let epoch = Mallctl("epoch"), let flush = Mallctl("thread.tcache.flush"),
      let allocated = Mallctl("stats.allocated"), let thread = Mallctl("thread.allocated")
    else { throw HeapAbsence("jemalloc answers no statistics in this program") }
    self.epoch = epoch
    self.flush = flush
    self.allocated = allocated
    guard Self.isServing(thread) else {
      throw HeapAbsence("another allocator serves this program, as under a sanitizer")
    }
    try addClasses(count: "arenas.nbins", size: "arenas.bin.0.size", counters: "bins")
    try addClasses(count: "arenas.nlextents", size: "arenas.lextent.0.size", counters: "lextents")
  }

  /// Whether the C library's allocator is jemalloc: its count of this thread's bytes must move. (A plain `malloc`
  /// that is freed at once is removed by the optimiser.)
  private static func isServing(_ thread: Mallctl) -> Bool {
    var block: UnsafeMutableRawPointer?
    let before = thread.read(as: UInt64.self)
    guard posix_memalign(&block, 64, 100_000) == 0 else { return false }
    let after = thread.read(as: UInt64.self)
    free(block)
    guard let before, let after else { return false }
    return after > before
  }

  private mutating func addClasses(count: String, size: String, counters: String) throws(HeapAbsence) {
    let requests = "stats.arenas.\(Mallctl.allArenas).\(counters).0.nrequests"
    guard let number = Mallctl(count)?.read(as: UInt32.self), let size = Mallctl(size),
      let requests = Mallctl(requests)
    else { throw HeapAbsence("this jemalloc keeps no counts by size class") }
    for index in 0..<Int(number) {
      guard let bytes = size.at(2, index).read(as: Int.self) else { continue }
      classes.append((requests.at(4, index), UInt64(bytes)))
    }
  }

  /// Brings this thread's counts and the statistics up to date, and reads them.
  package func snapshot() -> HeapSnapshot {
    flush.call()
    epoch.write(UInt64(1))
    var result = HeapSnapshot(mallocs: 0, bytes: 0, live: UInt64(allocated.read(as: Int.self) ?? 0))
    for (requests, size) in classes {
      let count = requests.read(as: UInt64.self) ?? 0
      result.mallocs &+= count
      result.bytes &+= count &* size
    }
    return result
  }
}

/// Why the heap is not measured.
package struct HeapAbsence: Error, Sendable, Hashable, CustomStringConvertible {
  package var reason: String

  package init(_ reason: String) {
    self.reason = reason
  }

  package var description: String { reason }
}

/// The highest live bytes among the moments at which it was asked to look.
package struct HeapPeak: Sendable {
  package private(set) var bytes: UInt64 = 0

  package init() {}

  /// Looks once; about 30 microseconds. Nothing happens where the heap is not measured.
  package mutating func sample() {
    if let snapshot = HeapCounters.snapshot() { note(snapshot) }
  }

  /// Takes a look that was made already into account.
  package mutating func note(_ snapshot: HeapSnapshot) { bytes = max(bytes, snapshot.live) }
}
