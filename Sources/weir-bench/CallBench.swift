import RuntimeProbe

/// An uncontended awaited actor call with the probe off, counting and classifying, interleaved.
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
        Probe.stop()
      }
    }
    for name in ["off", "counting", "classifying"] {
      Bench.report("actor call, probe \(name)", unit: "ns", samples[name] ?? [])
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
