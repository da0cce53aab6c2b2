internal import Measurement
package import RunRecords
internal import WorkloadInterface

/// A run's figures as CSV in long form: one row for each cell, metric and statistic.
///
/// RFC 4180: CRLF after each row, quotes around fields that hold `,`, `"`, CR or LF, quotes inside doubled.
/// Spreadsheets take a text that begins with `=`, `+`, `-`, `@`, tab or CR for a formula: such texts, and those
/// that begin with `'` themselves, get a `'` in front. Whoever wants the names exactly takes one leading `'`
/// off. `users` is the load of a sweep's cell, empty elsewhere. Figures are in plain digits: durations in ns, sizes in bytes. What was not measured has an empty value.
package enum MetricsCSV {
  /// The header's names.
  package static let columns = [
    "strategy", "variant", "clock", "repetition", "metric", "statistic", "value", "unit", "users",
  ]

  /// Renders a run; cells in plan order, metrics by name.
  package static func text(_ run: RunRecord, glossary: Glossary = Glossary()) -> String {
    var text = columns.joined(separator: ",") + "\r\n"
    for cell in run.cells {
      for name in names(of: cell) {
        let (metric, statistic) = glossary.split(name, in: cell)
        let unit = glossary.unit(of: name)
        let fields = [
          field(cell.strategy), field(cell.variant), field(cell.clock), String(cell.repetition),
          field(metric),
          statistic, cell.metrics[name]?.plain ?? "", unit == .perSecond ? "per second" : unit.rawValue,
          cell.users.map(String.init) ?? "",
        ]
        text += fields.joined(separator: ",") + "\r\n"
      }
    }
    return text
  }

  /// All that was measured, was to be measured, or has no samples.
  private static func names(of cell: CellRecord) -> [String] {
    var names = Set(cell.metrics.keys).union(cell.absent.keys)
    for (name, histogram) in cell.histograms where histogram.isEmpty {
      names.formUnion(MetricName.statistics.map { "\(name).\($0)" })
    }
    return names.sorted()
  }

  /// A text as a field.
  static func field(_ text: String) -> String {
    var text = text
    if let first = text.unicodeScalars.first, "=+-@\t\r'".unicodeScalars.contains(first) { text = "'" + text }
    guard text.unicodeScalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) }) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}
