internal import Measurement
package import RunRecords
package import WorkloadInterface

/// Holds a run against a baseline of the same scenario.
///
/// On a clock where a metric is exact, every difference is one: worse is `regressed`, better is `improved`. Elsewhere
/// the medians over the repetitions are held against one another: they differ where their 95 % intervals, by order
/// statistics, lie apart and the medians by more than 5 %. Such an interval takes six repetitions on each side; with
/// fewer nothing can be told, and the run is `inconclusive`.
package enum BaselineJudge {
  /// Medians of figures that carry noise have to lie this far apart.
  package static let tolerance = 0.05
  /// Below this many repetitions there is no 95 % interval for a median.
  package static let repetitionsNeeded = 6

  /// Judges a run against a baseline, or against none.
  ///
  /// - Parameters:
  ///   - asked: What the run's tables show; on a clock where nothing is exact only these are compared, since of many
  ///     figures with noise some would always differ.
  ///   - isStrict: Whether an improvement that the baseline does not have counts as `regressed`.
  package static func judge(
    _ run: RunRecord, against baseline: Baseline?, asked: [FigureTerm], workload: [MetricDeclaration],
    isStrict: Bool
  ) -> BaselineRecord {
    guard let baseline else { return none("there is no baseline of this scenario") }
    guard baseline.conditions == Baseline.conditions(run.scenario) else {
      return none("the baseline is of another state of this scenario: save a new one")
    }
    var record = BaselineRecord(
      made: ([baseline.made] + [baseline.commit].compactMap { $0 }).joined(separator: ", "),
      notes: notes(run, baseline), compared: 0, changes: [], verdict: .passed, reasons: [])
    let shown = Set(
      asked.map(\.name) + StrategyFigures.tables(of: run.cells).flatMap { $0.rows.map(\.term.name) })
    let catalogue = MetricCatalogue(workload: workload)
    for cell in Baseline.cells(run.cells) {
      guard let old = baseline.cells.first(where: { $0.isOfSame(cell) }) else {
        record.add(.noBaseline, "the baseline has no \(cell.title)")
        continue
      }
      guard old.coverage == cell.coverage else {
        record.add(.noBaseline, "the baseline's \(cell.title) has other coverage: counts are not compared")
        continue
      }
      compare(cell, old, shown: shown, catalogue: catalogue, in: &record)
    }
    conclude(&record, isStrict: isStrict)
    return record
  }

  private static func none(_ reason: String) -> BaselineRecord {
    BaselineRecord(made: "", notes: [], compared: 0, changes: [], verdict: .noBaseline, reasons: [reason])
  }

  private static func notes(_ run: RunRecord, _ baseline: Baseline) -> [String] {
    let here = run.environment
    return [
      ("toolchain", baseline.toolchain, here.toolchain), ("build", baseline.build, here.build),
      ("processor", baseline.processor, here.processor),
    ].filter { $1 != $2 }.map { "the baseline's \($0) was \($1); now it is \($2)" }
  }

  // MARK: Figures

  /// The baseline that a run makes, with the metrics that are ever compared.
  package static func baseline(of run: RunRecord, workload: [MetricDeclaration]) -> Baseline {
    let catalogue = MetricCatalogue(workload: workload)
    return Baseline(run) { comparable($0, catalogue) != nil }
  }

  /// A metric of which less or more is better; of distributions the median and the 99th percentile.
  private static func comparable(_ name: String, _ catalogue: MetricCatalogue) -> MetricCatalogue.Resolved? {
    guard let metric = try? catalogue.resolve(name), metric.definition.polarity != .neutral,
      metric.name.statistic.map({ ["p50", "p99"].contains($0) }) ?? true
    else { return nil }
    return metric
  }

  private static func compare(
    _ cell: Baseline.Cell, _ old: Baseline.Cell, shown: Set<String>, catalogue: MetricCatalogue,
    in record: inout BaselineRecord
  ) {
    for name in Set(cell.figures.keys).union(old.figures.keys).sorted() {
      guard let metric = comparable(name, catalogue) else { continue }
      let isExact = metric.definition.exactOn.contains { $0.rawValue == cell.clock }
      guard isExact || shown.contains(name) else { continue }
      let pair = (now: cell.figures[name] ?? [], then: old.figures[name] ?? [])
      guard !pair.now.isEmpty, !pair.then.isEmpty else {
        // New metrics are none of the baseline's; one that is gone was measured and is not any more.
        if pair.now.isEmpty { record.add(.inconclusive, "\(name) is no longer measured in \(cell.title)") }
        continue
      }
      record.compared += 1
      guard let (mark, reason) = change(pair.now, pair.then, isExact, metric.definition.polarity),
        let value = middle(pair.now), let base = middle(pair.then)
      else { continue }
      record.changes.append(
        BaselineRecord.Change(
          metric: name, strategy: cell.strategy, variant: cell.variant, clock: cell.clock, value: value,
          base: base, ratio: base.double == 0 ? nil : MetricValue.finite(value.double / base.double)?.double,
          mark: mark, reason: reason))
    }
  }

  /// What became of a figure; nil where it is the same as far as can be told.
  private static func change(
    _ now: [MetricValue], _ then: [MetricValue], _ isExact: Bool, _ polarity: MetricDeclaration.Polarity
  ) -> (BaselineRecord.Mark, String)? {
    let (new, old) = (now.map(\.double), then.map(\.double))
    guard let value = Statistics.median(new), let base = Statistics.median(old) else { return nil }
    let isWorse = polarity == .lower ? value > base : value < base
    if isExact { return value == base ? nil : (isWorse ? .regressed : .improved, "exact") }
    guard let interval = Statistics.medianInterval(new), let before = Statistics.medianInterval(old) else {
      // What differs by less than the tolerance would be no change with any number of repetitions.
      guard abs(value - base) > tolerance * abs(base) else { return nil }
      return (
        .inconclusive,
        "needs \(repetitionsNeeded) repetitions on each side, has \(new.count) and \(old.count)"
      )
    }
    guard !interval.overlaps(before), abs(value - base) > tolerance * abs(base) else { return nil }
    return (isWorse ? .regressed : .improved, "95 % intervals of the medians lie apart")
  }

  private static func middle(_ values: [MetricValue]) -> MetricValue? {
    guard let middle = Statistics.median(values.map(\.double)) else { return nil }
    let areWhole = values.allSatisfy { if case .integer = $0 { true } else { false } }
    if areWhole, let whole = Int64(exactly: middle) { return .integer(whole) }
    return MetricValue.finite(middle)
  }

  private static func conclude(_ record: inout BaselineRecord, isStrict: Bool) {
    let marks: [(BaselineRecord.Mark, Verdict?, String)] = [
      (.regressed, .regressed, "worse than the baseline"),
      (.inconclusive, .inconclusive, "not to be told from noise"),
      (
        .improved, isStrict ? .regressed : nil,
        "better than the baseline, which has to be saved anew (--strict)"
      ),
    ]
    for (mark, verdict, words) in marks {
      let changes = record.changes.filter { $0.mark == mark }
      guard let verdict, let first = changes.first else { continue }
      let more = changes.count > 1 ? " and \(changes.count - 1) more figures" : ""
      record.add(verdict, "\(first.metric) in \(first.strategy)\(more): \(words)")
    }
    if record.compared == 0, record.verdict == .passed {
      record.add(.noBaseline, "no figure could be compared")
    }
  }
}

extension RunRecord {
  /// Takes over what the run came to against a baseline: the run's verdict is the most severe.
  package mutating func hold(against record: BaselineRecord) {
    baseline = record
    reasons += record.reasons.map { "\(record.verdict.rawValue): \($0)" }
    verdict = min(verdict, record.verdict)
  }
}

extension BaselineRecord {
  fileprivate mutating func add(_ verdict: Verdict, _ reason: String) {
    self.verdict = min(self.verdict, verdict)
    reasons.append(reason)
  }
}

extension Baseline.Cell {
  fileprivate func isOfSame(_ other: Baseline.Cell) -> Bool {
    strategy == other.strategy && variant == other.variant && clock == other.clock
  }

  fileprivate var title: String { "\(strategy) (\(variant), \(clock) clock)" }
}
