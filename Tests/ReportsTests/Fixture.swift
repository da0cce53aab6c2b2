import Measurement
import RunRecords

/// Records made up for tests: every figure follows from the arguments.
enum Fixture {
  static func histogram(count: Int, from low: Int64, growth: Double) -> LatencyHistogram {
    var histogram = LatencyHistogram()
    for index in 0..<count {
      let share = (Double(index) + 0.5) / Double(count)
      histogram.record(Int64(Double(low) * (1 + growth * share + 0.4 * growth * share / (1.02 - share))))
    }
    return histogram
  }

  /// A cell of the story pipeline; `batch` is how many elements share one hop to the registry.
  static func cell(
    _ strategy: String, batch: Int = 1, clock: String = "virtual", repetition: Int = 1, samples: Int = 640,
    verdict: Verdict = .passed
  ) -> CellRecord {
    var cell = CellRecord(
      strategy: strategy, variant: "sound", clock: clock, repetition: repetition, verdict: verdict)
    cell.coverage = .wholeRuntime
    cell.length = 34_200_000_000
    cell.window = 29_200_000_000
    let elements = Int64(samples) * 24
    let flushes = elements / Int64(batch)
    cell.metrics = [
      "arrivals.planned": .integer(Int64(samples)), "arrivals.dropped": .integer(0),
      "iterations.started": .integer(Int64(samples)), "iterations.completed": .integer(Int64(samples)),
      "iterations.failed": .integer(0), "elements.stored": .integer(elements),
      "hops{role=registry}": .integer(flushes + Int64(samples)),
      "hops": .integer(flushes + Int64(samples) * 40),
      "flush.count": .integer(flushes), "tasks.created": .integer(Int64(samples) * 9),
      "tasks.orphaned": .integer(0), "heap.mallocs": .integer(elements * 31), "load.offered": .real(21.3),
      "load.achieved": .real(21.3), "probe.lost": .integer(0),
    ]
    cell.windowed = ["heap.mallocs": .integer(elements * 31), "elements.stored": .integer(elements)]
    let delay = Int64(batch) * 35_000_000
    distribution(
      "latency.iteration", histogram(count: samples, from: 1_900_000_000 + delay, growth: 0.8), in: &cell)
    distribution(
      "service.iteration", histogram(count: samples, from: 1_850_000_000 + delay, growth: 0.7), in: &cell)
    distribution(
      "staleness{at=registry}", histogram(count: samples * 4, from: delay / 9, growth: 1.5), in: &cell)
    distribution("load.lateness", histogram(count: samples, from: 900, growth: 0.5), in: &cell)
    if clock == "real" {
      cell.metrics["load.generator-cpu"] = .real(0.032)
      cell.metrics["cpu.user"] = .integer(4_100_000_000 + flushes * 9_000)
      cell.metrics["probe.switch-cost"] = .integer(41)
    } else {
      cell.absent["cpu.user"] = "processor time is not measured on the virtual clock"
    }
    series(samples, in: &cell)
    return cell
  }

  static func distribution(_ name: String, _ histogram: LatencyHistogram, in cell: inout CellRecord) {
    cell.histograms[name] = histogram
    cell.metrics[name + ".count"] = .integer(Int64(histogram.count))
    guard !histogram.isEmpty else { return }
    cell.metrics[name + ".min"] = histogram.minimum.map(MetricValue.integer)
    cell.metrics[name + ".max"] = histogram.maximum.map(MetricValue.integer)
    for text in ["p50", "p90", "p95", "p99", "p99.9"] {
      cell.metrics["\(name).\(text)"] = Percentile(text).flatMap { histogram.value(at: $0) }.map(
        MetricValue.integer)
    }
  }

  private static func series(_ samples: Int, in cell: inout CellRecord) {
    let buckets = 68
    func wave(_ phase: Int) -> [Int64] {
      (0..<buckets).map { bucket in
        let ramp = bucket < 20 ? 10 : bucket < 60 ? 10 + (bucket - 20) * 3 / 4 : 0
        return Int64(max(0, ramp + (bucket * 7 + phase * 5) % 5 - 2))
      }
    }
    let half: Int64 = 500_000_000
    cell.series["arrivals.planned"] = SeriesRecord(interval: half, values: wave(0))
    cell.series["iterations.started"] = SeriesRecord(interval: half, values: wave(0))
    let completed = [0, 0, 0, 0, 0] + wave(2).dropLast(5)
    cell.series["iterations.completed"] = SeriesRecord(interval: half, values: completed.map { $0 })
    cell.series["iterations.failed"] = SeriesRecord(
      interval: half, values: [Int64](repeating: 0, count: buckets))
    var level: Int64 = 0
    let inFlight = zip(wave(0), completed).map { started, ended -> Int64 in
      level = max(0, level + started - ended)
      return level
    }
    cell.series["iterations.in-flight"] = SeriesRecord(interval: half, values: inFlight)
  }

  static func gate(
    _ text: String, _ cell: CellRecord, actual: MetricValue?, limit: MetricValue, margin: Double? = nil,
    _ verdict: Verdict = .passed, reason: String? = nil
  ) -> GateRecord {
    GateRecord(
      gate: text, strategy: cell.strategy, variant: cell.variant, clock: cell.clock,
      repetition: cell.repetition,
      actual: actual, limit: limit, margin: margin, verdict: verdict, reason: reason)
  }

  static func run(
    _ cells: [CellRecord], gates: [GateRecord] = [], verdict: Verdict = .passed, reasons: [String] = [],
    loadModel: String = "open", planned: Int? = nil
  ) -> RunRecord {
    RunRecord(
      scenario: ScenarioRecord(
        name: "rapid-regeneration",
        about: "Users regenerate names quickly; does the registry become the bottleneck?",
        pipeline: "story", seed: 7, loadModel: loadModel, warmUp: 5_000_000_000,
        resolved: "name: rapid-regeneration\npipeline: story\nseed: 7\n"),
      environment: EnvironmentRecord(
        weir: "0.1", toolchain: "Swift 6.3.1", build: "release", linking: "wrapped",
        system: "Linux 6.1 x86_64",
        processor: "Some CPU, 2 cores", cores: 2, commit: "0123abc", started: "2026-01-02T03:04:05Z",
        scenarioFile: "rapid-regeneration.yaml",
        cost: cells.map { _ in
          CellCost(
            wall: 812_000_000, cpuUser: 700_000_000, cpuSystem: 60_000_000, rssPeak: 41_943_040, jobs: 91_000)
        }),
      cells: cells, cellsPlanned: planned ?? cells.count, comparisons: [], gates: gates, expectations: [],
      verdict: verdict, reasons: reasons)
  }

  /// Two strategies, one gate that holds in both and one that one of them misses.
  static func usual() -> RunRecord {
    let one = cell("per-element")
    let five = cell("batched-5", batch: 5)
    var broken = run(
      [one, five],
      gates: [
        gate("tasks.orphaned == 0", one, actual: .integer(0), limit: .integer(0)),
        gate("tasks.orphaned == 0", five, actual: .integer(0), limit: .integer(0)),
        gate(
          "staleness{at=registry}.p99 < 400ms", one, actual: .integer(97_000_000),
          limit: .integer(400_000_000),
          margin: 0.7575),
        gate(
          "staleness{at=registry}.p99 < 400ms", five, actual: .integer(475_000_000),
          limit: .integer(400_000_000),
          margin: -0.1875, .failed),
        gate(
          "latency.iteration.p99.99 < 8s", five, actual: .integer(7_000_000_000),
          limit: .integer(8_000_000_000),
          margin: 0.125, .inconclusive, reason: "needs at least 10000 samples, has 640"),
      ],
      verdict: .failed, reasons: ["gate `staleness{at=registry}.p99 < 400ms` failed in batched-5"])
    broken.cells[1].findings = [
      FindingRecord(
        name: "orphaned-task", count: 3, message: "3 tasks outlived their iteration by up to 2.5 s.",
        evidence: ["longest-ns": 2_500_000_000, "tasks": 3],
        place: "ProseStage.run() (StoryPipeline/ProseStage.swift:41)",
        iterations: [4, 9, 11], isExpected: false)
    ]
    return broken
  }

  static let hostile = [
    "a,b", "\"q\"", "line1\nline2", "=SUM(A1)", "x|y", "", "👩‍👩‍👧 emoji", String(repeating: "n", count: 300),
    "/user/<id>/info", "</script><b>", "a\\\"b", "{{x}}", "<title>", "&amp;", "'quoted", "\u{1B}[31mred\u{0}",
  ]
}
