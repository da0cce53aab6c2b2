internal import RunRecords

/// The strategies side by side as texts: a row for each metric, a column for each strategy.
struct StrategyColumns {
  var names: [String]
  /// The metric, then for each strategy the figure and its ratio to the first.
  var rows: [(metric: String, cells: [(value: String, ratio: String)])]
  /// What `*` means, if it stands anywhere.
  var footnote: String?

  /// What `*` means.
  static let unresolved = "* too few samples for this percentile: the tail is not resolved"

  init(_ table: StrategyFigures, glossary: Glossary) {
    names = table.titles
    rows = table.rows.map { row in
      let cells = row.values.enumerated().map { index, value -> (value: String, ratio: String) in
        guard let value else { return ("–", "") }
        let text = MetricFormat.text(value, unit: row.term.unit) + (row.isUnresolved[index] ? "*" : "")
        let ratio = index == 0 ? "" : MetricFormat.ratio(row.ratio(index))
        // What is equal needs no multiple.
        return (text, ratio == MetricFormat.ratio(1) ? "" : ratio)
      }
      return (row.term.name, cells)
    }
    if table.rows.contains(where: { $0.isUnresolved.contains(true) }) {
      footnote = Self.unresolved
    }
  }
}
