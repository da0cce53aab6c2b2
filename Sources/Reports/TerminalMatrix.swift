internal import RunRecords

/// The strategies' figures on a terminal: a row for each strategy, cut into as few tables as its width allows.
extension TerminalPage {
  private struct Layout {
    var head: [String]
    var cells: [String]
    var tints: [Tint]
    var width: Int
  }

  /// What is the same is said in a paragraph, what differs in tables. A single row becomes a plain list.
  mutating func matrix(_ matrix: StrategyMatrix) {
    if matrix.labels.count == 1 {
      list(matrix.same)
    } else {
      if matrix.base == nil {
        transposed(matrix)
      } else {
        tables(matrix.labels.map { cut($0, to: style.width * 2 / 5) }, matrix.columns.map(Self.layout))
      }
      if let base = matrix.base, matrix.columns.contains(where: { $0.cells.contains { !$0.ratio.isEmpty } }) {
        item("× multiples of \(base)'s figure, where they differ")
      }
      shared("same for all:", matrix.same)
      shared("within 2 %:", matrix.close)
    }
    if matrix.hasUnresolved { item(StrategyColumns.unresolved) }
  }

  private mutating func list(_ figures: [(name: String, text: String)]) {
    guard !figures.isEmpty else { return item("no samples") }
    let nameWidth = figures.map(\.name.count).max() ?? 0
    let isStarred = figures.contains { $0.text.hasSuffix("*") }
    let texts = figures.map { $0.text + (isStarred && !$0.text.hasSuffix("*") ? " " : "") }
    let textWidth = texts.map(\.count).max() ?? 0
    for (figure, text) in zip(figures, texts) {
      row("  " + Self.padded(figure.name, nameWidth) + "  " + Self.padded(text, textWidth, isRight: true))
    }
  }

  /// One strategy on several clocks or in several variants: a row for each metric.
  private mutating func transposed(_ matrix: StrategyMatrix) {
    let nameWidth = matrix.columns.map(\.name.count).max() ?? 0
    let layouts = matrix.labels.enumerated().map { index, label -> Layout in
      let texts = matrix.columns.map { $0.cells[index].value }
      let isStarred = texts.contains { $0.hasSuffix("*") }
      let cells = texts.map { $0 + (isStarred && !$0.hasSuffix("*") ? " " : "") }
      let width = cells.map(\.count).max() ?? 0
      let head = ColumnHead.lines(Self.clean(label), width: width, atMost: 4)
      return Layout(
        head: head, cells: cells, tints: cells.map { _ in .none },
        width: max(width, head.map(\.count).max() ?? 0))
    }
    tables(matrix.columns.map { cut($0.name, to: max(nameWidth, 20)) }, layouts)
  }

  private mutating func shared(_ lead: String, _ figures: [(name: String, text: String)]) {
    guard !figures.isEmpty else { return }
    items(lead, figures.map { "\($0.name) \($0.text)" })
  }

  private mutating func tables(_ labels: [String], _ layouts: [Layout]) {
    let labelWidth = labels.map(\.count).max() ?? 0
    var start = 0
    while start < layouts.count {
      var end = start
      var used = 2 + labelWidth
      while end < layouts.count, end == start || used + 2 + layouts[end].width <= style.width {
        used += 2 + layouts[end].width
        end += 1
      }
      table(labels, labelWidth, Array(layouts[start..<end]))
      blank()
      start = end
    }
  }

  private mutating func table(_ labels: [String], _ labelWidth: Int, _ columns: [Layout]) {
    let height = columns.map(\.head.count).max() ?? 0
    for line in 0..<height {
      let parts = columns.map { column in
        let index = line - (height - column.head.count)
        return Self.padded(index < 0 ? "" : column.head[index], column.width, isRight: true)
      }
      row("  " + Self.padded("", labelWidth) + "  " + parts.joined(separator: "  "), tint: .faint)
    }
    for (index, label) in labels.enumerated() {
      let parts = columns.map { column in
        let text = column.cells[index]
        // Blanks stay outside the colour, so that a line's end can be trimmed.
        let blanks = String(repeating: " ", count: column.width - text.count)
        let figure = text.trimmedEnd
        let rest = String(repeating: " ", count: text.count - figure.count)
        return blanks + painted(figure, column.tints[index], false) + rest
      }
      row("  " + Self.padded(label, labelWidth) + "  " + parts.joined(separator: "  "))
    }
  }

  private static func layout(_ column: StrategyMatrix.Column) -> Layout {
    let isStarred = column.cells.contains { $0.value.hasSuffix("*") }
    let values = column.cells.map { $0.value + (isStarred && !$0.value.hasSuffix("*") ? " " : "") }
    let valueWidth = values.map(\.count).max() ?? 0
    let ratioWidth = column.cells.map(\.ratio.count).max() ?? 0
    let cells = zip(values, column.cells).map { value, cell in
      let text = padded(value, valueWidth, isRight: true)
      return ratioWidth == 0 ? text : "\(text) \(padded(cell.ratio, ratioWidth, isRight: true))"
    }
    let head = ColumnHead.lines(clean(column.name), width: cells.first?.count ?? 0, atMost: 3)
    return Layout(
      head: head, cells: cells, tints: column.cells.map { Tint.of($0.standing) },
      width: max(cells.first?.count ?? 0, head.map(\.count).max() ?? 0))
  }
}

extension TerminalPage.Tint {
  fileprivate static func of(_ standing: StrategyMatrix.Standing) -> Self {
    switch standing {
    case .best: .good
    case .worst: .bad
    case .between: .none
    }
  }
}

/// A name broken into short lines over its column, so that it can be read whole.
enum ColumnHead {
  /// The lines; wider than asked for only where a part does not fit or they would be too many.
  static func lines(_ name: String, width: Int, atMost count: Int) -> [String] {
    let parts = parts(name)
    var width = max(width, parts.map(\.count).max() ?? 0)
    while true {
      let lines = packed(parts, width)
      if lines.count <= count { return lines }
      width += 1
    }
  }

  /// `hops`, `{role=registry}`, ` / elements`, `.stored`; `last-`, `batch-`, `lost`, ` · virtual`.
  private static func parts(_ name: String) -> [String] {
    var parts: [String] = []
    var part = ""
    var isInLabels = false
    for (index, word) in name.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
      let isSign = word == "/" || word == "·"
      if index > 0 {
        // A sign stays with the word after it.
        if isSign || !(part.hasSuffix(" /") || part.hasSuffix(" ·")) { end() }
        part += " "
      }
      for character in word {
        if !part.isEmpty, part != " ", character == "{" || (character == "." && !isInLabels) { end() }
        if character == "{" { isInLabels = true }
        if character == "}" { isInLabels = false }
        part.append(character)
        if character == "-", !isInLabels { end() }
      }
    }
    end()
    return parts

    func end() {
      if !part.isEmpty { parts.append(part) }
      part = ""
    }
  }

  private static func packed(_ parts: [String], _ width: Int) -> [String] {
    var lines: [String] = []
    for part in parts {
      if let last = lines.last, last.count + part.count <= width {
        lines[lines.count - 1] = last + part
      } else {
        // A line needs no sign between it and the one before, unless the sign is part of a ratio.
        lines.append(
          part.hasPrefix(" · ")
            ? String(part.dropFirst(3)) : part.first == " " ? String(part.dropFirst()) : part)
      }
    }
    return lines
  }
}
