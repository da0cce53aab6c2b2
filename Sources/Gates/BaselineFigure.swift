internal import Measurement
internal import RunRecords
internal import WorkloadInterface

/// One metric of a cell, now and in the baseline, made comparable: a total is taken per iteration where the two did
/// different numbers of iterations.
struct BaselineFigure {
  /// The figures of the run's repetitions.
  private(set) var now: [Double]
  /// Those of the baseline's.
  private(set) var then: [Double]
  /// Whether both are totals divided by the number of iterations started.
  private(set) var isPerIteration = false
  /// Whether every difference is one: the clock is exact for it, and the work is the same.
  private(set) var isExact: Bool
  /// How far apart two rates of events may lie by chance; 0 for what is no rate of events.
  private(set) var chance = 0.0

  /// Whether it is a total, and one of the two started no iteration.
  private var isWithoutWork = false
  private let areWhole: Bool
  /// Whether one repetition is enough: the clock is the virtual one, or else exact for the metric.
  private let isSteady: Bool
  /// The share by which medians have to differ at least.
  private let tolerance: Double
  private let polarity: MetricDeclaration.Polarity

  /// Gauges of the whole cell that grow with each iteration, as counters do.
  private static let totals: Set<String> = ["cpu.user", "cpu.system", "wall"]
  /// Rates of events, and medians with noise, have to lie this many standard errors apart.
  private static let errors = 3.0

  /// Takes the metric's figures from both sides.
  init(_ metric: MetricCatalogue.Resolved, now: [MetricValue], then: [MetricValue], work: BaselineWork) {
    self.now = now.map(\.double)
    self.then = then.map(\.double)
    areWhole = (now + then).allSatisfy { if case .integer = $0 { true } else { false } }
    polarity = metric.definition.polarity
    let isExactClock = metric.definition.exactOn.contains(work.clock)
    isExact = isExactClock && work.isSame
    // What is not exact there is memory alone, which hardly varies.
    isSteady = isExactClock || work.clock == .virtual
    let isTail = metric.name.statistic.map { $0 != "p50" } ?? false
    tolerance = isTail && !isSteady ? BaselineJudge.tailTolerance : BaselineJudge.tolerance
    let isTotal = metric.definition.kind == .counter || Self.totals.contains(metric.definition.name)
    guard isTotal, !work.isSame else { return }
    guard let rates = work.perIteration(now: self.now, then: self.then) else {
      isWithoutWork = true
      return
    }
    isPerIteration = true
    if metric.definition.unit == .count, let n = Statistics.median(work.now),
      let m = Statistics.median(work.then),
      let sum = Statistics.median(self.now), let other = Statistics.median(self.then)
    {
      // Counts of events, of n and of m iterations: the standard error of the difference of their rates.
      chance = Self.errors * ((sum + other) / (n + m) * (1 / n + 1 / m)).squareRoot()
    }
    (self.now, self.then) = rates
  }

  /// The medians as they are shown.
  var value: MetricValue? { shown(now) }
  /// The baseline's.
  var base: MetricValue? { shown(then) }

  /// What became of it, and how that was told; nil where it is the same as far as can be told.
  var change: (BaselineRecord.Mark, String)? {
    guard let value = Statistics.median(now), let base = Statistics.median(then), value != base else {
      return nil
    }
    if isWithoutWork { return (.inconclusive, "a total, and one of the two started no iteration") }
    let isWorse = polarity == .lower ? value > base : value < base
    let mark: BaselineRecord.Mark = isWorse ? .regressed : .improved
    if isExact { return (mark, BaselineRecord.exact) }
    // What differs by less than the tolerance would be no change with any number of repetitions.
    guard abs(value - base) > tolerance * abs(base) else { return nil }
    if isSteady {
      guard abs(value - base) > chance else { return nil }
      return (mark, (isPerIteration ? "per iteration, " : "") + "by more than 5 %")
    }
    let unit = isPerIteration ? "per iteration: " : ""
    guard let interval = Statistics.medianInterval(now), let before = Statistics.medianInterval(then) else {
      let needed = BaselineJudge.repetitionsNeeded
      return (
        .inconclusive, "\(unit)needs \(needed) repetitions on each side, has \(now.count) and \(then.count)"
      )
    }
    guard !interval.overlaps(before), abs(value - base) > noise else { return nil }
    return (mark, "\(unit)95 % intervals of the medians lie apart; \(allowance(beside: base))")
  }

  /// How far the medians of both sides may lie apart by the spread of their repetitions.
  private var noise: Double {
    let (one, other) = (Statistics.medianStandardError(now) ?? 0, Statistics.medianStandardError(then) ?? 0)
    return Self.errors * (one * one + other * other).squareRoot()
  }

  /// What was allowed for, the larger of both.
  private func allowance(beside base: Double) -> String {
    let share = base == 0 ? 0 : noise / abs(base)
    let percent = { (value: Double) in "\(Double(Int64(min(value, 1e9) * 1000)) / 10) %" }
    return share > tolerance
      ? "the spread of the repetitions allows \(percent(share))" : "\(percent(tolerance)) are allowed"
  }

  private func shown(_ values: [Double]) -> MetricValue? {
    guard let middle = Statistics.median(values) else { return nil }
    if areWhole, let whole = Int64(exactly: middle) { return .integer(whole) }
    return MetricValue.finite(middle)
  }
}

/// How many iterations a cell started, now and in the baseline, one figure for each repetition.
struct BaselineWork {
  /// The metric that says so.
  static let metric = "iterations.started"

  let clock: ClockKind
  let now: [Double]
  let then: [Double]

  /// Nil where only one of the two says so. Where neither does, the load alone tells that the work is the same.
  init?(_ cell: Baseline.Cell, _ old: Baseline.Cell) {
    let (now, then) = (cell.figures[Self.metric] ?? [], old.figures[Self.metric] ?? [])
    guard let clock = ClockKind(rawValue: cell.clock), now.isEmpty == then.isEmpty else { return nil }
    self.clock = clock
    self.now = now.map(\.double)
    self.then = then.map(\.double)
  }

  /// Whether every repetition of both did as many.
  var isSame: Bool { Set(now + then).count <= 1 }

  /// Totals divided by iterations; nil where no iteration was started.
  func perIteration(now totals: [Double], then others: [Double]) -> ([Double], [Double])? {
    guard let rates = Self.divide(totals, by: now), let before = Self.divide(others, by: then) else {
      return nil
    }
    return (rates, before)
  }

  private static func divide(_ totals: [Double], by iterations: [Double]) -> [Double]? {
    guard let middle = Statistics.median(iterations), iterations.allSatisfy({ $0 > 0 }) else { return nil }
    // A metric that some repetitions lack cannot be told which of them it is of.
    let isAligned = totals.count == iterations.count
    return totals.indices.map { totals[$0] / (isAligned ? iterations[$0] : middle) }
  }

  /// What the reader has to know where the two differ.
  func note(_ title: String) -> String? {
    guard !isSame, let count = Statistics.median(now), let before = Statistics.median(then) else {
      return nil
    }
    let (new, old) = (Self.text(count), Self.text(before))
    return "\(title): \(new) iterations started, \(old) in the baseline: totals are compared per iteration"
  }

  private static func text(_ value: Double) -> String { Int64(exactly: value).map { "\($0)" } ?? "\(value)" }
}
