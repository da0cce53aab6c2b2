internal import RunRecords
internal import WorkloadInterface

/// The sweeps of one clock and variant as a table: a row for each strategy and number of users, what was completed, and
/// how long people and tasks waited.
struct SweepTable {
  let caption: String
  let head: [String]
  let rows: [[String]]
  /// What `*` means, if it stands anywhere.
  let footnote: String?

  /// A table for each variant and clock; none where there is but one load, whose figures have a table of their own.
  static func all(_ outline: RunOutline) -> [SweepTable] {
    var groups: [[LoadSweep]] = []
    for sweep in LoadSweep.all(of: outline.run.cells, withInterrupted: true) {
      if let index = groups.firstIndex(where: {
        $0[0].clock == sweep.clock && $0[0].variant == sweep.variant
      }) {
        groups[index].append(sweep)
      } else {
        groups.append([sweep])
      }
    }
    return groups.filter { $0.contains { $0.points.count > 1 } }.map { SweepTable($0, outline) }
  }

  /// `sweeps` is not empty.
  private init(_ sweeps: [LoadSweep], _ outline: RunOutline) {
    let actors = outline.distinct(sweeps.compactMap(\.actor))
    // Where strategies wait for different actors, each figure names its own.
    let actor = actors.count == 1 ? actors[0] : nil
    caption = "By load: " + Self.title(sweeps, outline)
    head =
      (sweeps.count > 1 ? ["strategy"] : [])
      + ["users", "completed each second", "of the first", "latency p50", "latency p99"]
      + (actors.isEmpty ? [] : ["mean wait for \(actor ?? "an actor")", "mean stay there"])
    rows = sweeps.flatMap { sweep in
      sweep.points.map { point in
        (sweeps.count > 1 ? [sweep.strategy] : []) + Self.row(point, of: sweep)
          + (actors.isEmpty ? [] : Self.waits(point, of: sweep, isNamed: actor == nil))
      }
    }
    footnote = rows.joined().contains { $0.hasSuffix("*") } ? StrategyColumns.unresolved : nil
  }

  private static func title(_ sweeps: [LoadSweep], _ outline: RunOutline) -> String {
    let cells = outline.run.cells
    let first = cells.first {
      $0.strategy == sweeps[0].strategy && $0.variant == sweeps[0].variant && $0.clock == sweeps[0].clock
        && $0.users != nil
    }
    if sweeps.count == 1 { return first?.sweepTitle(amid: cells) ?? sweeps[0].strategy }
    let parts = [
      "\(sweeps[0].clock) clock", Set(cells.map(\.variant)).count > 1 ? sweeps[0].variant : "",
      CellRecord.text(users: sweeps.flatMap { $0.points.map(\.users) }) ?? "",
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: " · ")
  }

  private static func row(_ point: LoadSweep.Point, of sweep: LoadSweep) -> [String] {
    var multiple = "–"
    if let first = sweep.points.first, !first.isInterrupted, let base = first.rate, base > 0,
      let rate = point.rate
    {
      multiple = MetricFormat.ratio(rate / base)
    }
    let rate = point.rate.map { MetricFormat.text(.real($0), unit: .perSecond) } ?? "–"
    func latency(_ value: Double?, _ isUnresolved: Bool) -> String {
      value.map { MetricFormat.duration($0) + (isUnresolved ? "*" : "") } ?? "–"
    }
    return [
      "\(point.users)" + (point.isInterrupted ? " (interrupted)" : ""), rate, multiple,
      latency(point.latency, point.isUnresolved.latency),
      latency(point.latencyTail, point.isUnresolved.latencyTail),
    ]
  }

  private static func waits(_ point: LoadSweep.Point, of sweep: LoadSweep, isNamed: Bool) -> [String] {
    [point.wait, point.hold].enumerated().map { index, value in
      let name = isNamed && index == 0 ? sweep.actor.map { " (\($0))" } ?? "" : ""
      return value.map { MetricFormat.duration($0) + name } ?? "–"
    }
  }
}

/// The page's tables of sweeps.
enum SweepSections {
  static func html(_ outline: RunOutline) -> String {
    SweepTable.all(outline).enumerated().map { index, table in
      HTML.section(
        "sweep-\(index + 1)", table.caption,
        HTML.table(
          head: table.head,
          rows: table.rows.map { row in
            row.enumerated().map { $0 == 0 ? HTML.words("span", $1) : HTML.escaped($1) }
          }) + (table.footnote.map { HTML.words("p", $0, class: "note") } ?? ""))
    }.joined()
  }
}

extension TerminalPage {
  /// A table for the sweeps of each variant and clock.
  mutating func sweeps(_ outline: RunOutline) {
    for table in SweepTable.all(outline) {
      heading(table.caption)
      let columns = table.head.indices.map { column in sweepColumn(table, column) }
      let height = columns.map(\.head.count).max() ?? 0
      for line in 0..<height {
        let parts = columns.map { column in
          let index = line - (height - column.head.count)
          return Self.padded(
            index < 0 ? "" : column.head[index].replacing("-", with: " "), column.width,
            isRight: column.isRight)
        }
        row("  " + parts.joined(separator: "  "), tint: .faint)
      }
      for index in table.rows.indices {
        row(
          "  "
            + columns.map { Self.padded($0.texts[index], $0.width, isRight: $0.isRight) }.joined(
              separator: "  ")
        )
      }
      if let footnote = table.footnote { item(footnote) }
    }
  }

  private struct SweepColumn {
    var head: [String]
    var texts: [String]
    var width: Int
    var isRight: Bool
  }

  private func sweepColumn(_ table: SweepTable, _ column: Int) -> SweepColumn {
    let head = ColumnHead.lines(
      Self.clean(table.head[column]).replacing(" ", with: "-"), width: 10, atMost: 4)
    let cells = table.rows.map { Self.clean($0[column]) }
    let isStarred = cells.contains { $0.hasSuffix("*") }
    let texts = cells.map { $0 + (isStarred && !$0.hasSuffix("*") ? " " : "") }
    let width = max(head.map(\.count).max() ?? 0, texts.map(\.count).max() ?? 0)
    return SweepColumn(
      head: head, texts: texts, width: width, isRight: table.head[column] != "strategy")
  }
}
