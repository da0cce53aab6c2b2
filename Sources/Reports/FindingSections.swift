internal import RunRecords

/// The page's findings: what nobody expected comes with the verdict, what was expected or is only told comes later.
enum FindingSections {
  /// Findings that were not expected.
  static func unexpected(_ outline: RunOutline) -> String {
    guard !outline.run.scenario.isRecording else { return "" }
    return section("unexpected", "Findings that were not expected", outline) { isUnexpected($0) }
  }

  /// All others.
  static func others(_ outline: RunOutline) -> String {
    section("findings", "Findings", outline) { outline.run.scenario.isRecording || !isUnexpected($0) }
  }

  private static func isUnexpected(_ finding: FindingRecord) -> Bool {
    !finding.isExpected && finding.isAdvisory != true
  }

  private static func section(
    _ id: String, _ title: String, _ outline: RunOutline, where isWanted: (FindingRecord) -> Bool
  ) -> String {
    let items = outline.run.cells.flatMap { cell in
      cell.findings.filter(isWanted).map { item($0, in: cell, outline) }
    }
    return items.isEmpty ? "" : HTML.section(id, title, items.joined(separator: "\n"))
  }

  private static func item(_ finding: FindingRecord, in cell: CellRecord, _ outline: RunOutline) -> String {
    let mark = outline.mark(finding).map { ", " + $0 } ?? ""
    let head =
      HTML.words("h3", finding.name)
      + HTML.words("p", "\(outline.title(cell)), \(outline.times(finding.count))\(mark)", class: "where")
    let advice = outline.glossary.advice(for: finding.name).map { HTML.words("p", $0, class: "advice") } ?? ""
    var facts: [String] = []
    if let place = finding.place { facts.append(HTML.element("li", [], "at " + HTML.words("code", place))) }
    facts += (finding.details ?? []).map { HTML.element("li", [], HTML.chain($0)) }
    facts += outline.evidence(finding).map { HTML.words("li", $0) }
    if !finding.iterations.isEmpty {
      let first = finding.iterations.map(String.init).joined(separator: ", ")
      facts.append(HTML.words("li", "first seen in iterations \(first)"))
    }
    let isQuiet = finding.isExpected || finding.isAdvisory == true
    return HTML.element(
      "article", [("class", isQuiet ? "finding" : "finding unexpected")],
      head + HTML.words("p", finding.message) + advice
        + (facts.isEmpty ? "" : HTML.element("ul", [], facts.joined())))
  }
}
