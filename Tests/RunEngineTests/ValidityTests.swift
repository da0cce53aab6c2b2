import Measurement
import RunRecords
import RuntimeProbe
import SeededDraws
import Testing
import WorkloadInterface

@testable import RunEngine

@Suite("Validity of a cell's load")
struct ValidityTests {
  private func ending(
    arrivalsOfPlan: Int64? = nil, standstill: Int64 = 0, lateness: Int64 = 0, end: Int64 = 1_000_000_000
  ) -> CellEnding {
    let snapshot = WindowSnapshot(time: end, counters: [:], probe: Probe.readCounts(), heap: nil)
    var histogram = LatencyHistogram()
    histogram.record(lateness, count: 100)
    var ending = CellEnding(
      windowStart: snapshot, windowEnd: snapshot, settled: snapshot, planLength: 3_000_000_000,
      lateness: histogram)
    ending.arrivalsOfPlan = arrivalsOfPlan
    ending.standstill = standstill
    return ending
  }

  private func accounts(arrivals: Int, dropped: Int) -> IterationAccounts {
    var accounts = IterationAccounts()
    for index in 0..<arrivals {
      accounts.arrived(at: 0)
      if index < dropped { accounts.wasDropped() } else { accounts.begins(at: 0) }
    }
    return accounts
  }

  private func check(_ accounts: IterationAccounts, gates: [String] = [], _ ending: CellEnding) -> CellEnding
  {
    var ending = ending
    Validity.check(accounts, gates: gates, ending: &ending)
    return ending
  }

  @Test("a load that was delivered stays as it was judged")
  func delivered() {
    let judged = check(accounts(arrivals: 600, dropped: 6), ending())
    #expect(judged.verdict == .passed)
    #expect(judged.reasons.isEmpty)
  }

  @Test("arrivals of the plan that were never made are an invalid load")
  func cutShort() {
    let judged = check(accounts(arrivals: 538, dropped: 0), ending(arrivalsOfPlan: 600))
    #expect(judged.verdict == .invalid)
    #expect(judged.reasons.first?.contains("538 of 600") == true)
    #expect(judged.loadLength == 1_000_000_000, "the rate offered is that of the time there was")
  }

  @Test("a process that was kept from running makes what it measured invalid")
  func stoodStill() {
    #expect(check(accounts(arrivals: 5, dropped: 0), ending(standstill: 600_000_000)).verdict == .invalid)
    #expect(check(accounts(arrivals: 5, dropped: 0), ending(standstill: 60_000_000)).verdict == .passed)
  }

  @Test("a late generator and dropped arrivals are an invalid load, unless a gate judges the drops")
  func lateAndDropped() {
    #expect(check(accounts(arrivals: 5, dropped: 0), ending(lateness: 200_000_000)).verdict == .invalid)
    let many = accounts(arrivals: 600, dropped: 545)
    #expect(check(many, ending()).verdict == .invalid)
    #expect(check(many, gates: ["arrivals.dropped < 600"], ending()).verdict == .passed)
  }

  @Test("a graver verdict stays")
  func graver() {
    var hung = ending(standstill: 600_000_000)
    hung.verdict = .hung
    #expect(check(accounts(arrivals: 5, dropped: 5), hung).verdict == .hung)
  }

  @Test("iterations that neither begin nor end stand still, and none that run nothing do")
  func standing() {
    var accounts = accounts(arrivals: 1, dropped: 0)
    #expect(!accounts.stand(stillFor: 100, at: 100))
    #expect(accounts.stand(stillFor: 100, at: 101))
    let iteration = Iteration(
      index: 0, intendedStart: 0, actualStart: 0, isWarmUp: false,
      draws: IterationDraws(seed: 1, iteration: 0))
    accounts.ended(iteration, .completed, at: 200, objective: nil)
    #expect(!accounts.stand(stillFor: 100, at: 10_000))
  }

  @Test("a percentile that is only known to lie above the histogram's range is absent, not the range's end")
  func aboveTheRange() {
    var histogram = LatencyHistogram()
    let hour: Int64 = 3_600_000_000_000
    histogram.record(1_000, count: 10)
    histogram.record(50 * hour, count: 990)
    var figures = CellFigures()
    figures.set("latency.iteration", histogram)
    #expect(figures.metrics["latency.iteration.p99"] == nil)
    #expect(figures.absent["latency.iteration.p99"]?.contains("3600 s") == true)
    #expect(figures.metrics["latency.iteration.max"] == .integer(50 * hour))
    var cell = CellRecord(strategy: "a", variant: "sound", clock: "virtual", repetition: 1, verdict: .passed)
    cell.metrics = figures.metrics
    cell.absent = figures.absent
    cell.histograms = figures.histograms
    let term = FigureTerm("latency.iteration.p99", catalogue: MetricCatalogue())
    guard case .missing(let reason)? = term?.reading(in: cell) else {
      Issue.record("a figure was read")
      return
    }
    #expect(reason.contains("3600 s"))
  }
}
