import Foundation
import RuntimeProbe

/// An uncontended awaited actor call with the probe off, counting and classifying, interleaved: by one caller, and
/// by as many as there are cores, each with an actor of its own.
enum CallBench {
  private actor Counter {
    private var value = 0
    func increment() { value += 1 }
  }

  private static let calls = 200_000

  static func run(repeats: Int) async {
    var samples: [String: [Double]] = [:]
    for _ in 0..<repeats {
      for (name, mode) in [("off", nil), ("counting", ProbeMode.counting), ("classifying", .classifying)] {
        if let mode { try? Probe.start(mode: mode) }
        samples[name, default: []].append(await measure())
        samples[name + manyCallers, default: []].append(await measureMany())
        Probe.stop()
      }
    }
    for name in ["off", "counting", "classifying"].flatMap({ [$0, $0 + manyCallers] }) {
      Bench.report("actor call, probe \(name)", unit: "ns", samples[name] ?? [])
    }
  }

  private static let manyCallers = ", a caller for each core"

  /// Time for each call of one caller, in ns, while the others call too.
  private static func measureMany() async -> Double {
    let cores = ProcessInfo.processInfo.activeProcessorCount
    return await withTaskGroup(of: Double.self) { group in
      for _ in 0..<cores { group.addTask { await measure() } }
      return await group.reduce(0, +) / Double(cores)
    }
  }

  private static func measure() async -> Double {
    await Task.detached {
      let counter = Counter()
      let start = ContinuousClock.now
      for _ in 0..<calls { await counter.increment() }
      return (ContinuousClock.now - start) / .nanoseconds(1) / Double(calls)
    }.value
  }
}
