internal import RunRecords
package import WorkloadInterface

/// What the names in a record mean: Weir's own metrics and findings and, if given, those of one workload.
///
/// A record renders without the workload's part too: then its own metrics are plain numbers and its findings
/// carry no advice.
package struct Glossary: Sendable {
  private let catalogue: MetricCatalogue
  private let workload: [MetricDeclaration]
  private let findings: [String: FindingDeclaration]

  /// Makes a glossary; pass what the run's workload declares.
  package init(metrics: [MetricDeclaration] = [], findings: [FindingDeclaration] = []) {
    catalogue = MetricCatalogue(workload: metrics)
    workload = metrics
    self.findings = Dictionary(
      FindingCatalogue.all(with: findings).map { ($0.name, $0) }, uniquingKeysWith: { _, own in own })
  }

  /// The strategies of a run side by side, with what its gates judge and its workload declares.
  func tables(of run: RunRecord) -> [StrategyFigures] {
    let gates = run.gates.map(\.gate) + (run.scenario.gatesLeftOut ?? [])
    return StrategyFigures.tables(
      of: run.cells, besides: AskedFigures.terms(gates: gates, workload: workload, cells: run.cells),
      withInterrupted: true
    ).filter { !$0.rows.isEmpty || $0.isInterrupted.contains(false) }
  }

  /// What to do about a finding; nil when it is not declared.
  func advice(for finding: String) -> String? { findings[finding]?.advice }

  /// What a metric means; nil when it is not declared.
  func about(_ metric: String) -> String? { (try? catalogue.resolve(metric))?.definition.about }

  /// A metric's unit; a plain number when it is not declared.
  func unit(of metric: String) -> MetricDeclaration.Unit {
    FigureTerm(metric, catalogue: catalogue)?.unit ?? .count
  }

  /// A metric's figure with its unit.
  func text(_ value: MetricValue, of metric: String) -> String {
    MetricFormat.text(value, unit: unit(of: metric))
  }

  /// A gate's figure with its unit.
  func text(_ value: MetricValue, ofGate gate: String) -> String {
    let expression = try? GateExpression.parse(gate, catalogue: catalogue)
    let unit = expression.map { FigureTerm(metric: $0.metric, divisor: $0.divisor).unit } ?? .count
    return MetricFormat.text(value, unit: unit)
  }

  /// A metric's name in two parts: what it is of, and the statistic if it has one.
  func split(_ metric: String, in cell: CellRecord) -> (name: String, statistic: String) {
    if let resolved = try? catalogue.resolve(metric) {
      return (resolved.name.series, resolved.name.statistic ?? "")
    }
    for index in metric.indices.reversed() where metric[index] == "." {
      let (head, tail) = (String(metric[..<index]), String(metric[metric.index(after: index)...]))
      guard MetricName.statistics.contains(tail) else { continue }
      if cell.histograms[head] != nil || cell.metrics[head + ".count"] != nil { return (head, tail) }
    }
    return (metric, "")
  }
}
