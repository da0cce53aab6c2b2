internal import HeapProbe
internal import Measurement
internal import RunRecords
internal import WorkloadInterface

extension CellFigures {
  /// Allocations of the window, and on the real clock what stays in use.
  mutating func setHeap(_ ending: CellEnding, clock: ClockKind) {
    guard let before = ending.windowStart.heap, let after = ending.windowEnd.heap else {
      var reason = "jemalloc is not serving this program"
      if case .failure(let absence) = HeapCounters.shared { reason = "\(absence)" }
      for name in Self.heapNames { absent[name] = reason }
      return
    }
    let change = after.since(before)
    set("heap.mallocs", cell: Int64(change.mallocs), window: Int64(change.mallocs))
    set("heap.bytes", cell: Int64(change.bytes), window: Int64(change.bytes))
    setPerElement(change)
    guard clock == .real, let memory = ending.memory else {
      for name in Self.levelNames {
        absent[name] = "what a process keeps differs between equal runs: real clock only"
      }
      return
    }
    set("heap.live", Int64(after.live))
    set("heap.peak", Int64(max(memory.peak.bytes, after.live)))
    if let settled = ending.settled.heap { set("heap.retained", settled.since(before).live) }
    setGrowth(memory)
  }

  private mutating func setPerElement(_ change: HeapChange) {
    let elements = windowed["elements.made"]?.double ?? 0
    for (name, value) in [
      ("heap.mallocs-per-element", change.mallocs), ("heap.bytes-per-element", change.bytes),
    ] {
      set(name, ratio: Double(value) / elements, otherwise: "no element was made in the measured window")
    }
  }

  private mutating func setGrowth(_ memory: MemoryWatch) {
    guard let growth = memory.growth else {
      for name in ["heap.growth", "heap.growth.error"] {
        absent[name] = "the measured window was too short: fewer than \(MemoryWatch.looksNeeded) looks"
      }
      return
    }
    set("heap.growth", ratio: growth.slope, otherwise: "no slope")
    set("heap.growth.error", ratio: growth.standardError, otherwise: "no slope")
  }

  private static let levelNames = [
    "heap.live", "heap.peak", "heap.retained", "heap.growth", "heap.growth.error",
  ]
  private static let heapNames =
    ["heap.mallocs", "heap.bytes", "heap.mallocs-per-element", "heap.bytes-per-element"] + levelNames
}
