internal import Foundation
internal import Measurement
internal import RunRecords

/// What the page's charts are drawn from, as JSON: bounded in size, whatever the run's length.
struct ChartData {
  /// A chart's place in the page.
  struct Figure {
    var id: String
    /// What it shows, for those who do not see it.
    var label: String
    var caption: String
  }
  /// Percentile curves of one variant and clock.
  struct Percentiles {
    /// The table that it belongs to.
    var table: String
    var figure: Figure
    var series: [Curve]
  }
  /// The course of one cell, or of several that went alike.
  struct Course {
    /// The table that it belongs to.
    var table: String
    var figure: Figure
    var interval: Double
    var series: [Line]
    /// The titles of the cells.
    var titles: [String]
  }
  struct Curve: Encodable {
    var name: String
    var index: Int
    var isService: Bool
    /// 1/(1 − p) and the value in ms.
    var points: [[Double]]
  }
  struct Line: Encodable, Equatable {
    var name: String
    /// Each second, or a level.
    var isLevel: Bool
    var values: [Double]
  }

  var percentiles: [Percentiles] = []
  var courses: [Course] = []

  /// The most points that one line has, where a chart has the page's width and where several stand side by side.
  private static let mostPoints = (wide: 240, narrow: 90)

  var isEmpty: Bool { percentiles.isEmpty && courses.isEmpty }

  init(_ outline: RunOutline) {
    for table in outline.tables {
      let curves = LatencyCurves.of(table, cells: outline.run.cells).filter { !$0.histogram.isEmpty }
      if !curves.isEmpty {
        percentiles.append(Self.percentiles(curves, table, id: "percentiles-\(percentiles.count)"))
      }
      for strategy in table.strategies {
        let cell = outline.run.cells.first { $0.strategy == strategy && table.holds($0) }
        if let cell,
          let course = Self.course(
            cell, outline, table: FigureSections.id("", table), isWide: table.strategies.count == 1,
            id: "course-\(courses.count)")
        {
          add(course)
        }
      }
    }
  }

  /// Strategies whose courses are the same share a chart.
  private mutating func add(_ course: Course) {
    let same = courses.firstIndex {
      $0.table == course.table && $0.interval == course.interval && $0.series == course.series
    }
    guard let same else { return courses.append(course) }
    courses[same].titles += course.titles
    courses[same].figure.caption = courses[same].titles.joined(separator: ", ")
    courses[same].figure.label = Self.label(courses[same].titles)
  }

  private static func label(_ titles: [String]) -> String {
    "Line chart of \(titles.joined(separator: ", ")): iterations planned, started and completed each second, and in flight, over time."
  }

  private static func percentiles(_ curves: [LatencyCurves], _ table: StrategyFigures, id: String)
    -> Percentiles
  {
    let series = curves.map { curve in
      Curve(
        name: curve.name, index: curve.index, isService: curve.isService,
        points: curve.histogram.curve().map { point in
          // The maximum has no place on this axis; it stands where one sample of all is left above.
          let rest = Double(Percentile.whole - point.percentile.parts) / Double(Percentile.whole)
          let x = rest > 0 ? min(1 / rest, Double(curve.histogram.count)) : Double(curve.histogram.count)
          return [(x * 1_000).rounded() / 1_000, Double(point.value) / 1e6]
        })
    }
    let service = curves.contains(where: \.isService) ? " Thin: service time, from the real start." : ""
    return Percentiles(
      table: FigureSections.id("", table),
      figure: Figure(
        id: id,
        label:
          "Line chart: latency of an iteration by percentile, a line for each strategy. The table below has the figures.",
        caption:
          "Latency by percentile; from p90 on each mark is ten times rarer than the one before.\(service)"),
      series: series)
  }

  private static let shown: [(key: String, name: String, isLevel: Bool)] = [
    ("arrivals.planned", "planned", false), ("iterations.started", "started", false),
    ("iterations.completed", "completed", false), ("iterations.failed", "failed", false),
    ("iterations.in-flight", "in flight", true),
  ]

  private static func course(
    _ cell: CellRecord, _ outline: RunOutline, table: String, isWide: Bool, id: String
  ) -> Course? {
    let present = shown.filter { cell.series[$0.key].map { $0.interval > 0 && !$0.values.isEmpty } ?? false }
    let records = present.compactMap { cell.series[$0.key] }
    guard let interval = records.first?.interval, records.allSatisfy({ $0.interval == interval }) else {
      return nil
    }
    let longest = records.map(\.values.count).max() ?? 0
    let most = isWide ? mostPoints.wide : mostPoints.narrow
    let step = max(1, (longest + most - 1) / most)
    let seconds = Double(interval) * Double(step) / 1e9
    let lines = zip(present, records).compactMap { shown, record -> Line? in
      if shown.key == "iterations.failed", record.values.allSatisfy({ $0 == 0 }) { return nil }
      let values = stride(from: 0, to: record.values.count, by: step).map { start -> Double in
        let part = record.values[start..<min(start + step, record.values.count)]
        return shown.isLevel
          ? Double(part.max() ?? 0) : (Double(part.reduce(0, +)) / seconds * 1_000).rounded() / 1_000
      }
      return Line(name: shown.name, isLevel: shown.isLevel, values: values)
    }
    let title = outline.title(cell) + (cell.verdict == .interrupted ? " (interrupted)" : "")
    return Course(
      table: table,
      figure: Figure(id: id, label: label([title]), caption: title),
      interval: seconds, series: lines, titles: [title])
  }

  /// The data as JSON in which no `<`, `>` or `&` stands, so that no text of a record can end the element.
  var json: String {
    struct Whole: Encodable {
      struct Chart<Series: Encodable>: Encodable {
        var id: String
        /// Charts of one group have the same scales.
        var group: String
        var interval: Double?
        var series: [Series]
      }
      var percentiles: [Chart<Curve>]
      var courses: [Chart<Line>]
    }
    let whole = Whole(
      percentiles: percentiles.map { .init(id: $0.figure.id, group: "", interval: nil, series: $0.series) },
      courses: courses.map {
        .init(
          id: $0.figure.id, group: $0.table, interval: $0.interval, series: $0.series)
      })
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(whole) else { return "{}" }
    return String(decoding: data, as: UTF8.self)
      .replacing("<", with: "\\u003c").replacing(">", with: "\\u003e").replacing("&", with: "\\u0026")
  }
}
