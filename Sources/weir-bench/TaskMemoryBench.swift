import Foundation

/// What so many sleeping tasks take without Weir: what `scripts/bench` subtracts from a run of as many.
enum TaskMemoryBench {
  static func run(count: Int) async {
    let before = residentBytes()
    let wake = ContinuousClock.now + .seconds(60)
    let tasks = (0..<count).map { _ in
      Task.detached { try? await Task.sleep(until: wake, tolerance: .zero, clock: .continuous) }
    }
    // Until all of them sleep.
    try? await Task.sleep(for: .seconds(2))
    let after = residentBytes()
    Bench.report("sleeping task", unit: "bytes", [Double(after - before) / Double(count)])
    withExtendedLifetime(tasks) {}
  }

  /// Memory resident now, as the kernel counts it.
  private static func residentBytes() -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * 4096
  }
}
