package import RunRecords

/// A run as one HTML page. It loads nothing: style, charts and data are in it, and its own policy forbids the
/// network. All figures stand in tables, readable where scripts are not allowed.
package enum HTMLReport {
  /// Renders a run.
  ///
  /// - Parameter charts: The chart library to put in; without it the page has its tables alone and says so.
  package static func text(_ run: RunRecord, charts library: ChartLibrary?, glossary: Glossary = Glossary())
    -> String
  {
    let outline = RunOutline(run: run, glossary: glossary)
    let charts = ChartData(outline)
    let isDrawn = library != nil && !charts.isEmpty
    let body =
      header(outline) + VerdictSections.html(outline)
      + FigureSections.html(outline, charts: isDrawn ? charts : nil)
      + RecordSections.html(outline) + footer(outline, library: library, hasFigures: !charts.isEmpty)
    return page(
      title: "\(outline.word): \(run.scenario.name)", body: body,
      scripts: isDrawn ? scripts(charts, library) : "")
  }

  /// A whole page around its body, with the style and the policy of all.
  static func page(title: String, body: String, scripts: String) -> String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="\(policy)">
    <meta name="color-scheme" content="light dark">
    <title>\(HTML.escaped(title))</title>
    <style>
    \(ReportStyle.css)</style>
    </head>
    <body>
    \(body)\(scripts)</body>
    </html>

    """
  }

  private static let policy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"

  private static func header(_ outline: RunOutline) -> String {
    let setting = outline.setting.dropFirst().map { HTML.words("span", $0) }.joined(separator: " ")
    let about = outline.run.scenario.about
    return HTML.element(
      "header", [],
      HTML.words("p", "Weir", class: "mark") + HTML.words("h1", outline.run.scenario.name)
        + (about.isEmpty ? "" : HTML.words("p", about, class: "about"))
        + HTML.element("p", [("class", "setting")], setting)) + "\n<main>\n"
  }

  private static func footer(_ outline: RunOutline, library: ChartLibrary?, hasFigures: Bool) -> String {
    let charts =
      library == nil
      ? "Chart.js was not found when this page was written, so it has its tables alone (Debian: libjs-chart.js)."
      : hasFigures
        ? "Charts: Chart.js, MIT licence; its notice is in this page's source."
        : outline.run.scenario.isRecording ? "A recorded program has no charts." : "No samples, so no charts."
    let made = "Written by weir \(outline.run.environment.weir) from run.json (\(outline.run.format))."
    return "</main>\n" + HTML.element("footer", [], HTML.words("p", made) + HTML.words("p", charts)) + "\n"
  }

  private static func scripts(_ charts: ChartData, _ library: ChartLibrary?) -> String {
    guard let library else { return "" }
    return "<script type=\"application/json\" id=\"chart-data\">\(charts.json)</script>\n"
      + "<script>\n\(library.scriptWithNotice)\n</script>\n<script>\n\(ChartScript.source)</script>\n"
  }
}
