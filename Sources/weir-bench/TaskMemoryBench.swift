import Glibc
import HeapProbe

/// What so many sleeping tasks take without Weir: what `scripts/bench` subtracts from a run of as many.
enum TaskMemoryBench {
  static func run(count: Int) async {
    guard let before = HeapCounters.snapshot() else {
      return print("{\"name\": \"sleeping task\", \"samples\": []}")
    }
    let wake = ContinuousClock.now + .seconds(20)
    let tasks = (0..<count).map { _ in
      Task.detached { try? await Task.sleep(until: wake, tolerance: .zero, clock: .continuous) }
    }
    // Until all of them sleep.
    try? await Task.sleep(for: .seconds(2))
    guard let after = HeapCounters.snapshot() else { return }
    Bench.report("sleeping task", unit: "bytes", [Double(after.since(before).live) / Double(count)])
    for task in tasks { task.cancel() }
  }
}
