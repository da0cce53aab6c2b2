import Measurement
import RunRecords
import Testing

@testable import Gates

@Suite("Too few samples for a percentile prove no pass, and may prove a failure")
struct PercentileProofTests {
  private static let second: Int64 = 1_000_000_000

  /// A cell with so many samples of 1 s and of 9 s.
  private func cell(fast: Int, slow: Int) -> CellRecord {
    var cell = Fixture.cell()
    var histogram = Fixture.samples(fast, value: Self.second)
    if slow > 0 { histogram.record(9 * Self.second, count: UInt64(slow)) }
    cell.histograms["latency.iteration"] = histogram
    return cell
  }

  @Test(
    "Both sides of the line: the failure is proved where chance would bring so many less than once in a hundred",
    arguments: [
      // P(X ≥ 3) = 1.46 % of 51 samples that lie beyond with 1 %, P(X ≥ 4) = 0.17 %.
      ("p99 < 5s", 48, 3, nil), ("p99 < 5s", 47, 4, 4), ("p99 < 5s", 21, 30, 30), ("p99 < 5s", 51, 0, nil),
      ("p99 <= 5s", 48, 3, nil), ("p99 <= 5s", 47, 4, 4),
      // A sample on the limit is beyond `<` and within `<=`.
      ("p99 < 9s", 0, 51, 51), ("p99 <= 9s", 0, 51, nil),
      // P(X ≥ 3) = 5.30 % of 9 samples with 10 %, P(X ≥ 4) = 0.83 %.
      ("p90 < 5s", 6, 3, nil), ("p90 < 5s", 5, 4, 4),
      // The same of a lower percentile from the other side.
      ("p10 > 5s", 3, 6, nil), ("p10 > 5s", 4, 5, 4), ("p10 >= 5s", 4, 5, 4), ("p10 > 1.1s", 4, 5, 4),
      // Of a bucket that holds the limit nothing is certain.
      ("p10 > 1s", 4, 5, nil), ("p10 >= 1s", 4, 5, nil),
      // Each of 51 lies below the p99 with 99 %: that all do says nothing.
      ("p99 > 5s", 51, 0, nil),
      // Of three with 10 % and of one with a half.
      ("p90 < 5s", 0, 1, nil), ("p90 < 5s", 0, 3, 3), ("p50 < 5s", 0, 1, nil),
      ("p99 == 5s", 21, 30, nil), ("p99 != 9s", 0, 51, nil),
    ] as [(String, Int, Int, Int?)])
  func line(gate: String, fast: Int, slow: Int, beyond: Int?) throws {
    let record = GateJudge.judge(
      try Fixture.gate("latency.iteration.\(gate)"), in: cell(fast: fast, slow: slow))
    #expect(record.actual != nil)
    if let beyond {
      #expect(record.verdict == .failed)
      #expect(record.reason == "\(beyond) of \(fast + slow) samples are beyond the limit")
    } else {
      #expect(record.verdict == .inconclusive)
      #expect(record.reason?.hasPrefix("needs at least ") == true)
    }
  }

  @Test(
    "Without the distribution the statistics prove what they can: a p50 beyond the limit is half of the samples"
  )
  func statistics() throws {
    let gate = try Fixture.gate("latency.iteration.p99 < 5s")
    var cell = Fixture.cell(metrics: [
      "latency.iteration.count": .integer(51), "latency.iteration.min": .integer(Self.second),
      "latency.iteration.p50": .integer(24 * Self.second),
      "latency.iteration.p99": .integer(46 * Self.second),
      "latency.iteration.max": .integer(46 * Self.second),
    ])
    let record = GateJudge.judge(gate, in: cell)
    #expect(record.verdict == .failed)
    #expect(record.reason == "26 of 51 samples are beyond the limit")
    cell.metrics["latency.iteration.p50"] = .integer(2 * Self.second)
    #expect(GateJudge.judge(gate, in: cell).verdict == .inconclusive)
  }

  @Test("Samples in the limit's own bucket do not count as beyond it")
  func bucket() throws {
    var cell = Fixture.cell()
    var histogram = Fixture.samples(1, value: Self.second)
    // Buckets here are 4,194,304 ns wide: 5 s lies within the one of these.
    histogram.record(5 * Self.second + 1, count: 20)
    histogram.record(6 * Self.second)
    cell.histograms["latency.iteration"] = histogram
    let record = GateJudge.judge(try Fixture.gate("latency.iteration.p99 <= 5s"), in: cell)
    #expect(record.verdict == .inconclusive)
  }

  @Test("Chances are those of the binomial distribution")
  func chances() {
    for (hits, chance) in [(1, 0.4010439935), (2, 0.0924908993), (3, 0.0145734513), (4, 0.0017183841)] {
      #expect(abs(PercentileProof.chance(of: UInt64(hits), of: 51, parts: 1_000) - chance) < 1e-9)
    }
    #expect(PercentileProof.chance(of: 0, of: 51, parts: 1_000) == 1)
    #expect(abs(PercentileProof.chance(of: 9, of: 9, parts: 90_000) - 0.387420489) < 1e-9)
    #expect(abs(PercentileProof.chance(of: 5, of: 9, parts: 50_000) - 0.5) < 1e-9)
  }
}
