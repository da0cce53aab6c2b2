package import RunRecords

/// How a terminal is written to.
package struct TerminalStyle: Sendable {
  /// Whether colours are used.
  package var color: Bool
  /// Columns there are.
  package var width: Int

  /// Makes a style.
  package init(color: Bool = false, width: Int = 100) {
    self.color = color
    self.width = max(40, width)
  }
}

/// The summary that a run prints: verdict, gates, validity, findings, the strategies side by side. The last line is
/// `verdict: WORD`.
package enum TerminalSummary {
  /// Renders a run. Names and messages are stripped of control characters, so that they cannot steer the terminal.
  package static func text(
    _ run: RunRecord, style: TerminalStyle = TerminalStyle(), glossary: Glossary = Glossary()
  ) -> String {
    let outline = RunOutline(run: run, glossary: glossary)
    var page = TerminalPage(style: style)
    let tint: TerminalPage.Tint = outline.isOnlyRecorded ? .none : .of(run.verdict)
    page.paragraph(outline.headline, tint: tint, isBold: true)
    page.paragraph(outline.setting.joined(separator: " · "), tint: .faint)
    if !run.scenario.about.isEmpty { page.paragraph(run.scenario.about, tint: .faint) }
    if run.reasons.count > 1 {
      page.heading("Why")
      for reason in run.reasons { page.item(reason) }
    }
    let gates = GateLine.lines(outline)
    if !gates.isEmpty { page.gates(gates) }
    if let baseline = BaselineLines(outline) { page.baseline(baseline) }
    expectations(outline, on: &page)
    findings(outline, on: &page)
    validity(outline, on: &page)
    if run.scenario.isRecording {
      page.recorded(run, glossary: glossary)
    } else {
      page.sweeps(outline)
      strategies(outline, on: &page)
    }
    page.next(NextSteps.of(outline))
    page.blank()
    page.line("verdict: \(run.verdict.rawValue)", tint: tint, isBold: true)
    return page.text
  }

  /// Each expected finding with what was seen of it.
  private static func expectations(_ outline: RunOutline, on page: inout TerminalPage) {
    guard !outline.run.expectations.isEmpty else { return }
    page.heading("Expected findings")
    let width = outline.run.expectations.map { TerminalPage.word($0.verdict).count }.max() ?? 0
    for record in outline.run.expectations.sorted(by: { $0.verdict < $1.verdict }) {
      let place = outline.title(record)
      let brief = outline.findings(record).map(outline.brief).filter { !$0.isEmpty }.joined(separator: "; ")
      let words =
        record.verdict == .passed
        ? "\(record.finding) ×\(MetricFormat.grouped(Int64(record.seen))) in \(place)"
        : "\(outline.wanted(record)): seen \(outline.times(record.seen)) in \(place)"
      page.marked(record.verdict, words + (brief.isEmpty ? "" : ": \(brief)"), width: width)
    }
  }

  /// One line or two where all is well on the virtual clock; else every figure.
  private static func validity(_ outline: RunOutline, on page: inout TerminalPage) {
    page.heading("Validity")
    guard !outline.run.cells.isEmpty else { return page.item("no samples: no cell was run") }
    let validity = Validity(outline.run, glossary: outline.glossary)
    if !validity.counts.isEmpty { page.items("iterations:", validity.counts) }
    if let brief = validity.brief {
      page.items("", brief)
      if let note = validity.notes.first { page.item(note) }
      for note in validity.traceNotes { page.item(note) }
    } else {
      for fact in validity.facts where !validity.isCount(fact) { page.pair(fact.name, fact.overall) }
      for note in validity.notes { page.item(note) }
    }
  }

  /// Those that nobody expected, in full and with advice.
  private static func findings(_ outline: RunOutline, on page: inout TerminalPage) {
    guard !outline.surprises.isEmpty else { return }
    page.heading(outline.run.scenario.isRecording ? "Findings" : "Findings that were not expected")
    for (cell, finding) in outline.surprises {
      page.item(
        "\(finding.name) ×\(MetricFormat.grouped(Int64(finding.count)))"
          + (outline.run.scenario.isRecording ? "" : " in \(outline.title(cell))"))
      page.item(finding.message, indent: 4)
      let evidence = outline.evidence(finding).map { $0.replacing(" ", with: "\u{A0}") }
      if !evidence.isEmpty { page.item(evidence.joined(separator: ", "), indent: 4) }
      if let place = finding.place { page.item("at \(place)", indent: 4) }
      for (index, frame) in (finding.details?.first.map(RunOutline.frames) ?? []).enumerated() {
        page.item(frame, indent: index == 0 ? 4 : 6)
      }
      if let advice = outline.glossary.advice(for: finding.name) { page.item("advice: \(advice)", indent: 4) }
    }
  }

  private static func strategies(_ outline: RunOutline, on page: inout TerminalPage) {
    for (tables, matrix) in StrategyMatrix.all(outline.tables) {
      let isOne = tables[0].strategies.count == 1
      page.heading(
        "\(isOne ? "Figures of \(tables[0].strategies[0])" : "Strategies") (\(outline.caption(tables)))")
      page.matrix(matrix)
    }
  }
}
