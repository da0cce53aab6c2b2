internal import RunRecords
internal import WorkloadInterface

/// Strategies side by side for a narrow page: what they share is said once, what differs has a column for each
/// metric, the most telling first.
struct StrategyMatrix {
  /// How one figure stands among the others of its column.
  enum Standing { case best, worst, between }

  /// One figure: the text, its multiple of the first strategy's where they differ, and how it stands.
  struct Cell {
    var value: String
    var ratio: String
    var standing: Standing
  }

  /// One metric that differs, and its figure in each row.
  struct Column {
    var name: String
    var cells: [Cell]
    fileprivate var spread: Spread
  }

  /// How far the figures of a metric lie apart.
  fileprivate enum Spread { case large, moderate, small }

  /// The strategies, or the clocks and variants of the only strategy.
  let labels: [String]
  /// The strategy that the ratios are taken against; nil where there are none.
  let base: String?
  /// Metrics that differ: between strategies the most telling first, else in their usual order.
  let columns: [Column]
  /// Metrics with one figure for all: name and figure.
  let same: [(name: String, text: String)]
  /// Metrics whose figures lie within 2 % of one another: name and range.
  let close: [(name: String, text: String)]
  /// Whether `*` stands anywhere.
  let hasUnresolved: Bool

  private static let closeness = 1.02

  /// A matrix for each variant and clock; only one where there is but one strategy, with a row for each.
  static func all(_ tables: [StrategyFigures]) -> [(tables: [StrategyFigures], matrix: StrategyMatrix)] {
    let names = Set(tables.map(\.strategies))
    if tables.count > 1, names.count == 1, names.first?.count == 1 {
      return [(tables, StrategyMatrix(Series.merged(tables), labels: labels(tables), base: nil))]
    }
    return tables.map { table in
      let base = table.strategies.count > 1 ? table.strategies[0] : nil
      return ([table], StrategyMatrix(Series.compared(table), labels: table.titles, base: base))
    }
  }

  private static func labels(_ tables: [StrategyFigures]) -> [String] {
    let clocks = Set(tables.map(\.clock)).count
    let variants = Set(tables.map(\.variant)).count
    let isSweep = tables.contains { $0.users != nil }
    return tables.map { table in
      let parts = [
        variants > 1 ? table.variant : "", clocks > 1 || variants == 1 && !isSweep ? table.clock : "",
        table.users.map { CellRecord.text(users: $0) } ?? "", table.isInterrupted[0] ? "interrupted" : "",
      ]
      return parts.filter { !$0.isEmpty }.joined(separator: " · ")
    }
  }

  private init(_ series: [Series], labels: [String], base: String?) {
    self.labels = labels
    self.base = base
    hasUnresolved = series.contains { $0.isUnresolved.contains(true) }
    var columns: [Column] = []
    var same: [(String, String)] = []
    var close: [(String, String)] = []
    for line in series {
      if let text = line.sharedText {
        same.append((line.term.name, text))
      } else if let range = line.range(within: Self.closeness) {
        close.append((line.term.name, range))
      } else {
        columns.append(
          Column(name: line.term.name, cells: line.cells(isCompared: base != nil), spread: line.spread))
      }
    }
    // Within each spread the metrics keep their order.
    let ranked = [Spread.large, .moderate, .small].flatMap { spread in columns.filter { $0.spread == spread }
    }
    self.columns = base == nil ? columns : ranked
    self.same = same
    self.close = close
  }
}

/// One metric over the rows of a matrix.
private struct Series {
  let term: FigureTerm
  let values: [MetricValue?]
  let isUnresolved: [Bool]
  /// Multiples of the first; nil where there is none.
  let ratios: [Double?]
  let isComparable: [Bool]

  static func compared(_ table: StrategyFigures) -> [Series] {
    table.rows.map { row in
      Series(
        term: row.term, values: row.values, isUnresolved: row.isUnresolved,
        ratios: row.values.indices.map(row.ratio), isComparable: row.isComparable)
    }
  }

  /// The only strategy of each table, a row for each table.
  static func merged(_ tables: [StrategyFigures]) -> [Series] {
    var seen: Set<String> = []
    let terms = tables.flatMap(\.rows).map(\.term).filter { seen.insert($0.name).inserted }
    return terms.map { term in
      let rows = tables.map { table in table.rows.first { $0.term.name == term.name } }
      return Series(
        term: term, values: rows.map { $0?.values[0] },
        isUnresolved: rows.map { $0?.isUnresolved[0] ?? false },
        ratios: rows.map { _ in nil }, isComparable: rows.map { _ in true })
    }
  }

  private func text(_ index: Int) -> String? {
    values[index].map { MetricFormat.text($0, unit: term.unit) }
  }

  private func starred(_ index: Int) -> String {
    text(index).map { $0 + (isUnresolved[index] ? "*" : "") } ?? "–"
  }

  /// The figure that all show.
  var sharedText: String? {
    guard let first = text(0), values.indices.allSatisfy({ text($0) == first }) else { return nil }
    return first + (isUnresolved.contains(true) ? "*" : "")
  }

  /// Least and most where all lie so near to one another.
  func range(within closeness: Double) -> String? {
    let ranked = values.indices.filter { values[$0] != nil }.sorted { figure($0) < figure($1) }
    guard ranked.count == values.count, !isComparable.contains(false), let least = ranked.first,
      let most = ranked.last, figure(least) > 0, figure(most) / figure(least) <= closeness
    else { return nil }
    return "\(starred(least)) to \(starred(most))"
  }

  var spread: StrategyMatrix.Spread {
    let figures = values.compactMap { $0?.double }
    guard let least = figures.min(), let most = figures.max(), least > 0, most / least < 2 else {
      return .large
    }
    return most / least < 1.1 ? .small : .moderate
  }

  func cells(isCompared: Bool) -> [StrategyMatrix.Cell] {
    values.indices.map { index in
      StrategyMatrix.Cell(
        value: starred(index), ratio: isCompared ? ratio(index) : "",
        standing: isCompared ? standing(index) : .between)
    }
  }

  private func ratio(_ index: Int) -> String {
    guard index > 0, values[index] != nil, values[0] != nil else { return "" }
    guard isComparable[index] else { return "n/a" }
    guard let ratio = ratios[index] else { return "" }
    let multiple = MetricFormat.ratio(ratio)
    return multiple == MetricFormat.ratio(1) ? "" : multiple
  }

  private func figure(_ index: Int) -> Double { values[index]?.double ?? 0 }

  /// The best or the worst, unless most are.
  private func standing(_ index: Int) -> StrategyMatrix.Standing {
    let polarity = Self.neutral.contains(term.metric.name.base) ? .neutral : term.metric.definition.polarity
    guard let mine = values[index]?.double, !isComparable.contains(false), polarity != .neutral else {
      return .between
    }
    let figures = values.compactMap { $0?.double }
    guard let least = figures.min(), let most = figures.max(), least < most,
      figures.count(where: { $0 == mine }) * 2 <= figures.count
    else { return .between }
    let (best, worst) = polarity == .higher ? (most, least) : (least, most)
    return mine == best ? .best : mine == worst ? .worst : .between
  }

  /// More or less of these is neither better nor worse between strategies.
  private static let neutral: Set = ["elements.stored", "flush.count"]
}
