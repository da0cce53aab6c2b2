import Glibc
import Synchronization

/// A histogram that any thread may record into, without a lock.
///
/// Threads are spread over a few shards of relaxed atomics, each mapped (270 KB in the standard layout, of which pages
/// become resident as their values come) when its first thread records. `record` allocates nothing, not even then:
/// a thread that comes late would else look like a heap that grows.
public final class SharedHistogram: Sendable {
  /// The range and precision.
  public let layout: HistogramLayout
  private static let shardBits: UInt = 2
  // Safe to share: set once, released only by `deinit`; what it points to is atomics.
  private nonisolated(unsafe) let shards: UnsafeMutablePointer<Atomic<UnsafeMutableRawPointer?>>

  /// An empty histogram.
  public init(layout: HistogramLayout = .standard) {
    self.layout = layout
    shards = .allocate(capacity: 1 << Self.shardBits)
    for index in 0..<1 << Self.shardBits { (shards + index).initialize(to: Atomic(nil)) }
  }

  deinit {
    for index in 0..<1 << Self.shardBits {
      if let memory = shards[index].load(ordering: .acquiring) { munmap(memory, mappedSize) }
    }
    shards.deallocate()
  }

  /// Records one value in nanoseconds.
  public func record(_ value: Int64) {
    let shard = shard()
    guard value >= 0 else {
      shard[Slot.refused].wrappingAdd(1, ordering: .relaxed)
      return
    }
    let bits = UInt64(bitPattern: value)
    let sum = shard[Slot.sum].wrappingAdd(bits, ordering: .relaxed)
    if sum.newValue < sum.oldValue { shard[Slot.sumWrapped].store(1, ordering: .relaxed) }
    if bits < shard[Slot.lowest].load(ordering: .relaxed) { shard[Slot.lowest].min(bits, ordering: .relaxed) }
    if bits > shard[Slot.highest].load(ordering: .relaxed) {
      shard[Slot.highest].max(bits, ordering: .relaxed)
    }
    let slot = value <= layout.highest ? Slot.firstBucket + layout.index(of: value) : Slot.over
    shard[slot].wrappingAdd(1, ordering: .relaxed)
  }

  /// What was recorded so far. Values recorded while it is taken are in it or not.
  public func snapshot() -> LatencyHistogram {
    var whole = LatencyHistogram(layout: layout)
    for index in 0..<1 << Self.shardBits {
      guard let memory = shards[index].load(ordering: .acquiring) else { continue }
      add(Self.atomics(memory), to: &whole)
    }
    return whole
  }

  private func add(_ shard: UnsafeMutablePointer<Atomic<UInt64>>, to whole: inout LatencyHistogram) {
    func load(_ slot: Int) -> UInt64 { shard[slot].load(ordering: .relaxed) }
    whole.refusedNegative += load(Slot.refused)
    let over = load(Slot.over)
    var counted: UInt64 = 0
    if whole.buckets.isEmpty { whole.allocate() }
    for index in 0..<layout.length {
      let count = load(Slot.firstBucket + index)
      guard count > 0 else { continue }
      whole.buckets[index] += count
      counted += count
    }
    guard counted + over > 0 else { return }
    whole.inRange += counted
    whole.overRange += over
    whole.addToSum(load(Slot.sumWrapped) == 0 ? load(Slot.sum) : .max)
    whole.lowestSeen = min(whole.lowestSeen, Int64(load(Slot.lowest)))
    whole.highestSeen = max(whole.highestSeen, Int64(load(Slot.highest)))
  }

  /// The words of a shard that come before its buckets.
  private enum Slot {
    static let refused = 0
    static let over = 1
    static let sum = 2
    static let lowest = 3
    static let highest = 4
    /// Not 0 once the sum was too large for its word.
    static let sumWrapped = 5
    static let firstBucket = 8
  }

  @inline(__always)
  private func shard() -> UnsafeMutablePointer<Atomic<UInt64>> {
    // Fibonacci hashing of the thread's address.
    let place = Int((UInt(pthread_self()) &* 0x9e37_79b9_7f4a_7c15) >> (64 - Self.shardBits))
    // Acquiring: the shard's memory was set up by whoever published it.
    if let memory = shards[place].load(ordering: .acquiring) { return Self.atomics(memory) }
    return makeShard(place)
  }

  @inline(never)
  private func makeShard(_ place: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
    let mapped = mmap(nil, mappedSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let mapped, mapped != MAP_FAILED else { fatalError("no memory for a histogram: errno \(errno)") }
    // All words are 0, which is how an atomic 0 is stored. `Atomic<UInt64>.min` compares as signed in Swift 6.3, so
    // the lowest starts at the largest signed number.
    let fresh = Self.atomics(mapped)
    fresh[Slot.lowest].store(UInt64(Int64.max), ordering: .relaxed)
    let (published, present) = shards[place].compareExchange(
      expected: nil, desired: mapped, ordering: .acquiringAndReleasing)
    guard !published, let present else { return fresh }
    munmap(mapped, mappedSize)
    return Self.atomics(present)
  }

  private var mappedSize: Int { (Slot.firstBucket + layout.length) * MemoryLayout<Atomic<UInt64>>.stride }

  private static func atomics(_ memory: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Atomic<UInt64>> {
    memory.assumingMemoryBound(to: Atomic<UInt64>.self)
  }
}
