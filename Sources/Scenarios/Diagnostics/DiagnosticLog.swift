internal import RunRecords

/// Collects the faults of one scenario while it is read.
final class DiagnosticLog {
  /// More faults than this are not looked for: the file is something else than a scenario.
  static let most = 100

  private(set) var diagnostics: [ScenarioDiagnostic] = []

  var isEmpty: Bool { diagnostics.isEmpty }
  var isFull: Bool { diagnostics.count >= Self.most }

  /// Adds a fault at a place of a document.
  func report(
    _ message: String, at position: SourcePosition, text: String? = nil, allowed: String? = nil,
    nearest: String? = nil
  ) {
    guard !isFull else { return }
    diagnostics.append(
      ScenarioDiagnostic(
        file: position.source.name, line: position.line, column: position.column, message: message,
        text: text.map(ScenarioDiagnostic.short), allowed: allowed, nearest: nearest,
        sourceLine: position.source.line(position.line)))
  }

  /// Adds a fault of a value.
  func report(_ message: String, at node: DocumentNode, allowed: String? = nil, nearest: String? = nil) {
    report(message, at: node.position, text: node.text, allowed: allowed, nearest: nearest)
  }

  /// Adds that a name is not among those known; the nearest is looked up.
  func reportUnknown(_ what: String, _ name: String, at position: SourcePosition, among known: [String]) {
    guard !isFull else { return }
    report(
      "unknown \(what) `\(ScenarioDiagnostic.short(name))`", at: position, text: name,
      allowed: known.isEmpty ? "none: there is no \(what) here" : known.joined(separator: ", "),
      nearest: NearestName.of(name, among: known))
  }

  /// The faults by place: files in the order first met, then lines and columns.
  func sorted() -> [ScenarioDiagnostic] {
    var files: [String] = []
    for diagnostic in diagnostics where !files.contains(diagnostic.file) { files.append(diagnostic.file) }
    let rank = Dictionary(uniqueKeysWithValues: files.enumerated().map { ($1, $0) })
    return diagnostics.enumerated().sorted { left, right in
      let (a, b) = (left.element, right.element)
      return (rank[a.file] ?? 0, a.line, a.column, left.offset) < (
        rank[b.file] ?? 0, b.line, b.column, right.offset
      )
    }.map(\.element)
  }
}
