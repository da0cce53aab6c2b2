import Measurement
import SeededDraws

/// Recording a value into a histogram, alone and shared between threads.
enum HistogramBench {
  private static let values = 1_000_000

  static func run(repeats: Int) {
    let stream = DrawStream(seed: 1, name: "bench")
    let drawn = (0..<4096).map { Int64(bitPattern: stream.bits(iteration: $0) >> 40) }
    var own: [Double] = []
    var shared: [Double] = []
    var histogram = LatencyHistogram()
    let sharedHistogram = SharedHistogram()
    histogram.record(1)
    for _ in 0..<repeats {
      own.append(measure { for index in 0..<values { histogram.record(drawn[index & 4095]) } })
      shared.append(measure { for index in 0..<values { sharedHistogram.record(drawn[index & 4095]) } })
    }
    Bench.report("histogram record", unit: "ns", own)
    Bench.report("shared histogram record", unit: "ns", shared)
  }

  private static func measure(_ body: () -> Void) -> Double {
    let start = ContinuousClock.now
    body()
    return (ContinuousClock.now - start) / .nanoseconds(1) / Double(values)
  }
}
