internal import Gates
internal import Reports
internal import RunRecords
internal import Scenarios
internal import WorkloadInterface

/// Makes the record of a run out of the records of its cells.
struct RunJudging {
  let scenario: Scenario
  let workload: WorkloadDeclaration

  /// The record of the cells so far.
  ///
  /// - Throws: `WorkFailure` when a gate cannot be read, which reading the scenario rules out.
  func record(
    _ cells: [CellRecord], environment: EnvironmentRecord, isInterrupted: Bool
  ) throws(WorkFailure) -> RunRecord {
    RunJudge.assemble(
      scenario: scenarioRecord, environment: environment, cells: cells, cellsPlanned: scenario.cells().count,
      gates: try gates(), expectations: scenario.expectations.map { ($0.finding, $0.count) },
      interrupted: isInterrupted, workload: workload.metrics)
  }

  private func gates() throws(WorkFailure) -> [GateExpression] {
    let catalogue = MetricCatalogue(workload: workload.metrics)
    var gates: [GateExpression] = []
    for text in scenario.gates {
      do throws(GateSyntaxError) {
        gates.append(try GateExpression.parse(text, catalogue: catalogue))
      } catch {
        throw WorkFailure(
          "the gate `\(text)` passed the scenario's checks and cannot be read: \(error.message)")
      }
    }
    return gates
  }

  private var scenarioRecord: ScenarioRecord {
    ScenarioRecord(
      name: scenario.name, about: scenario.about, pipeline: scenario.pipeline, seed: scenario.seed,
      loadModel: scenario.loadModel, warmUp: scenario.load.warmUp, resolved: scenario.resolvedText,
      gatesLeftOut: scenario.gatesLeftOut.isEmpty ? nil : scenario.gatesLeftOut)
  }
}

extension Glossary {
  /// What the names of one workload mean.
  init(of workload: WorkloadDeclaration?) {
    self.init(metrics: workload?.metrics ?? [], findings: workload?.findings ?? [])
  }
}

extension Scenario {
  /// `open` or `closed`.
  var loadModel: String {
    switch load.model {
    case .open: "open"
    case .closed: "closed"
    }
  }
}
