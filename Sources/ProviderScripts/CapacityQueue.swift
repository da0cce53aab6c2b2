/// Who is served and who waits at a provider of limited capacity: first come, first served.
///
/// A value whose methods are events. `Waiter` is what is resumed when its turn comes; effects are left to
/// the caller. All times are in ns from the start of the cell.
///
/// A call that waited starts exactly when the call before it ended, whatever time it is when that is
/// noticed, so a queue of one server follows Lindley's recursion to the nanosecond.
struct CapacityQueue<Waiter> {
  /// A place in the queue.
  typealias Ticket = Int

  /// What becomes of a call that arrives.
  enum Arrival: Equatable {
    /// It is served from now on.
    case start
    /// It waits; `attach` comes next.
    case wait(Ticket)
    /// The queue is full.
    case refuse
  }

  /// What becomes of a waiter that is attached.
  enum Attachment: Equatable {
    /// Its turn has come already, as of this time.
    case start(Int64)
    /// It was taken out of the queue.
    case left
    /// It waits.
    case waits
  }

  private struct Entry {
    let ticket: Ticket
    let arrived: Int64
    var waiter: Waiter?
    var isGone = false
  }

  let capacity: Int
  let limit: Int?
  /// Calls in service.
  private(set) var busy = 0
  /// Calls that wait.
  private(set) var waiting = 0
  private var nextTicket = 0
  private var entries: [Entry] = []
  private var head = 0
  /// Turns that came between `arrive` and `attach`.
  private var granted: [Ticket: Int64] = [:]

  init(capacity: Int, limit: Int?) {
    self.capacity = max(1, capacity)
    self.limit = limit
  }

  /// A call arrives.
  mutating func arrive(at now: Int64) -> Arrival {
    if busy < capacity {
      busy += 1
      return .start
    }
    if let limit, waiting >= limit { return .refuse }
    let ticket = nextTicket
    nextTicket += 1
    waiting += 1
    entries.append(Entry(ticket: ticket, arrived: now))
    return .wait(ticket)
  }

  /// Gives a waiting call what to resume.
  mutating func attach(_ waiter: Waiter, to ticket: Ticket) -> Attachment {
    if let start = granted.removeValue(forKey: ticket) { return .start(start) }
    guard let place = place(of: ticket), !entries[place].isGone else { return .left }
    entries[place].waiter = waiter
    return .waits
  }

  /// A served call ended: the next one starts as of then. Returns whom to resume, and when it starts.
  mutating func finish(at end: Int64) -> (waiter: Waiter, start: Int64)? {
    while head < entries.count {
      let entry = entries[head]
      entries[head].waiter = nil
      head += 1
      compact()
      guard !entry.isGone else { continue }
      waiting -= 1
      let start = max(entry.arrived, end)
      guard let waiter = entry.waiter else {
        granted[entry.ticket] = start
        return nil
      }
      return (waiter, start)
    }
    busy -= 1
    return nil
  }

  /// A caller leaves. Returns its waiter where it was attached; does nothing once its turn has come.
  mutating func leave(_ ticket: Ticket) -> Waiter? {
    guard let place = place(of: ticket), !entries[place].isGone else { return nil }
    entries[place].isGone = true
    waiting -= 1
    let waiter = entries[place].waiter
    entries[place].waiter = nil
    return waiter
  }

  /// Tickets ascend, so the place is found by halving.
  private func place(of ticket: Ticket) -> Int? {
    var low = head
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].ticket < ticket { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low].ticket == ticket ? low : nil
  }

  private mutating func compact() {
    guard head >= 64, head * 2 >= entries.count else { return }
    entries.removeFirst(head)
    head = 0
  }
}
