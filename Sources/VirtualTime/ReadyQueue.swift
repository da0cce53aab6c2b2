// What may run now.

/// Work that may run now, in a ring buffer: first in, first out, or drawn by index. Grows by doubling and
/// never shrinks, so a steady load allocates nothing.
struct ReadyQueue {
  private var buffer: UnsafeMutablePointer<QueuedWork>
  private var mask: Int
  private var head = 0
  private(set) var count = 0

  /// `capacity` is a power of two.
  init(capacity: Int = 4096) {
    precondition(capacity > 0 && capacity & (capacity - 1) == 0)
    buffer = .allocate(capacity: capacity)
    mask = capacity - 1
  }

  @inline(__always)
  mutating func append(_ work: QueuedWork) {
    if count > mask { grow() }
    (buffer + ((head &+ count) & mask)).initialize(to: work)
    count &+= 1
  }

  /// The oldest. The queue must not be empty.
  @inline(__always)
  mutating func removeFirst() -> QueuedWork {
    let work = buffer[head]
    head = (head &+ 1) & mask
    count &-= 1
    return work
  }

  /// The one at `index`; the oldest takes its place. The index must be below `count`.
  mutating func remove(at index: Int) -> QueuedWork {
    let place = (head &+ index) & mask
    let work = buffer[place]
    buffer[place] = buffer[head]
    head = (head &+ 1) & mask
    count &-= 1
    return work
  }

  @inline(never)
  private mutating func grow() {
    let capacity = mask + 1
    let larger = UnsafeMutablePointer<QueuedWork>.allocate(capacity: capacity * 2)
    for index in 0..<count {
      (larger + index).initialize(to: buffer[(head + index) & mask])
    }
    buffer.deallocate()
    buffer = larger
    mask = capacity * 2 - 1
    head = 0
  }
}
