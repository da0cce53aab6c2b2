package import RunRecords

/// A short summary in Markdown, for the summary pages of CI jobs.
package enum SummaryMarkdown {
  /// Renders a run. Names and messages are escaped, so that they show as they are and break no table.
  package static func text(_ run: RunRecord, glossary: Glossary = Glossary()) -> String {
    let outline = RunOutline(run: run, glossary: glossary)
    var lines = ["## \(escaped(run.scenario.name)): \(outline.word)", ""]
    lines += [outline.setting.dropFirst().map(escaped).joined(separator: " · "), ""]
    if !run.reasons.isEmpty { lines += run.reasons.map { "- \(escaped($0))" } + [""] }
    let next = NextSteps.of(outline)
    if !next.isEmpty { lines += ["\(NextSteps.title):", ""] + next.map { "- \(escaped($0))" } + [""] }
    // What a recording found is what it was made for.
    let told =
      run.scenario.isRecording
      ? findings(outline) + validity(outline) : validity(outline) + findings(outline)
    lines += gates(outline) + baseline(outline) + expectations(outline) + told
    if run.scenario.isRecording { lines += recorded(outline) }
    for table in SweepTable.all(outline) {
      lines += ["### \(escaped(table.caption))", ""] + Self.table(table.head, table.rows)
      if let footnote = table.footnote { lines += [escaped(footnote), ""] }
    }
    for table in outline.tables { lines += strategies(table, outline) }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func gates(_ outline: RunOutline) -> [String] {
    let lines = GateLine.lines(outline)
    guard !lines.isEmpty else { return [] }
    let rows = lines.map { line in
      [
        line.word, line.gate, line.actual, line.margin,
        [line.place, line.reason ?? ""].filter { !$0.isEmpty }.joined(separator: ": "),
      ]
    }
    return ["### Gates", ""] + table(["verdict", "gate", "actual", "margin", "where"], rows)
  }

  private static func baseline(_ outline: RunOutline) -> [String] {
    guard let baseline = BaselineLines(outline) else { return [] }
    let rows = baseline.lines.map { line in
      [line.mark.rawValue, line.metric, line.before, line.now, line.ratio, "\(line.place): \(line.reason)"]
    }
    let notes = (baseline.verdict == .noBaseline ? baseline.reasons : []) + baseline.notes
    return ["### Baseline", "", escaped(baseline.summary), ""]
      + (rows.isEmpty ? [] : table(["mark", "metric", "before", "now", "multiple", "where"], rows))
      + notes.map { escaped($0) + "\n" }
  }

  private static func expectations(_ outline: RunOutline) -> [String] {
    guard !outline.run.expectations.isEmpty else { return [] }
    let rows = outline.run.expectations.map { record in
      [
        record.verdict.rawValue, outline.wanted(record), outline.times(record.seen),
        outline.title(record),
      ]
    }
    return ["### Expected findings", ""] + table(["verdict", "finding", "seen", "where"], rows)
  }

  private static func validity(_ outline: RunOutline) -> [String] {
    guard !outline.run.cells.isEmpty else { return ["No samples: no cell was run.", ""] }
    let validity = Validity(outline.run, glossary: outline.glossary)
    return ["### Validity", ""]
      + table(["fact", "over all cells"], validity.facts.map { [$0.name, $0.overall] })
      + validity.notes.map { escaped($0) + "\n" }
  }

  private static func findings(_ outline: RunOutline) -> [String] {
    let items = outline.run.cells.flatMap { cell in
      cell.findings.map { finding in
        let mark = outline.mark(finding).map { ", " + $0 } ?? ""
        let advice = outline.glossary.advice(for: finding.name).map { "Advice: \($0)" } ?? ""
        let parts = [
          finding.message, outline.evidence(finding).joined(separator: ", "), finding.place ?? "",
          (finding.details ?? []).joined(separator: "; "), advice,
        ]
        let words = parts.filter { !$0.isEmpty }.joined(separator: " · ")
        return "- **\(escaped(finding.name))** in \(escaped(outline.title(cell))), "
          + "\(outline.times(finding.count))\(mark): \(escaped(words))"
      }
    }
    return items.isEmpty ? [] : ["### Findings", ""] + items + [""]
  }

  private static func recorded(_ outline: RunOutline) -> [String] {
    guard let cell = outline.run.cells.first else { return [] }
    let rows = RecordedFigures.rows(cell, glossary: outline.glossary).map { [$0.name, $0.text] }
    return ["### Figures", ""] + table(["metric", "figure"], rows)
  }

  private static func strategies(_ figures: StrategyFigures, _ outline: RunOutline) -> [String] {
    let columns = StrategyColumns(figures, glossary: outline.glossary)
    // Of several strategies, what is the same for all is said once.
    let same = columns.names.count > 1 ? columns.rows.filter { Set($0.cells.map(\.value)).count == 1 } : []
    let names = Set(same.map(\.metric))
    let rows = columns.rows.filter { !names.contains($0.metric) }.map { row in
      [row.metric] + row.cells.map { $0.ratio.isEmpty ? $0.value : "\($0.value) (\($0.ratio))" }
    }
    let shared = same.map { "\($0.metric) \($0.cells[0].value)" }.joined(separator: " · ")
    return ["### Strategies (\(escaped(outline.caption(figures))))", ""]
      + (rows.isEmpty ? [] : table(["metric"] + columns.names, rows))
      + (shared.isEmpty ? [] : ["Same for all: \(escaped(shared))", ""])
      + (columns.footnote.map { [escaped($0), ""] } ?? [])
  }

  private static func table(_ head: [String], _ rows: [[String]]) -> [String] {
    let lines = [head.map(escaped), head.map { _ in "---" }] + rows.map { $0.map(escaped) }
    return lines.map { "| " + $0.joined(separator: " | ") + " |" } + [""]
  }

  /// A text that shows as it is: Markdown's and HTML's signs escaped, line ends made visible.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "|", "\\", "`", "*", "_", "[", "]", "~", "#": escaped += "\\\(scalar)"
      case "\n": escaped += "<br>"
      case "\t": escaped += " "
      case "\u{0}"..."\u{1F}", "\u{7F}": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
