import SeededDraws
import Testing
import WorkloadInterface

@testable import LoadGeneration

private let millisecond: Int64 = 1_000_000

/// What an open load meets at a pipeline of constant service time.
private struct Simulation {
  var admission: Admission
  var waits: [Int64] = []
  var completions: [Int64] = []

  /// Plays a plan to the end of `window`; service of each iteration takes `service` ns from when it starts,
  /// or from when a freeze ends.
  mutating func play(_ plan: ArrivalPlan, service: Int64, until window: Int64, frozen: Range<Int64>? = nil) {
    var queue: [PlannedArrival] = []
    var ends: [(end: Int64, intended: Int64)] = []
    func begin(_ arrival: PlannedArrival, at time: Int64) {
      let start = frozen.map { $0.contains(time) ? $0.upperBound : time } ?? time
      ends.append((start + service, arrival.intended))
      ends.sort { $0.end < $1.end }
    }
    func finishAll(before time: Int64) {
      while let first = ends.first, first.end <= time {
        ends.removeFirst()
        completions.append(first.end)
        waits.append(first.end - first.intended)
        if admission.finish() { begin(queue.removeFirst(), at: first.end) }
      }
    }
    for arrival in plan {
      finishAll(before: arrival.intended)
      switch admission.arrival() {
      case .start: begin(arrival, at: arrival.intended)
      case .queue: queue.append(arrival)
      case .drop: break
      }
    }
    finishAll(before: window)
  }
}

private func constant(_ perSecond: Int64, for seconds: Int64) throws -> ArrivalPlan {
  let stage = LoadStage(
    duration: seconds * 1_000 * millisecond, rate: Rate(millionths: perSecond * 1_000_000))
  return try ArrivalPlan(OpenLoad(stages: [stage]), seed: 1)
}

@Suite("Admission")
struct AdmissionTests {
  @Test("One worker at half the rate drops every other arrival")
  func drops() throws {
    var run = Simulation(admission: Admission(maxInFlight: 1, atLimit: .drop))
    run.play(try constant(1, for: 30), service: 1_900 * millisecond, until: .max)
    #expect(run.admission.arrived == 30)
    #expect(run.admission.started == 15)
    #expect(run.admission.dropped == 15)
    #expect(run.admission.finished == 15)
    #expect(run.waits.allSatisfy { $0 == 1_900 * millisecond })
  }

  @Test("Above capacity the backlog and the latency grow in a straight line")
  func backlog() throws {
    // 1,000/s for 60 s against 900/s: 54,000 served in the window, a backlog of 6,000.
    var run = Simulation(admission: Admission(maxInFlight: 1, atLimit: .queue))
    let service = Int64(1_000_000_000 / 900)
    run.play(try constant(1_000, for: 60), service: service, until: 60_000 * millisecond)
    #expect(run.admission.finished == 54_000)
    #expect(run.admission.waiting + run.admission.running == 6_000)
    #expect(run.admission.dropped == 0)
    // The last served in the window came at 53.999 s: it waited 6 s; the last of all will wait 6.67 s.
    #expect(abs(run.waits.last! - 6_001 * millisecond) < 2 * millisecond)
  }

  @Test("A freeze shows in the latency from the intended start")
  func freeze() throws {
    var run = Simulation(admission: Admission(maxInFlight: 1, atLimit: .queue))
    run.play(
      try constant(100, for: 10), service: millisecond, until: .max,
      frozen: 2_000 * millisecond..<8_000 * millisecond)
    let sorted = run.waits.sorted()
    #expect(sorted.count == 1_000)
    // Nearest ranks of p50, p75, p90, p95, p99 and the maximum.
    #expect(
      [500, 750, 900, 950, 990, 1_000].map { sorted[$0 - 1] / millisecond }
        == [1_501, 3_751, 5_101, 5_551, 5_911, 6_001])
  }

  @Test("Arrivals are conserved after every event", arguments: [OpenLoad.AtLimit.drop, .queue])
  func conservation(atLimit: OpenLoad.AtLimit) {
    var state = Admission(maxInFlight: 3, atLimit: atLimit)
    let stream = DrawStream(seed: 1, name: "events")
    var broken = 0
    for event in 0..<5_000 {
      if stream.uniform(iteration: event) < 0.55 {
        _ = state.arrival()
      } else if state.running > 0 {
        _ = state.finish()
      }
      if state.arrived != state.started + state.dropped + state.waiting { broken += 1 }
      if state.started != state.finished + state.running || state.running > 3 { broken += 1 }
      if state.waiting > 0 && state.running < 3 { broken += 1 }
    }
    #expect(broken == 0)
    #expect(state.dropped > 0 || state.waiting > 0)
  }

  @Test("Without a limit everything starts")
  func unlimited() {
    var state = Admission()
    for _ in 0..<100 { #expect(state.arrival() == .start) }
    #expect(state.running == 100)
  }
}
