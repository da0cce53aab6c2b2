internal import Gates
internal import RunEngine
internal import RunRecords
internal import Scenarios
internal import WorkloadInterface

/// Holds a record that was read against the scenario in it: nothing that was cut out or written over by hand passes.
struct RunAudit {
  /// What this program knows of pipelines.
  let tool: Tool

  /// The record; where it contradicts itself, `invalid` with what does not fit.
  func audited(_ run: RunRecord) -> RunRecord {
    let faults = faults(in: run)
    guard !faults.isEmpty else { return run }
    let more = faults.count > 5 ? "; and \(faults.count - 5) more" : ""
    var run = run
    run.reasons.insert(
      "record altered or incomplete: \(faults.prefix(5).joined(separator: "; "))\(more)", at: 0)
    // Graver words are no excuse: nothing in it can be believed.
    run.verdict = .invalid
    return run
  }

  private func faults(in run: RunRecord) -> [String] {
    if run.scenario.isRecording {
      let isPlain = run.scenario.pipeline.isEmpty && run.gates.isEmpty && run.expectations.isEmpty
      return (isPlain ? [] : ["it says that a program was recorded, and has gates or a pipeline"])
        + RecordCheck.faults(in: run, plan: nil)
    }
    let workloads = tool.workloads.map(\.declaration)
    // Somebody's own pipeline: what it asks for is not known here.
    guard workloads.contains(where: { $0.name == run.scenario.pipeline }) else {
      return RecordCheck.faults(in: run, plan: nil)
    }
    switch ScenarioReader(workloads: workloads).read(
      text: run.scenario.resolved, file: "the record's scenario")
    {
    case .failure(let errors):
      return ["its scenario cannot be read: \(errors.diagnostics.first?.message ?? "")"]
        + RecordCheck.faults(in: run, plan: nil)
    case .success(let scenario):
      return Self.head(run.scenario, scenario) + Self.checked(run, scenario, workloads)
    }
  }

  /// What reports show of the scenario, against the whole of it.
  private static func head(_ record: ScenarioRecord, _ scenario: Scenario) -> [String] {
    let isSame =
      record.name == scenario.name && record.pipeline == scenario.pipeline && record.seed == scenario.seed
      && record.warmUp == scenario.load.warmUp && record.loadModel == scenario.loadModel
    return isSame ? [] : ["name, pipeline, load, seed or warm-up are not those of its scenario"]
  }

  private static func checked(
    _ run: RunRecord, _ scenario: Scenario, _ workloads: [WorkloadDeclaration]
  ) -> [String] {
    let metrics = workloads.first { $0.name == scenario.pipeline }?.metrics ?? []
    let catalogue = MetricCatalogue(workload: metrics)
    let gates = scenario.gates.compactMap { try? GateExpression.parse($0, catalogue: catalogue) }
    guard gates.count == scenario.gates.count else { return ["a gate of its scenario cannot be read"] }
    return RecordCheck.faults(
      in: run,
      plan: .init(
        cells: scenario.cells().map {
          .init(
            strategy: $0.strategy.name, variant: $0.variant, clock: $0.clock.rawValue,
            repetition: $0.repetition, users: $0.users)
        }, gates: gates, expectations: scenario.expectations.map { ($0.finding, $0.count) },
        droppedShare: Validity.judgesDrops(scenario.gates) ? nil : Validity.droppedShare,
        lateness: Validity.lateness))
  }
}
