internal import RunRecords

/// The page's first part: what the run came to, and whether its figures mean anything.
enum VerdictSections {
  static func html(_ outline: RunOutline) -> String {
    // What a recording found is what it was made for.
    if outline.run.scenario.isRecording {
      return verdict(outline) + FindingSections.others(outline) + validity(outline)
    }
    // What is wrong stands above what is only told.
    return verdict(outline) + FindingSections.unexpected(outline) + gates(outline) + baseline(outline)
      + expectations(outline) + validity(outline) + FindingSections.others(outline)
  }

  private static func verdict(_ outline: RunOutline) -> String {
    let run = outline.run
    let reasons =
      run.reasons.count < 2
      ? HTML.element("p", [], HTML.prose(run.reasons.first ?? run.verdict.about))
      : HTML.element(
        "ul", [], run.reasons.map { HTML.element("li", [], HTML.prose($0)) }.joined(separator: "\n"))
    let steps = NextSteps.of(outline, advice: true).map { HTML.element("li", [], HTML.prose($0)) }
    let next =
      steps.isEmpty
      ? ""
      : HTML.element(
        "div", [("class", "next")],
        HTML.words("p", NextSteps.title) + HTML.element("ul", [], steps.joined(separator: "\n")))
    let word = HTML.words("p", outline.word, class: "word")
    // The exit code of a recorded program is its own.
    let words =
      outline.isOnlyRecorded ? "nothing was judged" : "exit code \(run.verdict.exitCode.rawValue)"
    let code = HTML.words("p", words, class: "code")
    return HTML.element(
      "section", [("id", "verdict"), ("class", "s-\(outline.word)"), ("aria-label", "Verdict")],
      HTML.element("div", [], word + code) + HTML.element("div", [("class", "why")], reasons + next)) + "\n"
  }

  private static func gates(_ outline: RunOutline) -> String {
    let lines = GateLine.lines(outline)
    guard !lines.isEmpty else {
      return HTML.section("gates", "Gates", HTML.words("p", "The scenario has no gates."))
    }
    let rows = lines.map { line in
      [
        HTML.metric(line.gate), HTML.verdict(line.word), HTML.escaped(line.actual),
        HTML.escaped(line.margin),
        HTML.escaped(line.place) + (line.reason.map { HTML.words("div", $0, class: "reason") } ?? "")
          + others(line),
      ]
    }
    return HTML.section(
      "gates", "Gates",
      HTML.table(
        head: ["gate", "verdict", "actual", "margin", "where"], rows: rows, class: "stacked gates",
        numeric: false))
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
        head: ["metric", "mark", "before", "now", "multiple", "where"], rows: rows, class: "stacked gates",
        numeric: false, labels: ["before", "now"])
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
      HTML.table(
        head: ["finding", "verdict", "seen", "where"], rows: rows, class: "stacked", numeric: false,
        labels: ["seen"]))
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
}
