import Glibc
import HeapProbe
import Testing

private final class Box {
  var value = (0, 0, 0, 0)
}

@Suite("Heap probe", .serialized)
struct HeapProbeTests {
  /// Other tests allocate meanwhile, so counts are lower bounds here; the exact ones are for a process of its own.
  @Test("counts every allocation, and the bytes of its size class")
  func counts() throws {
    guard case .success(let counters) = HeapCounters.shared else { return }
    var boxes: [Box] = []
    boxes.reserveCapacity(9_000)
    let before = counters.snapshot()
    for _ in 0..<9_000 { boxes.append(Box()) }
    let change = counters.snapshot().since(before)
    #expect(change.mallocs >= 9_000)
    // 16 bytes of object header and 32 of value: the size class of 48.
    #expect(change.bytes >= 9_000 * 48)
    #expect(boxes.count == 9_000)
  }

  @Test("sees live bytes come and go, and keeps the peak")
  func live() throws {
    guard case .success(let counters) = HeapCounters.shared else { return }
    var peak = HeapPeak()
    let before = counters.snapshot()
    var block: UnsafeMutableRawPointer?
    try #require(posix_memalign(&block, 64, 200_000_000) == 0)
    peak.sample()
    #expect(counters.snapshot().live > before.live + 150_000_000)
    free(block)
    #expect(peak.bytes > before.live + 150_000_000)
    #expect(counters.snapshot().live < peak.bytes)
  }

  @Test("is there, or says why not")
  func available() {
    switch HeapCounters.shared {
    case .success: #expect(HeapCounters.snapshot() != nil)
    case .failure(let absence):
      #expect(!absence.reason.isEmpty)
      #expect(HeapCounters.snapshot() == nil)
    }
  }
}
