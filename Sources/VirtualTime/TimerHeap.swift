// What runs later.

/// Work that waits for its time: a binary heap in preallocated storage, ordered by deadline and, where those
/// are equal, by the order of insertion. Insertion and removal are O(log n) and allocate only to double.
struct TimerHeap {
  struct Entry {
    let deadline: UInt64
    let sequence: UInt64
    let work: QueuedWork

    @inline(__always)
    func precedes(_ other: Entry) -> Bool {
      deadline != other.deadline ? deadline < other.deadline : sequence < other.sequence
    }
  }

  private var entries: UnsafeMutablePointer<Entry>
  private var capacity: Int
  private var inserted: UInt64 = 0
  private(set) var count = 0

  init(capacity: Int = 4096) {
    self.capacity = capacity
    entries = .allocate(capacity: capacity)
  }

  /// The earliest deadline in nanoseconds of virtual time. The heap must not be empty.
  var earliestDeadline: UInt64 { entries[0].deadline }

  mutating func insert(_ work: QueuedWork, at deadline: UInt64) {
    if count == capacity { grow() }
    let entry = Entry(deadline: deadline, sequence: inserted, work: work)
    inserted &+= 1
    var hole = count
    count &+= 1
    while hole > 0 {
      let parent = (hole &- 1) >> 1
      guard entry.precedes(entries[parent]) else { break }
      (entries + hole).initialize(to: entries[parent])
      hole = parent
    }
    (entries + hole).initialize(to: entry)
  }

  /// The earliest. The heap must not be empty.
  mutating func removeEarliest() -> QueuedWork {
    let earliest = entries[0].work
    count &-= 1
    let last = entries[count]
    var hole = 0
    while true {
      var child = hole &* 2 &+ 1
      guard child < count else { break }
      if child &+ 1 < count && entries[child &+ 1].precedes(entries[child]) { child &+= 1 }
      guard entries[child].precedes(last) else { break }
      entries[hole] = entries[child]
      hole = child
    }
    if count > 0 { entries[hole] = last }
    return earliest
  }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<Entry>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: entries, count: count)
    entries.deallocate()
    entries = larger
    capacity *= 2
  }
}
