import Foundation
import Gates
import RunRecords
import Testing
import WorkloadInterface

@Suite("Runs are held against baselines")
struct BaselineTests {
  private func cell(
    _ figures: [String: MetricValue], clock: String = "virtual", repetition: Int = 1
  ) -> CellRecord { Fixture.cell(clock: clock, repetition: repetition, metrics: figures) }

  private func repeated(_ name: String, _ values: [Int64]) -> [CellRecord] {
    values.enumerated().map { cell([name: .integer($1)], clock: "real", repetition: $0 + 1) }
  }

  private func judge(
    _ now: [CellRecord], _ then: [CellRecord], gates: [String] = [], isStrict: Bool = false
  ) throws -> BaselineRecord {
    let asked = AskedFigures.terms(gates: gates, workload: [], cells: now)
    return BaselineJudge.judge(
      try Fixture.run(now), against: BaselineJudge.baseline(of: try Fixture.run(then), workload: []),
      asked: asked, workload: [], isStrict: isStrict)
  }

  @Test("An identical run is none of worse or better, and comes back from its file")
  func same() throws {
    let figures: [String: MetricValue] = [
      "hops{role=registry}": .integer(100), "latency.iteration.p50": .integer(5), "goodput": .real(3.25),
    ]
    let record = try judge([cell(figures)], [cell(figures)])
    #expect(record.verdict == .passed)
    #expect(record.compared == 3)
    #expect(record.changes.isEmpty && record.reasons.isEmpty)
    let baseline = BaselineJudge.baseline(of: try Fixture.run([cell(figures)]), workload: [])
    let data = try JSONEncoder().encode(baseline)
    #expect(try JSONDecoder().decode(Baseline.self, from: data) == baseline)
  }

  @Test(
    "On the virtual clock one hop more is a regression, one less an improvement",
    arguments: [
      ("hops{role=registry}", 101, BaselineRecord.Mark.regressed), ("hops{role=registry}", 99, .improved),
      ("elements.delivered", 99, .regressed), ("elements.delivered", 101, .improved),
    ] as [(String, Int64, BaselineRecord.Mark)])
  func exact(name: String, value: Int64, mark: BaselineRecord.Mark) throws {
    let record = try judge([cell([name: .integer(value)])], [cell([name: .integer(100)])])
    #expect(record.changes.map(\.mark) == [mark])
    #expect(record.verdict == (mark == .regressed ? .regressed : .passed))
    let strict = try judge([cell([name: .integer(value)])], [cell([name: .integer(100)])], isStrict: true)
    #expect(strict.verdict == .regressed)
  }

  @Test("What describes the load, and sums that only keep books, are not compared")
  func neutral() throws {
    let record = try judge(
      [
        cell([
          "iterations.running": .integer(0), "arrivals.planned": .integer(2),
          "iterations.sojourn.sum": .integer(9), "iterations.in-system.area": .integer(9),
        ])
      ],
      [
        cell([
          "iterations.running": .integer(0), "arrivals.planned": .integer(1),
          "iterations.sojourn.sum": .integer(1), "iterations.in-system.area": .integer(1),
        ])
      ])
    #expect(record.compared == 1 && record.verdict == .passed)
  }

  @Test("On the real clock intervals of medians have to lie apart, by more than 5 %")
  func noisy() throws {
    let old = repeated("cpu.user", [100, 101, 102, 103, 104, 105])
    let slower = try judge(repeated("cpu.user", [120, 121, 122, 123, 124, 125]), old)
    #expect(slower.changes.map(\.mark) == [.regressed])
    #expect(slower.verdict == .regressed)
    let faster = try judge(repeated("cpu.user", [80, 81, 82, 83, 84, 85]), old)
    #expect(faster.changes.map(\.mark) == [.improved] && faster.verdict == .passed)
    // Apart, but by less than the tolerance; and far, but overlapping.
    #expect(try judge(repeated("cpu.user", [106, 106, 106, 106, 106, 106]), old).changes.isEmpty)
    #expect(try judge(repeated("cpu.user", [104, 130, 130, 130, 130, 130]), old).changes.isEmpty)
    #expect(try judge(old, old).verdict == .passed)
  }

  @Test("What the spread of the repetitions allows is no change, and the row says what was allowed for")
  func spread() throws {
    // Apart, by 12 %; but each side is spread so far that its median might as well lie there.
    let wide = repeated("latency.iteration.p50", [70, 75, 95, 100, 101, 102])
    #expect(
      try judge(repeated("latency.iteration.p50", [103, 104, 108, 110, 140, 150]), wide).changes.isEmpty)
    let narrow = repeated("latency.iteration.p50", [98, 99, 100, 100, 101, 102])
    let told = try judge(repeated("latency.iteration.p50", [109, 110, 112, 112, 113, 114]), narrow)
    #expect(told.changes.map(\.mark) == [.regressed])
    #expect(told.changes[0].reason == "95 % intervals of the medians lie apart; 5.0 % are allowed")
    let slower = try judge(repeated("latency.iteration.p50", [114, 117, 120, 120, 123, 126]), narrow)
    #expect(slower.changes.map(\.mark) == [.regressed])
    #expect(slower.changes[0].reason.hasSuffix("the spread of the repetitions allows 6.8 %"))
  }

  @Test("A 99th percentile on the real clock has to differ by more than a median has to")
  func tails() throws {
    for (name, marks) in [
      ("latency.iteration.p50", [BaselineRecord.Mark.regressed]), ("latency.iteration.p99", []),
    ] {
      let record = try judge(
        repeated(name, [108, 108, 108, 108, 108, 108]), repeated(name, [100, 100, 100, 100, 100, 100]))
      #expect(record.changes.map(\.mark) == marks)
    }
    let name = "latency.iteration.p99"
    let record = try judge(
      repeated(name, [120, 120, 120, 120, 120, 120]), repeated(name, [100, 100, 100, 100, 100, 100]))
    #expect(record.changes.map(\.reason) == ["95 % intervals of the medians lie apart; 10.0 % are allowed"])
  }

  @Test("A labelled figure of the real clock that every repetition of the baseline has is missed")
  func labels() throws {
    func run(_ labelled: [Bool]) -> [CellRecord] {
      labelled.enumerated().map { index, has in
        var cell = cell(["iterations.started": .integer(3)], clock: "real", repetition: index + 1)
        if has { cell.metrics["actor.busy{actor=Ledger}"] = .real(0.5) }
        return cell
      }
    }
    let gone = try judge(run([false, false]), run([true, true]))
    #expect(gone.verdict == .inconclusive)
    #expect(gone.reasons.first?.contains("actor.busy{actor=Ledger}") == true)
    // Seen now and then, it may as well not be seen.
    #expect(!(try judge(run([false, false]), run([true, false]))).reasons.joined().contains("Ledger"))
    #expect(!(try judge(run([true, false]), run([true, true]))).reasons.joined().contains("Ledger"))
  }

  @Test("The loads of a sweep are compared each with its own")
  func sweeps() throws {
    func run(_ latencies: [Int64]) -> [CellRecord] {
      latencies.enumerated().map { index, latency in
        var cell = cell(["latency.iteration.p50": .integer(latency)])
        cell.users = 1 << index
        return cell
      }
    }
    let record = try judge(run([10, 20, 41]), run([10, 20, 40]))
    #expect(record.changes.map(\.users) == [4])
    #expect(record.compared == 3)
    #expect(try judge(run([10, 20]), run([10, 20, 40])).reasons.first?.contains("4 users") == true)
  }

  @Test("Fewer than six repetitions cannot tell a change from noise")
  func few() throws {
    let record = try judge(repeated("cpu.user", [200, 201]), repeated("cpu.user", [100, 101]))
    #expect(record.changes.map(\.mark) == [.inconclusive])
    #expect(record.verdict == .inconclusive)
    #expect(record.changes[0].reason == "needs 6 repetitions on each side, has 2 and 2")
    // What has not moved is no change with any number of them.
    #expect(try judge(repeated("cpu.user", [100]), repeated("cpu.user", [101])).verdict == .passed)
  }

  @Test("Figures with noise are compared only where the run shows them")
  func shown() throws {
    let (now, then) = (
      repeated("actor.busy", [90, 91, 92, 93, 94, 95]), repeated("actor.busy", [10, 11, 12, 13, 14, 15])
    )
    let more = now.map { cell in
      var cell = cell
      cell.metrics["cpu.user"] = .integer(1)
      return cell
    }
    let same = then.map { cell in
      var cell = cell
      cell.metrics["cpu.user"] = .integer(1)
      return cell
    }
    #expect(try judge(more, same).changes.isEmpty)
  }

  @Test("Nothing to compare with is no pass")
  func none() throws {
    let run = try Fixture.run([cell(["hops": .integer(1)])])
    let missing = BaselineJudge.judge(run, against: nil, asked: [], workload: [], isStrict: false)
    #expect(missing.verdict == .noBaseline)
    var other = BaselineJudge.baseline(of: run, workload: [])
    other.conditions = "seed: 8"
    let changed = BaselineJudge.judge(run, against: other, asked: [], workload: [], isStrict: false)
    #expect(changed.verdict == .noBaseline)
    let reason = try #require(changed.reasons.first)
    #expect(reason.contains("of another state of this scenario"))
    #expect(reason.contains("`seed` "), "\(reason)")
    var covered = cell(["hops": .integer(1)])
    covered.coverage = .userCode
    #expect(try judge([cell(["hops": .integer(9)])], [covered]).verdict == .noBaseline)
    #expect(try judge([cell(["hops": .integer(9)])], [Fixture.cell("other")]).verdict == .noBaseline)
  }

  @Test("A figure that is gone is not taken for a good one")
  func gone() throws {
    let record = try judge(
      [cell(["hops": .integer(1)])], [cell(["hops": .integer(1), "tasks.orphaned": .integer(0)])])
    #expect(record.verdict == .inconclusive)
    #expect(record.reasons.first?.contains("tasks.orphaned") == true)
  }

  @Test("The run takes over the more severe verdict")
  func held() throws {
    var run = try Fixture.run([cell(["hops": .integer(2)])])
    run.hold(against: try judge([cell(["hops": .integer(2)])], [cell(["hops": .integer(1)])]))
    #expect(run.verdict == .regressed)
    #expect(run.reasons.last == "hops in per-element: worse than the baseline")
    var failed = try Fixture.run([cell(["hops": .integer(2)])], gates: ["hops == 1"])
    failed.hold(against: try judge([cell(["hops": .integer(2)])], [cell(["hops": .integer(1)])]))
    #expect(failed.verdict == .failed)
  }

  @Test("Gates, expectations and the choice of strategies are no part of the conditions; everything else is")
  func conditions() {
    func text(_ resolved: String) -> String {
      var scenario = Fixture.scenario
      scenario.resolved = resolved
      return Baseline.conditions(scenario)
    }
    let base = "name: x\nseed: 7\nload:\n  users: 2\nstrategies:\n- a\ngates:\n- hops == 1\n"
    #expect(text(base) == text("name: x\nseed: 7\nload:\n  users: 2\nstrategies:\n- a\n- b\ngates: []\n"))
    #expect(text(base) != text(base.replacing("users: 2", with: "users: 3")))
    #expect(text(base) != text(base.replacing("seed: 7", with: "seed: 8")))
  }

  // MARK: Other numbers of iterations

  private func did(
    _ iterations: Int64, hops: Int64, clock: String = "virtual", repetition: Int = 1
  ) -> CellRecord {
    cell(
      [
        "iterations.started": .integer(iterations), "iterations.completed": .integer(iterations),
        "hops": .integer(iterations * hops), "tasks.created": .integer(iterations * hops),
        "elements.delivered": .integer(iterations * 5), "sink.updates": .integer(iterations * 5),
        "iterations.sojourn.sum": .integer(iterations * 1_000_000),
        "throughput": .real(Double(iterations) / 10),
      ], clock: clock, repetition: repetition)
  }

  @Test("Less work per iteration and more iterations is an improvement, though every total grew")
  func faster() throws {
    let record = try judge([did(200, hops: 8)], [did(100, hops: 10)])
    #expect(record.verdict == .passed, "\(record.reasons)")
    #expect(record.changes.map(\.metric) == ["hops", "throughput"])
    #expect(record.changes.allSatisfy { $0.mark == .improved })
    let hops = try #require(record.changes.first)
    #expect(hops.isPerIteration == true && hops.value == .integer(8) && hops.base == .integer(10))
    #expect(hops.reason.contains("per iteration"))
    #expect(record.notes.contains { $0.contains("200 iterations started, 100 in the baseline") })
  }

  @Test("More work per iteration and fewer iterations is a regression, though every total fell")
  func slower() throws {
    let record = try judge([did(50, hops: 14)], [did(100, hops: 10)])
    #expect(record.verdict == .regressed)
    #expect(record.changes.map(\.metric) == ["hops", "throughput"])
    #expect(record.changes.allSatisfy { $0.mark == .regressed })
  }

  @Test("The same on the real clock, from repetition to repetition")
  func noisyWork() throws {
    func cells(_ iterations: Int64, hops: Int64) -> [CellRecord] {
      (1...6).map { did(iterations + Int64($0), hops: hops, clock: "real", repetition: $0) }
    }
    let gates = ["hops >= 0"]
    let better = try judge(cells(200, hops: 8), cells(100, hops: 10), gates: gates)
    #expect(better.verdict == .passed && better.changes.allSatisfy { $0.mark == .improved })
    #expect(better.changes.contains { $0.metric == "hops" && $0.isPerIteration == true })
    let worse = try judge(cells(50, hops: 14), cells(100, hops: 10), gates: gates)
    #expect(worse.verdict == .regressed && worse.changes.allSatisfy { $0.mark == .regressed })
    #expect(worse.changes.contains { $0.metric == "hops" })
  }

  @Test("Rare events of other iterations are told by more than chance")
  func chance() throws {
    func failed(_ failures: Int64, of iterations: Int64) -> CellRecord {
      cell(["iterations.started": .integer(iterations), "provider.failures": .integer(failures)])
    }
    #expect(try judge([failed(13, of: 200)], [failed(5, of: 100)]).changes.isEmpty)
    #expect(try judge([failed(80, of: 200)], [failed(5, of: 100)]).verdict == .regressed)
    #expect(try judge([failed(0, of: 0)], [failed(5, of: 100)]).verdict == .inconclusive)
  }

  @Test("Memory on the virtual clock varies a little, and is told without repetitions")
  func memory() throws {
    func used(_ mallocs: Int64) -> [CellRecord] { [cell(["heap.mallocs": .integer(mallocs)])] }
    #expect(try judge(used(208_303), used(207_699)).changes.isEmpty)
    #expect(try judge(used(300_000), used(207_699)).verdict == .regressed)
    #expect(try judge(used(100_000), used(207_699)).changes.map(\.mark) == [.improved])
  }

  // MARK: What only one side has

  @Test(
    "A figure, a cell or a name that only one side has is named and is no pass",
    arguments: ["virtual", "real"])
  func onesided(clock: String) throws {
    let few = cell(["iterations.started": .integer(1), "hops": .integer(1)], clock: clock)
    var more = few
    more.metrics["buffer.depth"] = .integer(1)
    for (now, then) in [(few, more), (more, few)] {
      let record = try judge([now], [then])
      #expect(record.verdict == .inconclusive)
      #expect(record.reasons.first?.contains("buffer.depth") == true)
    }
    let run = try Fixture.run([few])
    var baseline = BaselineJudge.baseline(
      of: try Fixture.run([few, Fixture.cell("left-out", clock: clock)]), workload: [])
    func judged(_ chosen: [String]) -> BaselineRecord {
      BaselineJudge.judge(run, against: baseline, asked: [], workload: [], isStrict: false, chosen: chosen)
    }
    #expect(judged([]).verdict == .inconclusive)
    #expect(judged([]).reasons.first?.contains("left-out") == true)
    #expect(!judged(["per-element"]).reasons.contains { $0.contains("left-out") })
    #expect(judged(["per-element"]).notes.contains { $0.contains("left-out") })
    baseline.cells[0].figures["hopps"] = [.integer(1)]
    #expect(judged(["per-element"]).reasons.contains { $0.contains("hopps") })
    baseline.scenario = "other"
    #expect(judged([]).verdict == .noBaseline)
  }
}
