import SeededDraws
import Testing
import WorkloadInterface

@testable import LoadGeneration

private let second: Int64 = 1_000_000_000

private func rate(_ perSecond: Double) -> Rate { Rate(millionths: Int64((perSecond * 1e6).rounded())) }

private func plan(
  _ stages: [LoadStage], _ arrivals: OpenLoad.Arrivals = .constant, seed: UInt64 = 7
) throws -> ArrivalPlan {
  try ArrivalPlan(OpenLoad(arrivals: arrivals, stages: stages), seed: seed)
}

@Suite("Arrival plans")
struct ArrivalPlanTests {
  @Test("Fractional rates are kept: 780 starts in 2,100 s, 2.5 s apart once flat")
  func fractional() throws {
    let plan = try plan([
      LoadStage(duration: 300 * second, rate: rate(0), to: rate(0.4)),
      LoadStage(duration: 1_800 * second, rate: rate(0.4)),
    ])
    let times = plan.map(\.intended)
    #expect(plan.plannedTotal() == 780)
    #expect(times.count == 780)
    #expect(plan.duration == 2_100 * second)
    #expect(times.filter { $0 < 300 * second }.count == 60)
    #expect(times[60...].elementsEqual((0..<720).map { 300 * second + $0 * 2_500_000_000 }))
    // In the ramp number k comes at 300·√(k/60) s.
    #expect(times[0] == 0 && times[15] == 150 * second)
    #expect(times[1] == 38_729_833_462)
  }

  @Test("Ten starts over five minutes come every thirty seconds")
  func sparse() throws {
    let twicePerMinute = Rate(millionths: 2_000_000, per: 60 * second)
    let times = try plan([LoadStage(duration: 300 * second, rate: twicePerMinute)]).map(\.intended)
    #expect(times == (0..<10).map { $0 * 30 * second })
  }

  @Test("Rates that divide no nanosecond do not drift")
  func thirds() throws {
    let times = try plan([LoadStage(duration: 1_000 * second, rate: rate(3))]).map(\.intended)
    #expect(times.count == 3_000)
    #expect(times[1] == 333_333_333 && times[2] == 666_666_666 && times[2_997] == 999 * second)
  }

  @Test("Ramps up, down and through zero have as many starts as the integral says")
  func ramps() throws {
    let plan = try plan([
      LoadStage(duration: 10 * second, rate: rate(20)),
      LoadStage(duration: 20 * second, rate: rate(20), to: rate(80)),
      LoadStage(duration: 5 * second, rate: rate(0)),
      LoadStage(duration: 20 * second, rate: rate(80), to: rate(0)),
    ])
    let times = plan.map(\.intended)
    #expect(times.count == 200 + 1_000 + 800 && plan.plannedTotal() == 2_000)
    #expect(times == times.sorted())
    #expect(times.filter { (30 * second..<35 * second).contains($0) }.isEmpty)
    // Half way up the second stage (40 s at 20/s to 50/s): 200 + 10 · 35.
    #expect(times.filter { $0 < 20 * second }.count == 550)
    #expect(times.last! < 55 * second)
  }

  @Test("Each ramp start is the last nanosecond not past its due point")
  func exactness() throws {
    let integral = try RateIntegral([
      LoadStage(duration: 7 * second + 13, rate: rate(3.7), to: rate(911.3))
    ])
    let stage = integral.stages[0]
    func exceeds(_ time: Int64, _ units: Int128) -> Bool {
      let time = Int128(time)
      return 2 * stage.first * time * Int128(stage.duration) + (stage.last - stage.first) * time * time
        > units * Int128(stage.duration)
    }
    var wrong = 0
    for start in 0..<integral.starts {
      let units = Int128(start) * integral.unitsPerStart
      let time = stage.offset(of: units)
      if exceeds(time, units) || !exceeds(time + 1, units) { wrong += 1 }
    }
    #expect(integral.starts == 3_203)
    #expect(wrong == 0)
  }

  @Test("A plan is the same every time; another seed gives another Poisson plan")
  func repeatable() throws {
    let stages = [LoadStage(duration: 20 * second, rate: rate(20), to: rate(80))]
    let first = try plan(stages, .poisson).map(\.intended)
    #expect(try plan(stages, .poisson).map(\.intended) == first)
    #expect(try plan(stages, .poisson).plannedTotal() == first.count)
    #expect(try plan(stages, .poisson, seed: 8).map(\.intended) != first)
    #expect(first == first.sorted() && first.last! < 20 * second)
  }

  @Test("Poisson arrivals have the rate's mean, and gaps as irregular as exponential ones")
  func poisson() throws {
    let times = try plan([LoadStage(duration: 1_000 * second, rate: rate(20))], .poisson).map(\.intended)
    // 20,000 expected with deviation 141: four deviations.
    #expect(abs(times.count - 20_000) < 566)
    let gaps = zip(times, times.dropFirst()).map { Double($1 - $0) }
    let mean = gaps.reduce(0, +) / Double(gaps.count)
    let variance = gaps.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(gaps.count)
    #expect(abs(variance / (mean * mean) - 1) < 0.06)
    let ramp = try plan([LoadStage(duration: 400 * second, rate: rate(0), to: rate(100))], .poisson)
    let early = ramp.filter { $0.intended < 200 * second }.count
    // A quarter of 20,000 in the first half: 5,000 with deviation 71.
    #expect(abs(early - 5_000) < 284)
  }

  @Test("Impossible loads are refused")
  func refusals() {
    #expect(throws: LoadPlanError.noStages) { try RateIntegral([]) }
    #expect(throws: LoadPlanError.badStage(index: 1)) {
      try RateIntegral([LoadStage(duration: 1, rate: rate(1)), LoadStage(duration: 0, rate: rate(1))])
    }
    #expect(throws: LoadPlanError.badStage(index: 0)) {
      try RateIntegral([LoadStage(duration: 1, rate: rate(-1))])
    }
    #expect(throws: LoadPlanError.tooLarge(index: 0)) {
      try RateIntegral([LoadStage(duration: .max, rate: Rate(millionths: .max))])
    }
  }

  @Test("A day at a million starts a second is planned exactly")
  func large() throws {
    let integral = try RateIntegral([LoadStage(duration: 86_400 * second, rate: rate(1_000_000))])
    #expect(integral.starts == 86_400_000_000)
    var stage = 0
    #expect(integral.time(of: 86_399_999_999 * integral.unitsPerStart, from: &stage) == 86_399_999_999_000)
  }
}
