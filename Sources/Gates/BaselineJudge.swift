package import RunRecords
package import WorkloadInterface

/// Holds a run against a baseline of the same scenario.
///
/// On a clock where a metric is exact, every difference is one: worse is `regressed`, better is `improved`. Where the
/// two started different numbers of iterations, totals are taken per iteration; the iterations are others, so
/// figures have to differ by more than 5 %, and counts of events by more than three standard errors; so have figures of
/// memory on the virtual clock, which are nowhere exact. On the real clock
/// the medians over the repetitions are held against one another: they differ where their 95 % intervals, by order
/// statistics, lie apart and the medians by more than 5 %, 99th percentiles by more than 10 %, and by more than three
/// standard errors of the medians, by the spread of the repetitions. Such an interval takes six repetitions on each
/// side; with fewer nothing can be told, and the run is `inconclusive`. A figure that only one of the two has is named,
/// and makes the run `inconclusive` too.
package enum BaselineJudge {
  /// Medians of figures that carry noise have to lie this far apart.
  package static let tolerance = 0.05
  /// The same of the tails of distributions, which carry more.
  package static let tailTolerance = 0.1
  /// Below this many repetitions there is no 95 % interval for a median.
  package static let repetitionsNeeded = 6

  /// Judges a run against a baseline, or against none.
  ///
  /// - Parameters:
  ///   - asked: What the run's tables show; on a clock where nothing is exact only these are compared, since of many
  ///     figures with noise some would always differ.
  ///   - isStrict: Whether an improvement that the baseline does not have counts as `regressed`.
  ///   - chosen: The strategies that the run was limited to; empty for all. Others are not missed.
  package static func judge(
    _ run: RunRecord, against baseline: Baseline?, asked: [FigureTerm], workload: [MetricDeclaration],
    isStrict: Bool, chosen: [String] = []
  ) -> BaselineRecord {
    guard let baseline else { return none("there is no baseline of this scenario") }
    guard baseline.scenario == run.scenario.name else {
      return none("the baseline is of the scenario `\(baseline.scenario)`")
    }
    let conditions = Baseline.conditions(run.scenario)
    guard baseline.conditions == conditions else { return ofAnotherState(baseline.conditions, conditions) }
    var record = BaselineRecord(
      made: ([baseline.made] + [baseline.commit].compactMap { $0 }).joined(separator: ", "),
      notes: notes(run, baseline), compared: 0, changes: [], verdict: .passed, reasons: [])
    let shown = Set(
      asked.map(\.name) + StrategyFigures.tables(of: run.cells).flatMap { $0.rows.map(\.term.name) })
    let catalogue = MetricCatalogue(workload: workload)
    let cells = Baseline.cells(run.cells)
    for cell in cells {
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
    for old in baseline.cells where !cells.contains(where: { $0.isOfSame(old) }) {
      if chosen.isEmpty || chosen.contains(old.strategy) {
        record.add(.inconclusive, "the baseline's \(old.title) was not measured")
      } else {
        record.notes.append(
          "the baseline's \(old.title) was left out: the run is of \(chosen.joined(separator: ", ")) alone")
      }
    }
    conclude(&record, isStrict: isStrict)
    return record
  }

  /// The most differences that are named.
  private static let differencesNamed = 4

  /// Figures of another load, of other providers or another seed say nothing of the code.
  private static func ofAnotherState(_ then: String, _ now: String) -> BaselineRecord {
    let all = ConditionDifferences.sentences(from: then, to: now)
    let more = all.count > differencesNamed ? ["and \(all.count - differencesNamed) more"] : []
    let named = (all.prefix(differencesNamed) + more).joined(separator: "; ")
    return none(
      "the baseline is of another state of this scenario, so their figures are not compared"
        + (named.isEmpty ? "" : ": \(named)")
        + "; save a new one, or give what is to be compared a `name` of its own")
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
    return Baseline(run) { $0 == BaselineWork.metric || comparable($0, catalogue) != nil }
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
    guard let work = BaselineWork(cell, old) else {
      let side = cell.figures[BaselineWork.metric] == nil ? "the run" : "the baseline"
      return record.add(
        .inconclusive, "\(side) does not say how many iterations \(cell.title) started: nothing is compared")
    }
    record.notes += [work.note(cell.title)].compactMap { $0 }
    var (gone, new): ([String], [String]) = ([], [])
    for name in Set(cell.figures.keys).union(old.figures.keys).sorted() {
      guard let metric = comparable(name, catalogue) else {
        // A name that is none any more was a figure once.
        if old.figures[name] != nil, (try? catalogue.resolve(name)) == nil { gone.append(name) }
        continue
      }
      let isExact = metric.definition.exactOn.contains(work.clock)
      let pair = (now: cell.figures[name] ?? [], then: old.figures[name] ?? [])
      let isOfBoth = !pair.now.isEmpty && !pair.then.isEmpty
      guard isExact || shown.contains(name) || isMissed(metric, pair, cell, old) else { continue }
      guard isOfBoth else {
        if pair.now.isEmpty { gone.append(name) } else { new.append(name) }
        continue
      }
      record.compared += 1
      let figure = BaselineFigure(metric, now: pair.now, then: pair.then, work: work)
      guard let (mark, reason) = figure.change, let value = figure.value, let base = figure.base else {
        continue
      }
      record.changes.append(
        BaselineRecord.Change(
          metric: name, strategy: cell.strategy, variant: cell.variant, clock: cell.clock, users: cell.users,
          value: value, base: base,
          ratio: base.double == 0 ? nil : MetricValue.finite(value.double / base.double)?.double,
          mark: mark, reason: reason, isPerIteration: figure.isPerIteration ? true : nil))
    }
    if !gone.isEmpty {
      let names = gone.joined(separator: ", ")
      record.add(.inconclusive, "not measured in \(cell.title), and in the baseline: \(names)")
    }
    if !new.isEmpty {
      let names = new.joined(separator: ", ")
      record.add(
        .inconclusive, "measured in \(cell.title), and not in the baseline (save a new one): \(names)")
    }
  }

  /// Whether a figure that only one side has is missed on the other. A metric as a whole is measured or is not; which
  /// labels of noise were seen is noise itself, unless one was seen in each repetition and in none of the other side.
  private static func isMissed(
    _ metric: MetricCatalogue.Resolved, _ pair: (now: [MetricValue], then: [MetricValue]),
    _ cell: Baseline.Cell,
    _ old: Baseline.Cell
  ) -> Bool {
    guard pair.now.isEmpty != pair.then.isEmpty else { return false }
    if metric.name.label == nil { return true }
    return pair.now.isEmpty && pair.then.count == old.repetitions && cell.repetitions > 0
  }

  private static func conclude(_ record: inout BaselineRecord, isStrict: Bool) {
    let marks: [(BaselineRecord.Mark, Verdict?, String)] = [
      (.regressed, .regressed, "worse than the baseline"),
      (.inconclusive, .inconclusive, "not to be told from noise beside the baseline"),
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
    // The headline is the first reason: it has to be one of the verdict.
    reasons = record.verdict < verdict ? record.reasons + reasons : reasons + record.reasons
    verdict = min(verdict, record.verdict)
  }
}

extension BaselineRecord {
  fileprivate mutating func add(_ verdict: Verdict, _ reason: String) {
    // The most severe first.
    if verdict < self.verdict { reasons.insert(reason, at: 0) } else { reasons.append(reason) }
    self.verdict = min(self.verdict, verdict)
  }
}

extension Baseline.Cell {
  fileprivate func isOfSame(_ other: Baseline.Cell) -> Bool {
    strategy == other.strategy && variant == other.variant && clock == other.clock && users == other.users
  }

  fileprivate var title: String {
    "\(strategy) (\(variant), \(clock) clock\(users.map { ", " + CellRecord.text(users: $0) } ?? ""))"
  }

  /// How many repetitions there are figures of.
  fileprivate var repetitions: Int { figures.values.map(\.count).max() ?? 0 }
}
