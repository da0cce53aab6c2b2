internal import RunRecords

/// What a run came to against a baseline, in words that all formats share.
struct BaselineLines {
  /// One figure that changed, or could not be told apart from noise.
  struct Line {
    var mark: BaselineRecord.Mark
    var metric: String
    var now: String
    var before: String
    var ratio: String
    var place: String
    var reason: String
  }

  /// Regressions first, then what cannot be told, then improvements.
  let lines: [Line]
  /// `41 figures compared: 1 regressed, 2 improved`, or that nothing was.
  let summary: String
  /// When the baseline was made, and what differs between the two.
  let notes: [String]
  let verdict: Verdict
  let reasons: [String]

  /// Nil where the run was held against none.
  init?(_ outline: RunOutline) {
    guard let record = outline.run.baseline else { return nil }
    let order: [BaselineRecord.Mark] = [.regressed, .inconclusive, .improved]
    lines = order.flatMap { mark in
      record.changes.filter { $0.mark == mark }.map { change in
        let place = outline.run.cells.first {
          $0.strategy == change.strategy && $0.variant == change.variant && $0.clock == change.clock
            && $0.users == change.users
        }
        let parts = [
          change.ratio.map { MetricFormat.ratio($0) }, change.isPerIteration == true ? "per iteration" : nil,
        ]
        let ratio = parts.compactMap { $0 }.joined(separator: " ")
        return Line(
          mark: mark, metric: change.metric, now: outline.glossary.text(change.value, of: change.metric),
          before: outline.glossary.text(change.base, of: change.metric), ratio: ratio,
          place: place.map { outline.strategyTitle($0) } ?? change.strategy, reason: change.reason)
      }
    }
    let counts = order.map { mark in (mark, record.changes.count { $0.mark == mark }) }.filter { $0.1 > 0 }
    let words = counts.map { "\($0.1) \($0.0.rawValue)" }
    summary =
      record.compared == 0
      ? "nothing was compared"
      : RunsEntry.counted(record.compared, "figure", "figures") + " compared: "
        + (words.isEmpty ? "none changed" : words.joined(separator: ", "))
    notes = (record.made.isEmpty ? [] : ["made \(record.made)"]) + record.notes
    verdict = record.verdict
    reasons = record.reasons
  }
}

extension RunOutline {
  /// A cell's title without its repetition: what is compared is the median over them.
  func strategyTitle(_ cell: CellRecord) -> String {
    cell.title(amid: run.cells).replacing(" · #\(cell.repetition)", with: "")
  }
}

extension TerminalPage {
  /// The part on the baseline.
  mutating func baseline(_ baseline: BaselineLines) {
    heading("Baseline: \(baseline.summary)")
    for line in baseline.lines {
      let figures = "\(line.metric) \(line.before) → \(line.now) \(line.ratio)".trimmedEnd
      let why = line.reason == BaselineRecord.exact ? "" : ": \(line.reason)"
      item("\(line.mark.rawValue)  \(figures) in \(line.place)\(why)")
    }
    if baseline.verdict == .noBaseline { for reason in baseline.reasons { item(reason) } }
    for note in baseline.notes { item(note) }
  }
}
