internal import RunRecords
internal import WorkloadInterface

/// A sweep as a table: a row for each number of users, what was completed, and how long people and tasks waited.
struct SweepTable {
  let caption: String
  let head: [String]
  let rows: [[String]]

  init(_ sweep: LoadSweep, _ outline: RunOutline) {
    let cell = outline.run.cells.first {
      $0.strategy == sweep.strategy && $0.variant == sweep.variant && $0.clock == sweep.clock
        && $0.users != nil
    }
    caption = "By load: " + (cell?.sweepTitle(amid: outline.run.cells) ?? sweep.strategy)
    head =
      ["users", "completed each second", "of the first", "latency p50", "latency p99"]
      + (sweep.actor.map { ["mean wait for \($0)", "mean stay there"] } ?? [])
    let first = sweep.points.first?.rate
    rows = sweep.points.map { point in
      var multiple = "–"
      if let first, first > 0, let rate = point.rate { multiple = MetricFormat.ratio(rate / first) }
      let rate = point.rate.map { MetricFormat.text(.real($0), unit: .perSecond) } ?? "–"
      let figures =
        [point.latency, point.latencyTail] + (sweep.actor == nil ? [] : [point.wait, point.hold])
      return [String(point.users), rate, multiple] + figures.map { $0.map(MetricFormat.duration) ?? "–" }
    }
  }
}

/// The page's tables of sweeps.
enum SweepSections {
  static func html(_ outline: RunOutline) -> String {
    LoadSweep.all(of: outline.run.cells).enumerated().map { index, sweep in
      let table = SweepTable(sweep, outline)
      return HTML.section(
        "sweep-\(index + 1)", table.caption,
        HTML.table(
          head: table.head,
          rows: table.rows.map { row in
            row.enumerated().map { $0 == 0 ? HTML.words("span", $1) : HTML.escaped($1) }
          }))
    }.joined()
  }
}

extension TerminalPage {
  /// A table for each sweep.
  mutating func sweeps(_ outline: RunOutline) {
    for sweep in LoadSweep.all(of: outline.run.cells) {
      let table = SweepTable(sweep, outline)
      heading(table.caption)
      let heads = table.head.map {
        ColumnHead.lines(Self.clean($0).replacing(" ", with: "-"), width: 10, atMost: 4)
      }
      let widths = table.head.indices.map { column in
        max(heads[column].map(\.count).max() ?? 0, table.rows.map { $0[column].count }.max() ?? 0)
      }
      let height = heads.map(\.count).max() ?? 0
      for line in 0..<height {
        let parts = heads.indices.map { column in
          let index = line - (height - heads[column].count)
          return Self.padded(
            index < 0 ? "" : heads[column][index].replacing("-", with: " "), widths[column], isRight: true)
        }
        row("  " + parts.joined(separator: "  "), tint: .faint)
      }
      for figures in table.rows {
        row("  " + zip(figures, widths).map { Self.padded($0, $1, isRight: true) }.joined(separator: "  "))
      }
    }
  }
}
