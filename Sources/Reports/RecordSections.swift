internal import RunRecords

/// The page's last part: all figures of all cells, what it ran on, and the scenario as it was run.
enum RecordSections {
  static func html(_ outline: RunOutline) -> String {
    cells(outline) + environment(outline) + scenario(outline)
  }

  private static func cells(_ outline: RunOutline) -> String {
    guard !outline.run.cells.isEmpty else { return "" }
    let parts = outline.run.cells.map { cell in
      HTML.details(
        "\(outline.title(cell)): \(cell.metrics.count) figures",
        reasons(cell)
          + HTML.table(head: ["metric", "figure", "exact"], rows: rows(cell, outline), class: "figures"))
    }
    return HTML.section("figures", "All figures", parts.joined())
  }

  private static func reasons(_ cell: CellRecord) -> String {
    cell.reasons.isEmpty
      ? "" : HTML.element("ul", [], cell.reasons.map { HTML.words("li", $0) }.joined()) + "\n"
  }

  private static func rows(_ cell: CellRecord, _ outline: RunOutline) -> [[String]] {
    Set(cell.metrics.keys).union(cell.absent.keys).sorted().map { name in
      let head = HTML.metric(name, title: outline.glossary.about(name))
      guard let value = cell.metrics[name] else {
        return [head, HTML.words("span", "not measured: \(cell.absent[name] ?? "")", class: "reason"), ""]
      }
      return [head, HTML.escaped(outline.glossary.text(value, of: name)), HTML.escaped(value.plain)]
    }
  }

  private static func environment(_ outline: RunOutline) -> String {
    let here = outline.run.environment
    var facts = [
      ("weir", here.weir), ("toolchain", here.toolchain), ("build", here.build), ("probe", here.linking),
      ("system", here.system), ("processor", here.processor), ("cores", "\(here.cores)"),
      ("commit", here.commit ?? "not in git"), ("started", here.started),
    ]
    if !here.scenarioFile.isEmpty { facts.append(("scenario file", here.scenarioFile)) }
    if !here.cost.isEmpty { facts.append(("wall time", MetricFormat.duration(Double(here.wall)))) }
    let list = facts.map { HTML.element("div", [], HTML.words("dt", $0.0) + HTML.words("dd", $0.1)) }
    var markup = HTML.element("dl", [("class", "strip")], list.joined(separator: "\n")) + "\n"
    if here.cost.count == outline.run.cells.count, !here.cost.isEmpty {
      let rows = zip(outline.run.cells, here.cost).map { cell, cost in
        [HTML.escaped(outline.title(cell))]
          + [cost.wall, cost.cpuUser, cost.cpuSystem].map { HTML.escaped(MetricFormat.duration(Double($0))) }
          + [HTML.escaped(MetricFormat.size(Double(cost.rssPeak))), MetricFormat.grouped(cost.jobs)]
      }
      let head = ["cell", "wall", "CPU user", "CPU system", "peak memory", "jobs"]
      let sum = here.cost.reduce(0) { $0 + $1.wall }
      // Cells that ran at once take less together than one after the other.
      let note =
        sum > here.wall
        ? HTML.words(
          "p",
          "Cells ran at once: one after the other they would have taken \(MetricFormat.duration(Double(sum))).",
          class: "note")
        : ""
      markup += HTML.details(
        "What each cell cost on this machine", HTML.table(head: head, rows: rows) + note)
    }
    return HTML.section("environment", "Environment", markup)
  }

  private static func scenario(_ outline: RunOutline) -> String {
    let text = HTML.element("pre", [("tabindex", "0")], HTML.words("code", outline.run.scenario.resolved))
    return HTML.section("scenario", "Scenario", HTML.details("As it was run, defaults filled in", text))
  }
}
