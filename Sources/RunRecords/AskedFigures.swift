package import WorkloadInterface

/// The figures that a run's tables show besides those that always tell strategies apart: what its gates judge, and
/// what its workload declares.
package enum AskedFigures {
  /// Of a workload's distributions these are shown.
  private static let statistics = ["p50", "p99"]

  /// The terms, gates first, in their own order; those that no cell has are among them.
  ///
  /// - Parameters:
  ///   - gates: Gates as written; one that cannot be read asks for nothing.
  ///   - workload: What the workload declares.
  package static func terms(gates: [String], workload: [MetricDeclaration], cells: [CellRecord])
    -> [FigureTerm]
  {
    let catalogue = MetricCatalogue(workload: workload)
    let gated = gates.compactMap { text in
      (try? GateExpression.parse(text, catalogue: catalogue)).map {
        FigureTerm(metric: $0.metric, divisor: $0.divisor)
      }
    }
    let own = workload.flatMap { names(of: $0, in: cells) }.compactMap {
      FigureTerm($0, catalogue: catalogue)
    }
    var seen: Set<String> = []
    return (gated + own).filter { seen.insert($0.name).inserted }
  }

  /// The names under which cells hold a declared metric: with each label that occurs.
  private static func names(of metric: MetricDeclaration, in cells: [CellRecord]) -> [String] {
    var series: Set<String> = []
    for key in cells.flatMap({ Array($0.metrics.keys) }) where key.hasPrefix(metric.name) {
      let rest = key.dropFirst(metric.name.count)
      if rest.isEmpty || rest.first == "." {
        series.insert(metric.name)
      } else if rest.first == "{", let end = rest.firstIndex(of: "}") {
        series.insert(metric.name + rest[...end])
      }
    }
    guard metric.kind == .distribution else { return series.sorted() }
    return series.sorted().flatMap { name in statistics.map { "\(name).\($0)" } }
  }
}
