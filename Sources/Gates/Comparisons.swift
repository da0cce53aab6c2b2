package import RunRecords

/// Holds the strategies of a run against the first.
package enum Comparisons {
  /// One record for each variant, clock, telling metric and strategy after the first, where both have the metric.
  ///
  /// Figures are medians over the repetitions. On the virtual clock nothing about throughput is compared: there
  /// strategies cannot differ in it. Counts of different coverage are not compared.
  ///
  /// - Parameter asked: Figures to be compared besides the usual ones, where a cell has them.
  package static func records(of cells: [CellRecord], besides asked: [FigureTerm] = []) -> [ComparisonRecord]
  {
    StrategyFigures.tables(of: cells, besides: asked).flatMap { table in
      table.rows.flatMap { row in
        table.strategies.indices.dropFirst().compactMap { index in
          guard row.isComparable[index], let base = row.values[0], let value = row.values[index] else {
            return nil
          }
          return ComparisonRecord(
            metric: row.term.name, strategy: table.strategies[index], against: table.strategies[0],
            variant: table.variant, clock: table.clock, users: table.users, value: value, base: base,
            ratio: row.ratio(index))
        }
      }
    }
  }
}
