/// What became of each element of one iteration, as a value: events in, what to count out.
///
/// An event is counted once for each element it happens to; an element that is delivered twice, or dropped
/// after it was delivered, is counted twice, so that the books of the cell do not balance and say so.
struct ElementLedger {
  /// One element.
  struct Entry {
    /// When it was made, in ns of the cell.
    let madeAt: Int64
    /// Whether the registry has it.
    var isStored = false
    /// Whether its consumer has it.
    var isDelivered = false
    /// Whether it was withdrawn by a cancel.
    var isDropped = false
  }

  private var entries: [UInt64: Entry] = [:]
  private var isClosed = false
  /// Elements that were neither delivered nor dropped yet.
  private(set) var undetermined = 0
  /// Elements made so far.
  private(set) var made = 0
  /// Elements in the registry so far.
  private(set) var stored = 0

  /// An element exists. False if the books are closed or it existed before.
  mutating func make(_ id: UInt64, at time: Int64) -> Bool {
    guard !isClosed, entries[id] == nil else { return false }
    entries[id] = Entry(madeAt: time)
    made += 1
    undetermined += 1
    return true
  }

  /// It is in the registry; its age in ns, nil for an element never made or stored before.
  mutating func store(_ id: UInt64, at time: Int64) -> Int64? {
    guard !isClosed, var entry = entries[id], !entry.isStored else { return nil }
    entry.isStored = true
    entries[id] = entry
    stored += 1
    return time - entry.madeAt
  }

  /// Its consumer has it; its age in ns, nil for an element never made.
  mutating func deliver(_ id: UInt64, at time: Int64) -> Int64? {
    guard !isClosed, var entry = entries[id] else { return nil }
    settle(entry)
    entry.isDelivered = true
    entries[id] = entry
    return time - entry.madeAt
  }

  /// It will not be delivered, because a cancel withdrew it. False for an element never made.
  mutating func drop(_ id: UInt64) -> Bool {
    guard !isClosed, var entry = entries[id] else { return false }
    settle(entry)
    entry.isDropped = true
    entries[id] = entry
    return true
  }

  /// The cell is over: nothing is counted any more. Returns the elements without a fate.
  mutating func close() -> Int {
    isClosed = true
    return undetermined
  }

  private mutating func settle(_ entry: Entry) {
    if !entry.isDelivered && !entry.isDropped { undetermined -= 1 }
  }
}
