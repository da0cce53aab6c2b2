import Gates
import RunRecords
import Testing
import WorkloadInterface

@Suite("A run's verdict is the most severe of its parts")
struct RunJudgeTests {
  private let good = Fixture.cell(metrics: [
    "tasks.orphaned": .integer(0), "latency.iteration.p99": .integer(1),
  ])

  @Test("Everything holds")
  func passed() throws {
    let run = try Fixture.run([good], gates: ["tasks.orphaned == 0"])
    #expect(run.verdict == .passed)
    #expect(run.reasons.isEmpty)
    #expect(run.gates.count == 1)
  }

  @Test("A run that judged none of its gates is not passed; one that judged some says how many it did not")
  func leftOut() throws {
    let gates = ["flush.count > 0 for batched-5", "flush.count > 1 for batched-5"]
    let none = try Fixture.run([good], leftOut: gates)
    #expect(none.verdict == .inconclusive)
    #expect(none.reasons == ["no gate was judged; 2 gates were not judged, being for what was not run"])
    let some = try Fixture.run([good], gates: ["tasks.orphaned == 0"], leftOut: [gates[0]])
    #expect(some.verdict == .passed)
    #expect(some.reasons == ["what was judged holds; 1 gate was not judged, being for what was not run"])
    let failed = try Fixture.run([good], gates: ["tasks.orphaned > 0"], leftOut: gates)
    #expect(failed.verdict == .failed)
    #expect(failed.reasons.allSatisfy { !$0.contains("not judged") })
  }

  @Test("What failed is told before what cannot be told")
  func order() throws {
    let run = try Fixture.run([good], gates: ["latency.iteration.p99 < 1s", "tasks.orphaned > 0"])
    #expect(run.reasons.first?.contains("`tasks.orphaned > 0` failed") == true, "\(run.reasons)")
  }

  @Test("A hang that is expected is a finding; one that is not is a verdict (B10)")
  func hung() throws {
    var sound = good
    sound.variant = "sound"
    var flawed = Fixture.cell(verdict: .hung, metrics: ["iterations.started": .integer(1)])
    flawed.variant = "finished-under-lock"
    flawed.reasons = ["no progress for 0.8 s"]
    flawed.hang = HangRecord(silent: 800_000_000)
    let run = try Fixture.run([sound, flawed], expectations: [("hung", 1)])
    #expect(run.verdict == .passed)
    #expect(run.expectations.map(\.seen) == [1])
    #expect(run.cells[1].findings.map(\.name) == ["hung"])
    // Decided by the wall clock, so not kept of a cell of virtual time.
    #expect(run.cells[1].metrics.isEmpty && run.cells[1].reasons.isEmpty && run.cells[1].hang == nil)
    #expect(run.cells[1].findings.first?.evidence == ["cells-hung": 1])
    // On the real clock it is what was unfinished (B09).
    var real = flawed
    real.clock = "real"
    real.metrics = ["iterations.started": .integer(100), "iterations.running": .integer(7)]
    real.hang = HangRecord(silent: 5_000_000_000)
    real.hang?.cpuPercent = 0
    let kept = try Fixture.run([sound, real], expectations: [("hung", 1)]).cells[1].findings.first
    #expect(
      kept?.evidence == [
        "cells-hung": 1, "iterations-started": 100, "iterations-running": 7, "silent-ns": 5_000_000_000,
        "cpu-percent": 0,
      ])
    #expect(kept?.details == ["no progress for 0.8 s"])
    #expect(try Fixture.run([sound, flawed]).verdict == .hung)
    #expect(try Fixture.run([sound, flawed], expectations: [("orphaned-task", 1)]).verdict == .hung)
    // In a sound cell beside a flawed one it is never expected.
    var stuck = flawed
    stuck.variant = "sound"
    #expect(try Fixture.run([stuck, flawed], expectations: [("hung", 1)]).verdict == .hung)
  }

  @Test("A crash that is expected is a finding with its message and frames; one that is not is a verdict")
  func crashed() throws {
    var sound = good
    sound.variant = "sound"
    var flawed = Fixture.cell(verdict: .crashed, metrics: ["iterations.started": .integer(1)])
    flawed.variant = "archetype-forced"
    flawed.reasons = [
      "the cell's process was ended by SIGILL (4)", "Names.swift:7: Fatal error: nil",
      "in make(_:) at Names.swift:7",
    ]
    let run = try Fixture.run([sound, flawed], expectations: [("crashed", 1)])
    #expect(run.verdict == .passed)
    #expect(run.cells[1].findings.map(\.name) == ["crashed"])
    #expect(run.cells[1].findings.first?.details == Array(flawed.reasons.dropFirst()))
    #expect(run.cells[1].metrics.isEmpty && run.cells[1].reasons.isEmpty)
    #expect(try Fixture.run([sound, flawed]).verdict == .crashed)
    #expect(try Fixture.run([sound, flawed], expectations: [("hung", 1)]).verdict == .crashed)
    var dead = flawed
    dead.variant = "sound"
    #expect(try Fixture.run([dead, flawed], expectations: [("crashed", 1)]).verdict == .crashed)
  }

  @Test("No cells at all prove nothing")
  func empty() throws {
    #expect(try Fixture.run([]).verdict == .invalid)
    #expect(try Fixture.run([], planned: 2, gates: ["tasks.orphaned == 0"]).verdict == .invalid)
    #expect(try Fixture.run([], planned: 2, interrupted: true).verdict == .interrupted)
  }

  @Test("Fewer cells than planned prove nothing")
  func fewer() throws {
    let run = try Fixture.run([good], planned: 2, gates: ["tasks.orphaned == 0"])
    #expect(run.verdict == .invalid)
    #expect(run.reasons == ["only 1 of 2 cells were run"])
  }

  @Test("An invalid cell stays invalid whatever its percentiles say (B35)")
  func invalid() throws {
    var cell = Fixture.cell(
      verdict: .invalid,
      metrics: [
        "latency.iteration.count": .integer(200), "latency.iteration.p95": .integer(1_900_000_000),
      ])
    cell.reasons = ["offered load not delivered: 50 %"]
    let run = try Fixture.run([cell], gates: ["latency.iteration.p95 < 2s"])
    #expect(run.gates.map(\.verdict) == [.invalid])
    #expect(run.gates.map(\.isJudged) == [false])
    #expect(run.verdict == .invalid)
    #expect(
      run.reasons == [
        "per-element invalid: offered load not delivered: 50 %",
        "gates were not judged in per-element: it is invalid",
      ])
  }

  @Test(
    "The worst cell decides",
    arguments: [Verdict.interrupted, .crashed, .hung, .invalid, .failed, .inconclusive])
  func worst(verdict: Verdict) throws {
    let run = try Fixture.run([good, Fixture.cell("batched-5", verdict: verdict)])
    #expect(run.verdict == verdict)
    #expect(!run.reasons.isEmpty)
  }

  @Test("A failed gate names its cells once")
  func gateReasons() throws {
    let cells = (1...6).map {
      Fixture.cell(repetition: $0, metrics: ["tasks.orphaned": .integer($0 < 6 ? 1 : 0)])
    }
    let run = try Fixture.run(cells, gates: ["tasks.orphaned == 0"])
    #expect(run.verdict == .failed)
    #expect(
      run.reasons == [
        "gate `tasks.orphaned == 0` failed in per-element · #1, per-element · #2, per-element · #3 and 2 more"
      ])
    let all = try Fixture.run(Array(cells.dropLast()), gates: ["tasks.orphaned == 0"])
    #expect(all.reasons == ["gate `tasks.orphaned == 0` failed in all 5 cells"])
  }

  @Test("A sound cell with a finding fails, a flawed one with the expected finding passes")
  func findings() throws {
    var sound = good
    var leaky = Fixture.cell(variant: "leaky")
    leaky.findings = [Fixture.finding("orphaned-task", count: 3)]
    let run = try Fixture.run([sound, leaky], expectations: [("orphaned-task", 3)])
    #expect(run.verdict == .passed)
    #expect(run.expectations.map(\.variant) == ["leaky"])
    #expect(run.cells[1].findings[0].isExpected)
    sound.findings = [Fixture.finding("orphaned-task")]
    let both = try Fixture.run([sound, leaky], expectations: [("orphaned-task", 3)])
    #expect(both.verdict == .failed)
    #expect(both.cells[0].verdict == .failed)
    #expect(!both.cells[0].findings[0].isExpected)
  }

  @Test("An expected finding that is missing, or counted wrong, fails")
  func missing() throws {
    var cell = Fixture.cell(variant: "leaky")
    #expect(try Fixture.run([cell], expectations: [("orphaned-task", nil)]).verdict == .failed)
    cell.findings = [Fixture.finding("orphaned-task", count: 2)]
    #expect(try Fixture.run([cell], expectations: [("orphaned-task", nil)]).verdict == .passed)
    let run = try Fixture.run([cell], expectations: [("orphaned-task", 3)])
    #expect(run.verdict == .failed)
    #expect(run.reasons == ["expected orphaned-task 3 times in per-element · leaky, seen 2 times"])
  }

  @Test("A finding that nobody expected fails its cell")
  func unexpected() throws {
    var cell = Fixture.cell(variant: "leaky")
    cell.findings = [Fixture.finding("late-cancel"), Fixture.finding("orphaned-task")]
    let run = try Fixture.run([cell], expectations: [("orphaned-task", nil)])
    #expect(run.cells[0].verdict == .failed)
    #expect(run.cells[0].findings.map(\.isExpected) == [false, true])
  }
}

@Suite("Strategies are held against the first")
struct ComparisonTests {
  private func cell(_ strategy: String, _ flushes: Int64, clock: String = "virtual", repetition: Int = 1)
    -> CellRecord
  {
    Fixture.cell(
      strategy, clock: clock, repetition: repetition,
      metrics: [
        "flush.count": .integer(flushes), "goodput": .real(10), "iterations.failed": .integer(0),
        "hops{role=registry}": .integer(flushes), "elements.stored": .integer(100),
      ])
  }

  private func find(_ records: [ComparisonRecord], _ metric: String) -> ComparisonRecord? {
    records.first { $0.metric == metric }
  }

  @Test("Medians over repetitions, with the ratio")
  func medians() throws {
    let cells = [100, 90, 400].enumerated().flatMap { index, flushes in
      [
        cell("a", Int64(flushes), repetition: index + 1),
        cell("b", Int64(flushes) / 2, repetition: index + 1),
      ]
    }
    let record = try #require(find(Comparisons.records(of: cells), "flush.count"))
    #expect(record.base == .integer(100))
    #expect(record.value == .integer(50))
    #expect(record.ratio == 0.5)
    #expect((record.strategy, record.against) == ("b", "a"))
    let ratio = try #require(find(Comparisons.records(of: cells), "hops{role=registry} / elements.stored"))
    #expect(ratio.value == .real(0.5))
  }

  @Test("What gates judge and what the workload declares is compared as well")
  func asked() throws {
    var cells = [cell("a", 1), cell("b", 2)]
    for (index, order) in [Int64(4), 2].enumerated() {
      cells[index].metrics["order-violations"] = .integer(order)
      cells[index].metrics["wait{at=door}.count"] = .integer(100)
      cells[index].metrics["wait{at=door}.p50"] = .integer(order * 10)
      cells[index].metrics["iterations.running"] = .integer(order)
    }
    let workload = [
      MetricDeclaration("order-violations", .counter, .count, .lower, about: ""),
      MetricDeclaration("wait", labels: ["at"], .distribution, .nanoseconds, .lower, about: ""),
    ]
    let terms = AskedFigures.terms(
      gates: ["iterations.running == 0 for a", "flush.count > 0", "no such gate"], workload: workload,
      cells: cells)
    #expect(
      terms.map(\.name) == [
        "iterations.running", "flush.count", "order-violations", "wait{at=door}.p50", "wait{at=door}.p99",
      ])
    let records = Comparisons.records(of: cells, besides: terms)
    #expect(find(records, "order-violations")?.ratio == 0.5)
    #expect(find(records, "wait{at=door}.p50")?.ratio == 0.5)
    #expect(find(records, "iterations.running")?.ratio == 0.5)
    #expect(records.count { $0.metric == "flush.count" } == 1)
    #expect(find(Comparisons.records(of: cells), "order-violations") == nil)
  }

  @Test("No ratio to zero (B51)")
  func zero() throws {
    let record = try #require(
      find(Comparisons.records(of: [cell("a", 1), cell("b", 1)]), "iterations.failed"))
    #expect(record.ratio == nil)
  }

  @Test("Throughput is compared on the real clock only")
  func throughput() {
    #expect(find(Comparisons.records(of: [cell("a", 1), cell("b", 1)]), "goodput") == nil)
    let real = [cell("a", 1, clock: "real"), cell("b", 1, clock: "real")]
    #expect(find(Comparisons.records(of: real), "goodput")?.ratio == 1)
  }

  @Test("Counts of different coverage are not compared")
  func coverage() {
    var other = cell("b", 1)
    other.coverage = .userCode
    let records = Comparisons.records(of: [cell("a", 1), other])
    #expect(find(records, "hops{role=registry}") == nil)
    #expect(find(records, "flush.count") != nil)
  }

  @Test("Cells that did not end are left out")
  func unended() {
    var crashed = cell("b", 1)
    crashed.verdict = .crashed
    #expect(Comparisons.records(of: [cell("a", 1), crashed]).isEmpty)
  }
}
