internal import RunRecords

/// The page's first part: what the run came to, and whether its figures mean anything.
enum VerdictSections {
  static func html(_ outline: RunOutline) -> String {
    verdict(outline) + gates(outline) + baseline(outline) + expectations(outline) + validity(outline)
      + findings(outline)
  }

  private static func verdict(_ outline: RunOutline) -> String {
    let run = outline.run
    let reasons =
      run.reasons.count < 2
      ? HTML.words("p", run.reasons.first ?? run.verdict.about)
      : HTML.element("ul", [], run.reasons.map { HTML.words("li", $0) }.joined(separator: "\n"))
    let word = HTML.words("p", outline.word, class: "word")
    // The exit code of a recorded program is its own.
    let words =
      outline.isOnlyRecorded ? "nothing was judged" : "exit code \(run.verdict.exitCode.rawValue)"
    let code = HTML.words("p", words, class: "code")
    return HTML.element(
      "section", [("id", "verdict"), ("class", "s-\(outline.word)"), ("aria-label", "Verdict")],
      HTML.element("div", [], word + code) + HTML.element("div", [("class", "why")], reasons)) + "\n"
  }

  private static func gates(_ outline: RunOutline) -> String {
    let lines = GateLine.lines(outline)
    guard !lines.isEmpty else {
      return HTML.section(
        "gates", "Gates", HTML.words("p", "The scenario has no gates, or none could be judged."))
    }
    let rows = lines.map { line in
      [
        HTML.words("code", line.gate), HTML.verdict(line.word), HTML.escaped(line.actual),
        HTML.escaped(line.margin),
        HTML.escaped(line.place) + (line.reason.map { HTML.words("div", $0, class: "reason") } ?? "")
          + others(line),
      ]
    }
    return HTML.section(
      "gates", "Gates",
      HTML.table(
        head: ["gate", "verdict", "actual", "margin", "where"], rows: rows, class: "gates", numeric: false))
  }

  /// The other cells of a line, folded away.
  private static func others(_ line: GateLine) -> String {
    guard !line.others.isEmpty else { return "" }
    let rows = line.others.map { [HTML.escaped($0.place), HTML.escaped($0.actual), HTML.escaped($0.margin)] }
    return HTML.details(
      "All \(rows.count + 1) cells", HTML.table(head: ["the others", "actual", "margin"], rows: rows))
  }

  private static func baseline(_ outline: RunOutline) -> String {
    guard let baseline = BaselineLines(outline) else { return "" }
    let rows = baseline.lines.map { line in
      [
        HTML.metric(line.metric), HTML.verdict(line.mark.rawValue), HTML.escaped(line.before),
        HTML.escaped(line.now), HTML.escaped(line.ratio),
        HTML.escaped(line.place) + HTML.words("div", line.reason, class: "reason"),
      ]
    }
    let notes = (baseline.verdict == .noBaseline ? baseline.reasons : []) + baseline.notes
    let table =
      rows.isEmpty
      ? ""
      : HTML.table(
        head: ["metric", "mark", "before", "now", "multiple", "where"], rows: rows, numeric: false)
    return HTML.section(
      "baseline", "Baseline",
      HTML.words("p", baseline.summary) + table + notes.map { HTML.words("p", $0, class: "note") }.joined())
  }

  private static func expectations(_ outline: RunOutline) -> String {
    guard !outline.run.expectations.isEmpty else { return "" }
    let rows = outline.run.expectations.map { record in
      let title = outline.title(record)
      return [
        HTML.escaped(outline.wanted(record)), HTML.verdict(record.verdict.rawValue),
        HTML.escaped(outline.times(record.seen)), HTML.escaped(title),
      ]
    }
    return HTML.section(
      "expectations", "Expected findings",
      HTML.table(head: ["finding", "verdict", "seen", "where"], rows: rows, numeric: false))
  }

  private static func validity(_ outline: RunOutline) -> String {
    guard !outline.run.cells.isEmpty else {
      return HTML.section("validity", "Validity", HTML.words("p", "no samples: no cell was run"))
    }
    let validity = Validity(outline.run, glossary: outline.glossary)
    let strip = validity.facts.map { fact in
      HTML.element("div", [], HTML.words("dt", fact.name) + HTML.words("dd", fact.overall))
    }
    var markup = HTML.element("dl", [("class", "strip")], strip.joined(separator: "\n")) + "\n"
    markup += validity.notes.map { HTML.words("p", $0, class: "note") }.joined(separator: "\n")
    if outline.run.cells.count > 1 {
      let facts = validity.facts.filter { !$0.figures.isEmpty || Set($0.values).count > 1 }
      let rows = outline.run.cells.enumerated().map { index, cell in
        [HTML.escaped(outline.title(cell)), HTML.verdict(cell.verdict.rawValue)]
          + facts.map { HTML.escaped($0.values[index] ?? "not measured") }
      }
      let head = ["cell", "verdict"] + facts.map(\.name)
      markup += HTML.details("Cell by cell", HTML.table(head: head, rows: rows))
    }
    return HTML.section("validity", "Validity", markup)
  }

  private static func findings(_ outline: RunOutline) -> String {
    let items = outline.run.cells.flatMap { cell in cell.findings.map { item($0, in: cell, outline) } }
    guard !items.isEmpty else { return "" }
    return HTML.section("findings", "Findings", items.joined(separator: "\n"))
  }

  private static func item(_ finding: FindingRecord, in cell: CellRecord, _ outline: RunOutline) -> String {
    let mark = ", " + outline.mark(finding)
    let head =
      HTML.words("h3", finding.name)
      + HTML.words("p", "\(outline.title(cell)), \(outline.times(finding.count))\(mark)", class: "where")
    var facts = outline.evidence(finding).map { HTML.words("li", $0) }
    if !finding.iterations.isEmpty {
      let first = finding.iterations.map(String.init).joined(separator: ", ")
      facts.append(HTML.words("li", "first seen in iterations \(first)"))
    }
    if let place = finding.place { facts.append(HTML.element("li", [], "at " + HTML.words("code", place))) }
    facts += (finding.details ?? []).map { HTML.words("li", $0) }
    let advice = outline.glossary.advice(for: finding.name).map { HTML.words("p", $0, class: "advice") } ?? ""
    return HTML.element(
      "article",
      [("class", finding.isExpected || finding.isAdvisory == true ? "finding" : "finding unexpected")],
      head + HTML.words("p", finding.message) + (facts.isEmpty ? "" : HTML.element("ul", [], facts.joined()))
        + advice)
  }
}
