import Gates
import Measurement
import RunRecords

/// Cells and gates made up for tests.
enum Fixture {
  static func cell(
    _ strategy: String = "per-element", variant: String = "sound", clock: String = "virtual",
    repetition: Int = 1,
    verdict: Verdict = .passed, metrics: [String: MetricValue] = [:]
  ) -> CellRecord {
    var cell = CellRecord(
      strategy: strategy, variant: variant, clock: clock, repetition: repetition, verdict: verdict)
    cell.coverage = .wholeRuntime
    cell.metrics = metrics
    return cell
  }

  static func finding(_ name: String, count: Int = 1) -> FindingRecord {
    FindingRecord(
      name: name, count: count, message: "seen", evidence: [:], place: nil, iterations: [], isExpected: false)
  }

  static func gate(_ text: String) throws -> GateExpression {
    try GateExpression.parse(text, catalogue: MetricCatalogue())
  }

  static func samples(_ count: Int, value: Int64) -> LatencyHistogram {
    var histogram = LatencyHistogram()
    histogram.record(value, count: UInt64(count))
    return histogram
  }

  static func run(
    _ cells: [CellRecord], planned: Int? = nil, gates: [String] = [],
    expectations: [(finding: String, count: Int?)] = [], interrupted: Bool = false, leftOut: [String]? = nil
  ) throws -> RunRecord {
    var scenario = scenario
    scenario.gatesLeftOut = leftOut
    return RunJudge.assemble(
      scenario: scenario, environment: environment, cells: cells, cellsPlanned: planned ?? cells.count,
      gates: try gates.map(gate), expectations: expectations, interrupted: interrupted)
  }

  static let scenario = ScenarioRecord(
    name: "s", about: "", pipeline: "story", seed: 1, loadModel: "open", warmUp: 0, resolved: "")
  static let environment = EnvironmentRecord(
    weir: "0", toolchain: "", build: "debug", linking: "absent", system: "", processor: "", cores: 1,
    commit: nil,
    started: "", scenarioFile: "")
}
