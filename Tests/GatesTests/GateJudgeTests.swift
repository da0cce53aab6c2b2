import Gates
import Measurement
import RunRecords
import Testing

@Suite("Gates are judged, and what cannot be judged never passes")
struct GateJudgeTests {
  private static let usual = Fixture.cell(metrics: [
    "tasks.orphaned": .integer(0), "iterations.failed": .integer(10), "elements.stored": .integer(100),
    "flush.count": .integer(20), "latency.iteration.count": .integer(1_000),
    "latency.iteration.p99": .integer(7_000_000_000), "load.achieved": .real(39.5),
  ])

  @Test(
    "Each comparison and its margin",
    arguments: [
      ("tasks.orphaned == 0", Verdict.passed, nil),
      ("tasks.orphaned != 0", .failed, nil),
      ("tasks.orphaned < 0", .failed, nil),
      ("iterations.failed <= 10", .passed, 0),
      ("iterations.failed < 10", .failed, 0),
      ("iterations.failed < 20", .passed, 0.5),
      ("iterations.failed < 8", .failed, -0.25),
      ("iterations.failed == 8", .failed, -0.25),
      ("iterations.failed >= 8", .passed, 0.25),
      ("iterations.failed > 20", .failed, -0.5),
      ("latency.iteration.p99 < 8s", .passed, 0.125),
      ("load.achieved >= 39.5/s", .passed, 0),
      ("flush.count / elements.stored <= 0.25", .passed, 0.2),
      ("flush.count / elements.stored <= 16%", .failed, -0.25),
    ] as [(String, Verdict, Double?)])
  func table(text: String, verdict: Verdict, margin: Double?) throws {
    let record = GateJudge.judge(try Fixture.gate(text), in: Self.usual)
    #expect(record.verdict == verdict)
    #expect(record.actual != nil)
    switch (record.margin, margin) {
    case (let seen?, let wanted?): #expect(abs(seen - wanted) < 1e-9)
    case (nil, nil): break
    default: Issue.record("margin \(String(describing: record.margin)), not \(String(describing: margin))")
    }
  }

  @Test("Zero passes where nothing fails (B46)")
  func zeroIsNotNothing() throws {
    let zero = GateJudge.judge(
      try Fixture.gate("iterations.cancelled < 10"),
      in: Fixture.cell(metrics: [
        "iterations.cancelled": .integer(0)
      ]))
    #expect(zero.verdict == .passed)
    let nothing = GateJudge.judge(try Fixture.gate("iterations.cancelled < 10"), in: Fixture.cell())
    #expect(nothing.verdict == .failed)
    #expect(nothing.actual == nil)
    #expect(nothing.reason == "not measured")
  }

  @Test("An absent metric says why it is absent")
  func absentWithReason() throws {
    var cell = Fixture.cell()
    cell.absent["tasks.orphaned"] = "the probe did not calibrate"
    let record = GateJudge.judge(try Fixture.gate("tasks.orphaned == 0"), in: cell)
    #expect(record.verdict == .failed)
    #expect(record.reason == "not measured: the probe did not calibrate")
  }

  @Test("A distribution without samples fails")
  func noSamples() throws {
    var cell = Fixture.cell(metrics: ["latency.iteration.count": .integer(0)])
    cell.histograms["latency.iteration"] = LatencyHistogram()
    let record = GateJudge.judge(try Fixture.gate("latency.iteration.p50 < 1s"), in: cell)
    #expect(record.verdict == .failed)
    #expect(record.reason == "no samples")
  }

  @Test("Nothing divided by nothing fails")
  func zeroByZero() throws {
    let cell = Fixture.cell(metrics: ["flush.count": .integer(0), "elements.stored": .integer(0)])
    for text in ["flush.count / elements.stored <= 1", "flush.count / elements.stored >= 0"] {
      let record = GateJudge.judge(try Fixture.gate(text), in: cell)
      #expect(record.verdict == .failed)
      #expect(record.reason == "0/0: nothing to judge")
      #expect(record.margin == nil)
    }
  }

  @Test("A figure that is no number fails every comparison (B51)")
  func notANumber() throws {
    for (comparison, value) in zip(
      ["<", "<=", ">", ">=", "==", "!="], [Double.nan, .infinity, .nan, .infinity, .nan, .nan])
    {
      let cell = Fixture.cell(metrics: ["goodput": .real(value)])
      let record = GateJudge.judge(try Fixture.gate("goodput \(comparison) 5/s"), in: cell)
      #expect(record.verdict == .failed)
      #expect(record.margin == nil)
    }
  }

  @Test("Too few samples for a percentile are inconclusive (B42)")
  func tooFewSamples() throws {
    var cell = Fixture.cell()
    cell.histograms["latency.iteration"] = Fixture.samples(100, value: 5_000_000)
    let deep = GateJudge.judge(try Fixture.gate("latency.iteration.p99.99 < 1s"), in: cell)
    #expect(deep.verdict == .inconclusive)
    #expect(deep.reason == "needs at least 10000 samples, has 100")
    #expect(GateJudge.judge(try Fixture.gate("latency.iteration.p99 < 1s"), in: cell).verdict == .passed)
    #expect(GateJudge.judge(try Fixture.gate("latency.iteration.max < 1s"), in: cell).verdict == .passed)
  }

  @Test("A percentile that the record lacks comes from the histogram")
  func otherPercentile() throws {
    var cell = Fixture.cell()
    var histogram = Fixture.samples(975, value: 1_000_000)
    histogram.record(9_000_000, count: 25)
    cell.histograms["latency.iteration"] = histogram
    let record = GateJudge.judge(try Fixture.gate("latency.iteration.p97.5 < 2ms"), in: cell)
    #expect(record.verdict == .passed)
    #expect(GateJudge.judge(try Fixture.gate("latency.iteration.p97.6 < 2ms"), in: cell).verdict == .failed)
  }

  @Test("Both sides of a ratio come from one window")
  func oneWindow() throws {
    var cell = Fixture.cell(metrics: [
      "heap.mallocs": .integer(600), "elements.stored": .integer(1_000), "flush.count": .integer(100),
    ])
    cell.windowed = ["elements.stored": .integer(200), "flush.count": .integer(1)]
    let measured = GateJudge.judge(try Fixture.gate("heap.mallocs / elements.stored <= 5"), in: cell)
    #expect(measured.actual == .real(3))
    let whole = GateJudge.judge(try Fixture.gate("flush.count / elements.stored <= 5"), in: cell)
    #expect(whole.actual == .real(0.1))
    cell.windowed = [:]
    let none = GateJudge.judge(try Fixture.gate("heap.mallocs / elements.stored <= 5"), in: cell)
    #expect(none.verdict == .failed)
    #expect(none.reason == "elements.stored: not measured over the measured window")
  }

  @Test("A gate for one strategy judges its cells only, and fails without any")
  func oneStrategy() throws {
    let cells = ["per-element", "batched-5"].map {
      Fixture.cell($0, metrics: ["tasks.orphaned": .integer(0)])
    }
    let one = GateJudge.judge([try Fixture.gate("tasks.orphaned == 0 for batched-5")], cells: cells)
    #expect(one.records.map(\.strategy) == ["batched-5"])
    let none = GateJudge.judge([try Fixture.gate("tasks.orphaned == 0 for batched-6")], cells: cells)
    #expect(none.records.map(\.verdict) == [.failed])
    #expect(none.records.first?.reason == "judged nothing: there is no sound cell of strategy batched-6")
  }

  @Test("Flawed cells are gated only where no sound one is")
  func variants() throws {
    let gate = try Fixture.gate("tasks.orphaned == 0")
    let leaky = Fixture.cell(variant: "leaky", metrics: ["tasks.orphaned": .integer(3)])
    let sound = Fixture.cell(metrics: ["tasks.orphaned": .integer(0)])
    #expect(GateJudge.judge([gate], cells: [leaky, sound]).records.map(\.variant) == ["sound"])
    #expect(GateJudge.judge([gate], cells: [leaky]).records.map(\.verdict) == [.failed])
  }

  @Test("A metric of the real clock is judged there, and fails where there is no such cell")
  func clocks() throws {
    let gate = try Fixture.gate("load.generator-cpu < 50%")
    let virtual = Fixture.cell()
    let real = Fixture.cell(clock: "real", metrics: ["load.generator-cpu": .real(0.1)])
    #expect(GateJudge.judge([gate], cells: [virtual, real]).records.map(\.clock) == ["real"])
    let none = GateJudge.judge([gate], cells: [virtual]).records
    #expect(none.map(\.verdict) == [.failed])
    #expect(none.first?.reason == "not measured: load.generator-cpu exists on the real clock only")
  }

  @Test(
    "A gate over a cell that proves nothing says so and never passes",
    arguments: [Verdict.hung, .crashed, .interrupted, .invalid])
  func unended(verdict: Verdict) throws {
    let cells = [
      Fixture.cell(metrics: ["tasks.orphaned": .integer(0)]),
      Fixture.cell("batched-5", verdict: verdict, metrics: ["tasks.orphaned": .integer(0)]),
    ]
    let outcome = GateJudge.judge([try Fixture.gate("tasks.orphaned == 0")], cells: cells)
    #expect(outcome.records.map(\.strategy) == ["per-element", "batched-5"])
    #expect(outcome.records.map(\.verdict) == [.passed, verdict])
    #expect(outcome.records.map(\.isJudged) == [true, false])
    #expect(outcome.records[1].actual == nil)
    #expect(outcome.unjudged.count == 1)
  }
}
