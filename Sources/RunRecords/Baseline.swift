/// A stored run that later runs of the same scenario are held against: its figures for each cell, and no more.
package struct Baseline: Sendable, Codable, Equatable {
  /// The format's name and version.
  package static let currentFormat = "weir-baseline/2"

  /// `weir-baseline/2`.
  package var format: String
  /// The scenario's name.
  package var scenario: String
  /// The scenario as it was run, but for what judges and describes it: runs of another one are not compared.
  package var conditions: String
  /// The compiler's version; exact figures may follow it.
  package var toolchain: String
  /// `release` or `debug`.
  package var build: String
  /// The processor; figures of the real clock follow it.
  package var processor: String
  /// The git commit it was made at, if any.
  package var commit: String?
  /// When, ISO 8601, UTC.
  package var made: String
  /// One for each strategy, variant, clock and number of users of a sweep, in plan order.
  package var cells: [Cell]

  /// The figures of one strategy, variant, clock and, in a sweep, number of users.
  package struct Cell: Sendable, Codable, Equatable {
    /// The strategy.
    package var strategy: String
    /// The variant.
    package var variant: String
    /// The clock.
    package var clock: String
    /// The users, in a sweep; else absent.
    package var users: Int?
    /// What counts of the runtime could see.
    package var coverage: Coverage
    /// For each metric its figures, one for each repetition that has it, in order.
    package var figures: [String: [MetricValue]]
  }

  /// The baseline that a run makes: the figures of the cells that came to their own end.
  ///
  /// - Parameter isKept: Which metrics are worth keeping.
  package init(_ run: RunRecord, keeping isKept: (String) -> Bool = { _ in true }) {
    format = Self.currentFormat
    scenario = run.scenario.name
    conditions = Self.conditions(run.scenario)
    toolchain = run.environment.toolchain
    build = run.environment.build
    processor = run.environment.processor
    commit = run.environment.commit
    made = run.environment.started
    cells = Self.cells(run.cells)
    for index in cells.indices { cells[index].figures = cells[index].figures.filter { isKept($0.key) } }
  }

  /// Cells of the same strategy, variant, clock and users put together, in plan order.
  package static func cells(_ records: [CellRecord]) -> [Cell] {
    var cells: [Cell] = []
    for record in records where ![.interrupted, .crashed, .hung, .invalid].contains(record.verdict) {
      var index = cells.firstIndex {
        $0.strategy == record.strategy && $0.variant == record.variant && $0.clock == record.clock
          && $0.users == record.users
      }
      if index == nil {
        index = cells.count
        cells.append(
          Cell(
            strategy: record.strategy, variant: record.variant, clock: record.clock, users: record.users,
            coverage: record.coverage, figures: [:]))
      }
      for (name, value) in record.metrics { cells[index ?? 0].figures[name, default: []].append(value) }
    }
    return cells
  }

  /// The resolved scenario without its sentence, what judges it, and the choice of cells:
  /// changing these changes no figure of a cell.
  package static func conditions(_ scenario: ScenarioRecord) -> String {
    let left = [
      "about", "variant", "clock", "strategies", "repetitions", "watchdog", "keep-iterations", "gates",
      "expect",
    ]
    var isLeft = false
    return scenario.resolved.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
      if let first = line.first, first != " ", first != "-" {
        isLeft = left.contains { line.hasPrefix($0 + ":") }
      }
      return !isLeft
    }.joined(separator: "\n")
  }
}

/// What a run came to against a baseline.
package struct BaselineRecord: Sendable, Codable, Equatable {
  /// When the baseline was made, and at which commit; empty where there was none.
  package var made: String
  /// What differs between the two that figures may follow: one sentence each.
  package var notes: [String]
  /// How many figures were compared.
  package var compared: Int
  /// Those that changed, or that could not be told apart from noise.
  package var changes: [Change]
  /// `passed`, `regressed`, `inconclusive` or `no-baseline`.
  package var verdict: Verdict
  /// Why it is not `passed`, one sentence each.
  package var reasons: [String]

  /// Makes a record.
  package init(
    made: String, notes: [String], compared: Int, changes: [Change], verdict: Verdict, reasons: [String]
  ) {
    self.made = made
    self.notes = notes
    self.compared = compared
    self.changes = changes
    self.verdict = verdict
    self.reasons = reasons
  }

  /// The reason of a change where every difference is one.
  package static let exact = "exact"

  /// What became of a figure.
  package enum Mark: String, Sendable, Codable, Equatable, CaseIterable {
    /// Worse, beyond noise.
    case regressed
    /// Better, beyond noise.
    case improved
    /// Too few repetitions to say.
    case inconclusive
  }

  /// One figure beside that of the baseline.
  package struct Change: Sendable, Codable, Equatable {
    /// The metric.
    package var metric: String
    /// The cell's strategy.
    package var strategy: String
    /// The cell's variant.
    package var variant: String
    /// The cell's clock.
    package var clock: String
    /// The cell's users, in a sweep.
    package var users: Int?
    /// The figure now: the median over repetitions.
    package var value: MetricValue
    /// The baseline's.
    package var base: MetricValue
    /// value / base; absent where base is 0.
    package var ratio: Double?
    /// What became of it.
    package var mark: Mark
    /// Why it is not told, or how it was.
    package var reason: String
    /// Whether both figures are totals divided by the iterations started; absent where they are not.
    package var isPerIteration: Bool?

    /// Makes a record.
    package init(
      metric: String, strategy: String, variant: String, clock: String, users: Int? = nil, value: MetricValue,
      base: MetricValue, ratio: Double?, mark: Mark, reason: String, isPerIteration: Bool? = nil
    ) {
      self.users = users
      self.metric = metric
      self.strategy = strategy
      self.variant = variant
      self.clock = clock
      self.value = value
      self.base = base
      self.ratio = ratio
      self.mark = mark
      self.reason = reason
      self.isPerIteration = isPerIteration
    }
  }
}
