internal import Measurement

/// The strategies of a run side by side, for one variant, clock and load: medians over the repetitions of the
/// metrics that tell strategies apart.
package struct StrategyFigures: Sendable {
  /// The variant of all cells.
  package let variant: String
  /// The clock of all cells.
  package let clock: String
  /// The users of all cells, in a sweep.
  package let users: Int?
  /// The strategies, in plan order; the first is what the others are held against.
  package let strategies: [String]
  /// How many repetitions each strategy has.
  package let repetitions: [Int]
  /// Of each strategy, whether its figures are of cells that were interrupted: it has no others here.
  package let isInterrupted: [Bool]
  /// One for each metric that a strategy has.
  package let rows: [Row]

  /// The strategies as heads of columns: those whose figures are of interrupted cells say so.
  package var titles: [String] {
    zip(strategies, isInterrupted).map { $1 ? "\($0) (interrupted)" : $0 }
  }

  /// One metric over the strategies.
  package struct Row: Sendable {
    /// The metric or ratio.
    package let term: FigureTerm
    /// A figure for each strategy; nil where it has none.
    package let values: [MetricValue?]
    /// Whether a percentile has too few samples in a cell of the strategy.
    package let isUnresolved: [Bool]
    /// Whether each strategy's figure may be held against the first's.
    package let isComparable: [Bool]

    /// A strategy's figure as a multiple of the first's; nil where that is 0, absent or not comparable.
    package func ratio(_ index: Int) -> Double? {
      guard isComparable[index], let base = values[0]?.double, base != 0, let value = values[index]?.double
      else { return nil }
      return MetricValue.finite(value / base)?.double
    }
  }

  /// The metrics that tell strategies apart, in the order they are shown.
  static let telling = [
    "hops{role=registry}", "hops{role=registry} / elements.stored", "elements.stored", "flush.count",
    "staleness{at=registry}.p50", "staleness{at=registry}.p99", "staleness{at=view}.p50",
    "staleness{at=view}.p99",
    "latency.iteration.p50", "latency.iteration.p99", "service.iteration.p99", "iterations.completed",
    "iterations.failed", "goodput", "selections.refused", "selections.lost", "tasks.created",
    "tasks.orphaned",
    "heap.mallocs", "heap.mallocs / elements.stored", "switches{outcome=slow}", "cpu.user", "cpu.system",
  ]

  /// Where processor time costs nothing, strategies cannot differ in these.
  private static let throughput: Set = ["goodput", "load.achieved", LoadSweep.rate]
  /// What the probe counts: figures of different coverage are never compared.
  private static let probed: Set = ["hops", "switches", "tasks.created", "tasks.orphaned"]

  /// A table for each variant, clock and load of a sweep, in plan order. Cells that did not end by themselves are left
  /// out.
  ///
  /// - Parameters:
  ///   - asked: Figures to be shown besides the usual ones, where a cell has them.
  ///   - withInterrupted: Whether a strategy of which no cell came to its end has the figures of those that were
  ///     interrupted: to be shown, not to be compared.
  package static func tables(
    of cells: [CellRecord], besides asked: [FigureTerm] = [], withInterrupted: Bool = false
  ) -> [StrategyFigures] {
    let ended = cells.filter { ![.interrupted, .crashed, .hung].contains($0.verdict) }
    let cut = cells.filter { cell in
      withInterrupted && cell.verdict == .interrupted
        && !ended.contains { $0.strategy == cell.strategy && Group($0) == Group(cell) }
    }
    let order = distinct(cells.map(\.strategy))
    // In plan order, interrupted or not.
    let shown = distinct(cells.map(Group.init)).map { group in
      (group, (ended + cut).filter { Group($0) == group })
    }
    return shown.filter { !$0.1.isEmpty }.map { group, mine in
      StrategyFigures(
        group, cells: order.map { name in mine.filter { $0.strategy == name } }, names: order, asked: asked)
    }
  }

  private struct Group: Hashable {
    var variant: String
    var clock: String
    var users: Int?

    init(_ cell: CellRecord) {
      variant = cell.variant
      clock = cell.clock
      users = cell.users
    }
  }

  /// Whether the cell is one of those that the table is made of.
  package func holds(_ cell: CellRecord) -> Bool {
    cell.variant == variant && cell.clock == clock && cell.users == users
  }

  private init(_ group: Group, cells: [[CellRecord]], names: [String], asked: [FigureTerm]) {
    variant = group.variant
    clock = group.clock
    users = group.users
    // A strategy without any cell here keeps no column, except the first, which the ratios need.
    let kept = names.indices.filter { $0 == 0 || !cells[$0].isEmpty }
    strategies = kept.map { names[$0] }
    let columns = kept.map { cells[$0] }
    repetitions = columns.map(\.count)
    let isInterrupted = columns.map { $0.contains { $0.verdict == .interrupted } }
    self.isInterrupted = isInterrupted
    let catalogue = MetricCatalogue()
    // Pipelines without a registry have roles of their own.
    let roles = Set(cells.joined().flatMap { $0.metrics.keys.filter { $0.hasPrefix("hops{role=") } })
    let own = roles.contains("hops{role=registry}") ? [] : roles.sorted()
    let usual = (own + Self.telling).compactMap { FigureTerm($0, catalogue: catalogue) }
    let known = Set(usual.map(\.name))
    rows = (usual + asked.filter { !known.contains($0.name) }).compactMap { term in
      guard group.clock != "virtual" || !Self.throughput.contains(term.name) else { return nil }
      return Self.row(term, columns, isInterrupted)
    }
  }

  private static func row(_ term: FigureTerm, _ columns: [[CellRecord]], _ isInterrupted: [Bool]) -> Row? {
    let values = columns.map { cells in
      median(cells.compactMap { if case .value(let value) = term.reading(in: $0) { value } else { nil } })
    }
    guard values.contains(where: { $0 != nil }) else { return nil }
    let coverages = columns.map { Set($0.map(\.coverage)) }
    let isProbed = probed.contains(term.metric.name.base)
    return Row(
      term: term, values: values,
      isUnresolved: columns.map { !$0.allSatisfy(term.isResolved) },
      isComparable: zip(coverages, isInterrupted).map { coverage, isCut in
        // Half a run held against a whole one tells nothing.
        !isCut && !isInterrupted[0] && (!isProbed || (coverage == coverages[0] && coverage.count == 1))
      })
  }

  /// The median; a whole number where all figures and the median are whole.
  private static func median(_ values: [MetricValue]) -> MetricValue? {
    guard let middle = Statistics.median(values.map(\.double)) else { return nil }
    let areWhole = values.allSatisfy { if case .integer = $0 { true } else { false } }
    if areWhole, let whole = Int64(exactly: middle) { return .integer(whole) }
    return MetricValue.finite(middle)
  }

  private static func distinct<Value: Hashable>(_ values: [Value]) -> [Value] {
    var seen: Set<Value> = []
    return values.filter { seen.insert($0).inserted }
  }
}

extension FigureTerm {
  /// Reads `metric` or `metric / metric`; nil for names that the catalogue does not know.
  package init?(_ text: String, catalogue: MetricCatalogue) {
    guard let parts = try? text.split(separator: " / ").map({ try catalogue.resolve(String($0)) }),
      let metric = parts.first, parts.count <= 2
    else { return nil }
    self.init(metric: metric, divisor: parts.count == 2 ? parts[1] : nil)
  }
}
