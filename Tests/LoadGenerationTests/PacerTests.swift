import Measurement
import Testing
import WorkloadInterface

@testable import LoadGeneration

@Suite("Pacer")
struct PacerTests {
  @Test("Every planned start is made, in order and never early")
  func starts() throws {
    let stage = LoadStage(duration: 50_000_000, rate: Rate(millionths: 4_000_000_000))
    let plan = try ArrivalPlan(OpenLoad(stages: [stage]), seed: 1)
    var indices: [Int] = []
    var early = 0
    let report = Pacer(clock: CellClock()).run(plan) { arrival, actual in
      indices.append(arrival.index)
      if actual < arrival.intended { early += 1 }
    }
    #expect(indices == Array(0..<200))
    #expect(early == 0)
    #expect(report.started == 200 && !report.wasStopped)
    #expect(report.lateness.count == 200)
    #expect(report.processorTime > 0)
  }

  @Test("What is overdue is started at once, and its lateness recorded")
  func overdue() {
    let clock = CellClock()
    let plan = (0..<10_000).map { PlannedArrival(index: $0, intended: -1_000_000_000) }
    let report = Pacer(clock: clock).run(plan) { _, _ in }
    #expect(report.started == 10_000)
    #expect((report.lateness.minimum ?? 0) >= 1_000_000_000)
  }

  @Test("A stopped pacer makes no further start, and a thread of its own reports the end")
  func stop() async throws {
    let stage = LoadStage(duration: 3_600_000_000_000, rate: Rate(millionths: 1_000_000))
    let plan = try ArrivalPlan(OpenLoad(stages: [stage]), seed: 1)
    let pacer = Pacer(clock: CellClock())
    let report = await withCheckedContinuation { continuation in
      pacer.start(plan, onDue: { _, _ in pacer.stop() }, onEnd: { continuation.resume(returning: $0) })
    }
    #expect(report.started == 1 && report.wasStopped)
  }
}
