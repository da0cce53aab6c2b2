internal import RunRecords

/// The figures of a recorded program on a terminal: hops onto each actor, most first, then everything else.
enum RecordedFigures {
  /// At most so many actors; the record holds all of them.
  private static let actors = 15

  static func rows(_ cell: CellRecord, glossary: Glossary) -> [(name: String, text: String)] {
    let prefix = "hops{actor="
    let hops = cell.metrics.filter { $0.key.hasPrefix(prefix) }
      .sorted { ($1.value.double, $0.key) < ($0.value.double, $1.key) }
    // Of distributions what is read at a glance; the record holds all of it.
    let shown = ["p50", "p99", "max"]
    let hidden = ["hops.from", "actor.depth", "actor.contended", "actor.hold-stride", "actor.clock-drift"]
    let others = cell.metrics.filter { name, _ in
      guard !name.hasPrefix(prefix), name != "probe.lost", !hidden.contains(where: name.hasPrefix) else {
        return false
      }
      let isPart = cell.histograms.keys.contains { name.hasPrefix($0 + ".") }
      return !isPart || shown.contains { name.hasSuffix("." + $0) }
    }.sorted { $0.key < $1.key }
    let total = others.filter { $0.key == "hops" }
    let figures = total + hops.prefix(actors) + others.filter { $0.key != "hops" }
    var rows = figures.map { (name: $0.key, text: glossary.text($0.value, of: $0.key)) }
    if hops.count > actors {
      rows.insert(("and \(hops.count - actors) more actors", ""), at: total.count + actors)
    }
    return rows
  }
}

extension TerminalPage {
  /// A recorded program's figures.
  mutating func recorded(_ run: RunRecord, glossary: Glossary) {
    guard let cell = run.cells.first else { return }
    heading("Figures of \(cell.strategy)")
    let rows = RecordedFigures.rows(cell, glossary: glossary)
    let names = rows.map(\.name.count).max() ?? 0
    let texts = rows.map(\.text.count).max() ?? 0
    for figure in rows {
      row("  " + Self.padded(figure.name, names) + "  " + Self.padded(figure.text, texts, isRight: true))
    }
  }
}
