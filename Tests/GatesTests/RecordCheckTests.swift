import Gates
import RunRecords
import Testing

@Suite("Records that contradict themselves")
struct RecordCheckTests {
  private static let gates = ["latency.iteration.p50 < 10ns", "iterations.completed == 9"]

  private static func cell(_ strategy: String) -> CellRecord {
    var cell = Fixture.cell(
      strategy, clock: "real",
      metrics: [
        "arrivals.planned": .integer(10), "arrivals.dropped": .integer(1), "arrivals.queued": .integer(0),
        "iterations.started": .integer(9), "iterations.completed": .integer(9),
        "iterations.failed": .integer(0),
        "iterations.cancelled": .integer(0), "iterations.running": .integer(0), "probe.lost": .integer(0),
        "load.lateness.p99": .integer(5),
      ])
    let histogram = Fixture.samples(9, value: 5)
    cell.histograms["latency.iteration"] = histogram
    cell.metrics["latency.iteration.count"] = .integer(9)
    for statistic in ["min", "max", "p50", "p90"] {
      cell.metrics["latency.iteration.\(statistic)"] = .integer(5)
    }
    for percentile in ["p95", "p99", "p99.9"] {
      cell.metrics["latency.iteration.\(percentile)"] = .integer(5)
    }
    return cell
  }

  /// Two cells, with everything that a sound record has.
  private func sound(expecting finding: String? = nil) throws -> RunRecord {
    var cells = ["one", "two"].map(Self.cell)
    if let finding { for index in cells.indices { cells[index].findings = [Fixture.finding(finding)] } }
    return try Fixture.run(cells, gates: Self.gates, expectations: Self.expected(finding))
  }

  private static func expected(_ finding: String?) -> [ExpectationJudge.Expectation] {
    guard let finding else { return [] }
    return [(finding, 1)]
  }

  private func faults(
    _ run: RunRecord, strategies: [String] = ["one", "two"], expecting finding: String? = nil
  ) throws -> [String] {
    RecordCheck.faults(
      in: run,
      plan: .init(
        cells: strategies.map {
          .init(strategy: $0, variant: "sound", clock: "real", repetition: 1, users: nil)
        }, gates: try Self.gates.map(Fixture.gate), expectations: Self.expected(finding),
        droppedShare: 0.2, lateness: 1_000))
  }

  /// What is said of the sound record after one change.
  private func faults(_ change: (inout RunRecord) -> Void) throws -> [String] {
    var run = try sound()
    change(&run)
    return try faults(run)
  }

  @Test("One that does not has no faults, whatever its verdict and findings")
  func soundOnes() throws {
    #expect(try faults(sound()) == [])
    #expect(try sound().verdict == .passed)
    #expect(try faults(sound(expecting: "long-hold"), expecting: "long-hold") == [])
    var late = ["one", "two"].map(Self.cell)
    late[1].metrics["iterations.completed"] = .integer(8)
    late[1].metrics["iterations.failed"] = .integer(1)
    let failed = try Fixture.run(late, gates: Self.gates)
    #expect(failed.verdict == .failed)
    #expect(try faults(failed) == [])
    let stopped = try Fixture.run([Self.cell("one")], planned: 2, gates: Self.gates, interrupted: true)
    #expect(try faults(stopped) == [])
  }

  @Test("Cells: those of the plan, all of them, once and in order")
  func cells() throws {
    #expect(
      try faults { $0.cells.append($0.cells[0]) }.contains("one · sound · real · #1 is there more than once"))
    #expect(
      try faults { $0.cells[1].strategy = "other" }.contains(
        "other · sound · real · #1 is no cell of its scenario"))
    #expect(try faults { $0.cells.swapAt(0, 1) }.contains("its cells are not in the order of its scenario"))
    #expect(
      try faults { $0.cells.removeLast() }.contains("it has 1 of 2 cells; missing: two · sound · real · #1"))
    #expect(
      try faults {
        $0.cells.removeLast()
        $0.cellsPlanned = 1
      }.contains("its scenario has 2 cells, and it says 1"))
    // Of a scenario that is not known, the number alone.
    var run = try sound()
    run.cellsPlanned = 1
    #expect(RecordCheck.faults(in: run, plan: nil) == ["it has more cells than it planned"])
  }

  @Test("Figures: those of their distributions, and sums that hold")
  func figures() throws {
    for name in ["count", "min", "max", "p50", "p90", "p95", "p99", "p99.9"] {
      for value in [MetricValue.integer(4), nil] {
        let faults = try faults { $0.cells[0].metrics["latency.iteration.\(name)"] = value }
        #expect(faults.contains("one: latency.iteration.\(name) is not that of its distribution"), "\(name)")
      }
    }
    #expect(
      try faults { $0.cells[1].metrics["arrivals.planned"] = .integer(11) } == [
        "two: arrivals.planned is not the sum of iterations.started, arrivals.dropped, arrivals.queued"
      ])
    #expect(
      try faults { $0.cells[1].metrics["iterations.failed"] = .integer(1) } == [
        "two: iterations.started is not the sum of iterations.completed, iterations.failed, "
          + "iterations.cancelled, iterations.running"
      ])
    // Figures of a cell that was ended are of different moments.
    let hung = try faults {
      $0.cells[0].verdict = .hung
      $0.cells[0].metrics["latency.iteration.max"] = .integer(4)
    }
    #expect(!hung.contains { $0.contains("distribution") })
  }

  @Test("A load that was not delivered makes its cell invalid")
  func load() throws {
    let cases: [([String: Int64], String)] = [
      (["arrivals.planned": 12, "arrivals.dropped": 3], "3 of 12 arrivals were dropped"),
      (["load.lateness.p99": 1_001], "its load was late"), (["probe.lost": 1], "the probe lost events"),
    ]
    for (figures, words) in cases {
      let faults = try faults { run in
        for (name, value) in figures { run.cells[0].metrics[name] = .integer(value) }
      }
      #expect(faults == ["one: it is not invalid, and \(words)"])
    }
    #expect(try faults { $0.cells[0].metrics["load.lateness.p99"] = .integer(1_000) } == [])
  }

  @Test("Findings and expectations: marks and verdicts follow from them")
  func findings() throws {
    let unlike = "its findings are not those that its figures and its scenario make"
    var marked = try sound(expecting: "long-hold")
    marked.cells[0].findings[0].isExpected = false
    #expect(try faults(marked, expecting: "long-hold").contains("one: " + unlike))
    #expect(
      try faults { $0.cells[0].findings = [Fixture.finding("orphaned-task")] }.contains(
        "one: it is passed, and by its findings failed"))
    var unseen = try sound(expecting: "long-hold")
    unseen.expectations[0].seen = 3
    let otherwise = "what was expected to be found was judged otherwise than its cells say"
    #expect(try faults(unseen, expecting: "long-hold") == [otherwise])
    unseen = try sound(expecting: "long-hold")
    unseen.expectations[1].verdict = .failed
    unseen.verdict = .failed
    #expect(try faults(unseen, expecting: "long-hold") == [otherwise])
    unseen = try sound(expecting: "long-hold")
    unseen.expectations = []
    #expect(try faults(unseen, expecting: "long-hold") == [otherwise])
  }

  @Test("Gates: all of the scenario's, judged of the cells' figures")
  func judged() throws {
    #expect(
      try faults { $0.gates.removeLast() }.contains(
        "its scenario has gates that it does not judge, or others"))
    #expect(
      try faults { $0.gates[0].actual = .integer(3) } == [
        "the gate `latency.iteration.p50 < 10ns` is passed, and by its cells passed: "
          + "it was judged of another figure"
      ])
    #expect(
      try faults { $0.gates[0].verdict = .failed }.contains(
        "the gate `latency.iteration.p50 < 10ns` is failed, and by its cells passed"))
    let changes: [(inout GateRecord) -> Void] = [
      { $0.gate = "hops == 1" }, { $0.strategy = "two" }, { $0.variant = "flawed" }, { $0.clock = "virtual" },
      { $0.repetition = 2 }, { $0.limit = .integer(11) },
    ]
    for (number, change) in changes.enumerated() {
      let faults = try faults { change(&$0.gates[0]) }
      #expect(faults.count == 1 && faults[0].hasPrefix("the gate `"), "\(number): \(faults)")
    }
  }

  private static func change(_ mark: BaselineRecord.Mark) -> BaselineRecord.Change {
    BaselineRecord.Change(
      metric: "hops", strategy: "one", variant: "sound", clock: "real", value: .integer(2), base: .integer(1),
      ratio: 2, mark: mark, reason: BaselineRecord.exact)
  }

  @Test("The verdict: the gravest of all that the record holds")
  func verdict() throws {
    func said(_ verdict: Verdict, _ change: (inout RunRecord) -> Void = { _ in }) throws -> [String] {
      try faults {
        $0.verdict = verdict
        change(&$0)
      }
    }
    #expect(try said(.failed) == ["it says failed, and what it holds comes to passed"])
    #expect(
      try said(.passed) { $0.unwritten = ["run.json"] } == [
        "it says passed, and what it holds comes to invalid"
      ])
    #expect(try said(.invalid) { $0.unwritten = ["run.json"] } == [])
    func held(_ mark: BaselineRecord.Mark?, _ verdict: Verdict) -> BaselineRecord {
      BaselineRecord(
        made: "", notes: [], compared: 1, changes: mark.map { [Self.change($0)] } ?? [], verdict: verdict,
        reasons: [])
    }
    let regressed = ["it says passed, and what it holds comes to regressed"]
    #expect(try said(.passed) { $0.baseline = held(.regressed, .regressed) } == regressed)
    // The mark alone, and the word alone.
    #expect(try said(.passed) { $0.baseline = held(.regressed, .passed) } == regressed)
    #expect(try said(.passed) { $0.baseline = held(nil, .regressed) } == regressed)
    #expect(
      try said(.passed) { $0.baseline = held(.inconclusive, .passed) } == [
        "it says passed, and what it holds comes to inconclusive"
      ])
    #expect(try said(.passed) { $0.baseline = held(.improved, .passed) } == [])
    let unjudged = try Fixture.run([Self.cell("one")], leftOut: ["hops == 1 for two"])
    #expect(unjudged.verdict == .inconclusive)
    var passed = unjudged
    passed.verdict = .passed
    #expect(RecordCheck.faults(in: unjudged, plan: nil) == [])
    #expect(
      RecordCheck.faults(in: passed, plan: nil) == ["it says passed, and what it holds comes to inconclusive"]
    )
  }
}
