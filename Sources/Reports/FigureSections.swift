internal import Measurement
internal import RunRecords

/// The page's second part: the strategies side by side, their latencies, and the course of the run.
enum FigureSections {
  static func html(_ outline: RunOutline, charts: ChartData?) -> String {
    if outline.run.scenario.isRecording { return recorded(outline) }
    let tables = outline.tables
    guard !tables.isEmpty else {
      return HTML.section("strategies", "Strategies", HTML.words("p", "no samples"))
    }
    return SweepSections.html(outline)
      + tables.map { table in
        strategies(table, outline) + latencies(table, outline, charts) + course(table, outline, charts)
      }.joined()
  }

  /// A recorded program has no strategies: all of its figures in one table.
  private static func recorded(_ outline: RunOutline) -> String {
    guard let cell = outline.run.cells.first else { return "" }
    let rows = RecordedFigures.rows(cell, glossary: outline.glossary).map {
      [HTML.metric($0.name), HTML.escaped($0.text)]
    }
    return HTML.section("figures", "Figures", HTML.table(head: ["metric", "figure"], rows: rows))
  }

  /// The name of a part that belongs to a table.
  static func id(_ name: String, _ table: StrategyFigures) -> String {
    "\(name)-\(table.clock)-\(table.variant)" + (table.users.map { "-\($0)" } ?? "")
  }

  private static func strategies(_ table: StrategyFigures, _ outline: RunOutline) -> String {
    let columns = StrategyColumns(table, glossary: outline.glossary)
    let isShared = columns.rows.map { $0.cells.count > 1 && Set($0.cells.map(\.value)).count == 1 }
    // What all strategies share is said once, below; where nothing differs the table says it.
    let folds = isShared.contains(false)
    let same = zip(columns.rows, isShared).filter { folds && $0.1 }.map {
      "\($0.0.metric) \($0.0.cells[0].value)"
    }
    let rows = columns.rows.indices.filter { !(folds && isShared[$0]) }.map { index -> [String] in
      let row = columns.rows[index]
      let figures = table.rows[index]
      let most = figures.values.compactMap { $0?.double }.max() ?? 0
      return [HTML.metric(row.metric)]
        + row.cells.enumerated().map { index, cell in
          let share = most > 0 ? (figures.values[index]?.double ?? 0) / most : 0
          // Where the first strategy has 0 there is no multiple of it.
          let ratio = ["", "n/a"].contains(cell.ratio) ? "" : " " + HTML.words("small", cell.ratio)
          // One strategy alone has nothing to be held against. Bars of a row stand in line, multiples below them.
          return HTML.words("span", cell.value) + (row.cells.count > 1 ? HTML.bar(share) : "") + ratio
        }
    }
    let first = table.strategies[0]
    let lead =
      table.strategies.count > 1
      ? HTML.words("p", "Multiples are of \(first). Bars are drawn within each row.", class: "note") : ""
    let foot = columns.footnote.map { HTML.words("p", $0, class: "note") } ?? ""
    return HTML.section(
      id("strategies", table), "Strategies, \(outline.caption(table))",
      lead + HTML.table(head: ["metric"] + columns.names, rows: rows, class: "compare")
        + (same.isEmpty
          ? "" : HTML.words("p", "Same for all: " + same.joined(separator: " · "), class: "note"))
        + foot)
  }

  private static let percentiles: [Percentile] = [.p50, .p90, .p95, .p99, .p99_9]

  private static func latencies(_ table: StrategyFigures, _ outline: RunOutline, _ charts: ChartData?)
    -> String
  {
    let rows = LatencyCurves.of(table, cells: outline.run.cells).map { curve in
      let points = percentiles.map { percentile -> String in
        guard let point = curve.histogram.point(at: percentile) else { return "no samples" }
        let mark = curve.histogram.isResolved(percentile) ? "" : "*"
        // Above the histogram's range only the bound is known.
        let bound = point.isLowerBound ? "≥ " : ""
        return HTML.escaped(bound + MetricFormat.duration(Double(point.value)) + mark)
      }
      let most = curve.histogram.maximum.map { MetricFormat.duration(Double($0)) } ?? "no samples"
      return [HTML.escaped(curve.name), MetricFormat.grouped(Int64(clamping: curve.histogram.count))] + points
        + [HTML.escaped(most)]
    }
    guard !rows.isEmpty else { return "" }
    let isCut = rows.contains { $0.contains { $0.hasSuffix("*") } }
    let note =
      isCut
      ? HTML.words("p", StrategyColumns.unresolved, class: "note")
      : ""
    let head = ["strategy", "n"] + percentiles.map(\.description) + ["max"]
    return HTML.section(
      id("latency", table), "Latency of an iteration, \(outline.caption(table))",
      figure(
        charts?.percentiles.first { $0.table == id("", table) }.map(\.figure))
        + HTML.table(head: head, rows: rows) + note)
  }

  private static func course(_ table: StrategyFigures, _ outline: RunOutline, _ charts: ChartData?) -> String
  {
    let mine = charts?.courses.filter { $0.table == id("", table) } ?? []
    guard !mine.isEmpty else { return "" }
    let figures = mine.map { figure($0.figure) }.joined()
    let isOne = mine.count == 1
    return HTML.section(
      id("course", table), "Course of the run, \(outline.caption(table))",
      (isOne ? "" : key(mine))
        + HTML.element("div", [("class", isOne ? "courses one" : "courses")], figures))
  }

  /// What the lines of many small charts mean, said once; shown with the charts.
  private static func key(_ courses: [ChartData.Course]) -> String {
    var seen: Set<String> = []
    let names = courses.flatMap(\.series).map(\.name).filter { seen.insert($0).inserted }
    let items = names.map { name in
      HTML.element(
        "li", [("class", "k-" + name.replacing(" ", with: "-"))],
        HTML.escaped(name == "in flight" ? "in flight (right)" : name))
    }
    return HTML.element("ul", [("class", "key"), ("hidden", "")], items.joined()) + "\n"
      + HTML.words(
        "p", "All of them have the same scales; strategies that went alike share a chart.", class: "note")
  }

  /// A chart's place: hidden until the script has drawn it. What it shows stands in words and in tables too.
  private static func figure(_ figure: ChartData.Figure?) -> String {
    guard let figure else { return "" }
    let canvas = HTML.element(
      "canvas", [("id", figure.id), ("role", "img"), ("aria-label", figure.label)], "")
    return HTML.element(
      "figure", [("class", "chart"), ("hidden", "")],
      HTML.element("div", [("class", "plot")], canvas) + HTML.words("figcaption", figure.caption)) + "\n"
  }
}

/// The latency distributions that the curves are drawn from: over all repetitions of a strategy.
struct LatencyCurves {
  var name: String
  /// The strategy's place among the strategies.
  var index: Int
  /// Whether it is service time, from the real start.
  var isService: Bool
  var histogram: LatencyHistogram

  /// From the intended start for each strategy; service time beside it where it differs.
  static func of(_ table: StrategyFigures, cells: [CellRecord]) -> [LatencyCurves] {
    let mine = cells.filter(table.holds)
    return table.strategies.enumerated().flatMap { index, strategy -> [LatencyCurves] in
      let own = mine.filter { $0.strategy == strategy }
      guard let latency = merged("latency.iteration", own) else { return [] }
      let curve = LatencyCurves(name: table.titles[index], index: index, isService: false, histogram: latency)
      guard let service = merged("service.iteration", own), service != latency else { return [curve] }
      return [
        curve,
        LatencyCurves(
          name: "\(table.titles[index]), service", index: index, isService: true, histogram: service),
      ]
    }
  }

  private static func merged(_ name: String, _ cells: [CellRecord]) -> LatencyHistogram? {
    var whole: LatencyHistogram?
    for histogram in cells.compactMap({ $0.histograms[name] }) {
      if whole == nil { whole = histogram } else { try? whole?.merge(histogram) }
    }
    return whole
  }
}
