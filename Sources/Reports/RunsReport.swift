package import RunRecords

/// Several scenarios that were run together, as one page, one summary and one JUnit file.
package struct RunsReport: Sendable {
  /// One for each scenario that was to be run, in order.
  package let entries: [RunsEntry]
  /// The most severe of all.
  package let verdict: Verdict

  /// Makes the report of the whole.
  package init(_ entries: [RunsEntry], verdict: Verdict) {
    self.entries = entries
    self.verdict = verdict
  }

  private var tally: String {
    "\(entries.count { $0.verdict == .passed }) of \(RunsEntry.counted(entries.count, "scenario", "scenarios")) passed"
  }

  /// Those that did not pass first, the most severe on top; else in the order of the run.
  private var ranked: [RunsEntry] {
    entries.enumerated().sorted {
      ($0.element.verdict, $0.offset) < ($1.element.verdict, $1.offset)
    }.map(\.element)
  }

  // MARK: Formats

  /// `verdict.txt`.
  package var verdictText: String { verdict.rawValue + "\n" }

  /// `junit.xml`: a suite for each scenario.
  package var junit: String { JUnit.document(name: "weir", entries.map(\.suite)) }

  /// `summary.md`.
  package var markdown: String {
    let head = [
      "## \(verdict.rawValue): \(tally)", "", "| verdict | scenario | what |", "| --- | --- | --- |",
    ]
    let rows = ranked.map { entry in
      let name = SummaryMarkdown.escaped(entry.name)
      let link = entry.wasStarted ? "[\(name)](\(Self.address(entry.name))/summary.md)" : name
      return "| \(entry.verdict.rawValue) | \(link) | \(SummaryMarkdown.escaped(entry.what)) |"
    }
    return (head + rows).joined(separator: "\n") + "\n"
  }

  /// `report.html`: every scenario with its verdict, linked to its own page.
  package var html: String {
    let rows = ranked.map { entry in
      let name = HTML.words("code", entry.name)
      let link =
        entry.wasStarted
        ? HTML.element("a", [("href", Self.address(entry.name) + "/report.html")], name) : name
      let about = entry.about.isEmpty ? "" : HTML.words("div", entry.about, class: "reason")
      return [
        link + about, HTML.verdict(entry.verdict.rawValue), HTML.prose(entry.what),
        entry.wall > 0 ? HTML.escaped(MetricFormat.duration(Double(entry.wall))) : "",
      ]
    }
    let word = HTML.words("p", verdict.rawValue, class: "word")
    let code = HTML.words("p", "exit code \(verdict.exitCode.rawValue)", class: "code")
    let top = HTML.element(
      "section", [("id", "verdict"), ("class", "s-\(verdict.rawValue)"), ("aria-label", "Verdict")],
      HTML.element("div", [], word + code)
        + HTML.element("div", [("class", "why")], HTML.words("p", "\(tally): \(verdict.about)")))
    let table = HTML.table(
      head: ["scenario", "verdict", "what", "wall"], rows: rows, class: "stacked", numeric: false)
    let body =
      HTML.element(
        "header", [], HTML.words("p", "Weir", class: "mark") + HTML.words("h1", "Scenarios run together"))
      + "\n<main>\n" + top + "\n" + HTML.section("scenarios", "Scenarios", table) + "</main>\n"
    return HTMLReport.page(title: "\(verdict.rawValue): \(tally)", body: body, scripts: "")
  }

  /// A directory's name as a relative address.
  static func address(_ name: String) -> String {
    var text = name.first == "/" || name.contains(":") ? "./" : ""
    for byte in name.utf8 {
      let scalar = Unicode.Scalar(byte)
      let isPlain = byte < 0x80 && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
      if isPlain || "-_.~".unicodeScalars.contains(scalar) {
        text.unicodeScalars.append(scalar)
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        text += "%" + (digits.count < 2 ? "0" : "") + digits
      }
    }
    return text
  }
}
