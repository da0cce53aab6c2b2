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
    page.paragraph(outline.headline, tint: .of(run.verdict), isBold: true)
    page.paragraph(outline.setting.joined(separator: " · "), tint: .faint)
    if !run.scenario.about.isEmpty { page.paragraph(run.scenario.about, tint: .faint) }
    if run.reasons.count > 1 {
      page.heading("Why")
      for reason in run.reasons { page.item(reason) }
    }
    gates(outline, on: &page)
    expectations(outline, on: &page)
    validity(outline, on: &page)
    findings(outline, on: &page)
    strategies(outline, on: &page)
    page.blank()
    page.line("verdict: \(run.verdict.rawValue)", tint: .of(run.verdict), isBold: true)
    return page.text
  }

  private static func gates(_ outline: RunOutline, on page: inout TerminalPage) {
    guard !outline.run.gates.isEmpty else { return }
    page.heading("Gates")
    let lines = GateLine.lines(outline)
    let gateWidth = min(52, lines.map(\.gate.count).max() ?? 0)
    let actualWidth = min(24, lines.map(\.actual.count).max() ?? 0)
    for line in lines {
      page.marked(
        line.verdict,
        [
          TerminalPage.padded(line.gate, gateWidth), TerminalPage.padded(line.actual, actualWidth),
          [line.margin, line.place].filter { !$0.isEmpty }.joined(separator: ", "),
        ].joined(separator: "  "))
      if let reason = line.reason { page.item(reason, indent: 16) }
    }
  }

  private static func expectations(_ outline: RunOutline, on page: inout TerminalPage) {
    guard !outline.run.expectations.isEmpty else { return }
    page.heading("Expected findings")
    for record in outline.run.expectations {
      let title = outline.title(
        strategy: record.strategy, variant: record.variant, clock: record.clock, repetition: record.repetition
      )
      page.marked(record.verdict, "\(outline.wanted(record)): seen \(outline.times(record.seen)) in \(title)")
    }
  }

  private static func validity(_ outline: RunOutline, on page: inout TerminalPage) {
    page.heading("Validity")
    guard !outline.run.cells.isEmpty else { return page.item("no samples: no cell was run") }
    let validity = Validity(outline.run, glossary: outline.glossary)
    for fact in validity.facts { page.pair(fact.name, fact.overall) }
    for note in validity.notes { page.item(note) }
  }

  private static func findings(_ outline: RunOutline, on page: inout TerminalPage) {
    let cells = outline.run.cells.filter { !$0.findings.isEmpty }
    guard !cells.isEmpty else { return }
    page.heading("Findings")
    for cell in cells {
      for finding in cell.findings {
        let mark = finding.isExpected ? "expected" : "not expected"
        page.item("\(finding.name) in \(outline.title(cell)), \(outline.times(finding.count)) (\(mark))")
        page.item(finding.message, indent: 4)
        let evidence = outline.evidence(finding)
        if !evidence.isEmpty { page.item(evidence.joined(separator: ", "), indent: 4) }
        if let place = finding.place { page.item("at \(place)", indent: 4) }
        if let advice = outline.glossary.advice(for: finding.name) {
          page.item("advice: \(advice)", indent: 4)
        }
      }
    }
  }

  private static func strategies(_ outline: RunOutline, on page: inout TerminalPage) {
    for table in StrategyFigures.tables(of: outline.run.cells) {
      page.heading("Strategies (\(outline.caption(table)))")
      page.table(StrategyColumns(table, glossary: outline.glossary))
    }
  }
}
