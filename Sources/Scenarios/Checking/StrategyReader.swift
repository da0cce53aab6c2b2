internal import WorkloadInterface

/// Reads `strategies:`.
struct StrategyReader {
  let log: DiagnosticLog
  let declared: [StrategyDeclaration]
  private var values: ValueReader { ValueReader(log: log) }

  init(log: DiagnosticLog, declared: [StrategyDeclaration]) {
    self.log = log
    self.declared = declared
  }

  /// The strategies, each of another name; nil when any is at fault.
  func read(_ node: DocumentNode) -> [StrategySelection]? {
    guard let elements = values.list(node, "strategies", orOne: true, mayBeEmpty: false) else { return nil }
    let faults = log.diagnostics.count
    var read: [StrategySelection] = []
    var places: [String: SourcePosition] = [:]
    for element in elements {
      guard let selection = selection(element) else { continue }
      if let first = places[selection.name] {
        log.report(
          "a second strategy has the name `\(selection.name)`", at: element.position, text: selection.kind,
          allowed: "another name by `name:`; the first is at line \(first.line), column \(first.column)")
      }
      places[selection.name] = places[selection.name] ?? element.position
      read.append(selection)
    }
    return log.diagnostics.count == faults ? read : nil
  }

  private func selection(_ node: DocumentNode) -> StrategySelection? {
    let names = declared.map(\.name)
    switch node.content {
    case .scalar(let kind, _):
      guard let declaration = declared.first(where: { $0.name == kind }) else {
        log.reportUnknown("strategy", kind, at: node.position, among: names)
        return nil
      }
      guard declaration.needsOneOf.isEmpty else {
        lacks(declaration, at: node.position)
        return nil
      }
      return StrategySelection(
        name: kind, kind: kind, parameters: ParameterReader.defaults(declaration.parameters))
    case .mapping(let entries) where entries.count == 1:
      guard let declaration = declared.first(where: { $0.name == entries[0].key }) else {
        log.reportUnknown("strategy", entries[0].key, at: entries[0].keyPosition, among: names)
        return nil
      }
      return selection(entries[0], declaration)
    default:
      log.report(
        "a strategy must be a name or one name with settings, not \(node.kindName)", at: node,
        allowed: names.joined(separator: ", "))
      return nil
    }
  }

  private func selection(_ entry: DocumentEntry, _ declaration: StrategyDeclaration) -> StrategySelection? {
    let reader = ParameterReader(log: log)
    guard
      let (parameters, mapping) = reader.read(
        entry.value, "strategy `\(entry.key)`", declaration.parameters, extra: ["name"])
    else { return nil }
    if !declaration.needsOneOf.isEmpty, !declaration.needsOneOf.contains(where: { mapping[$0] != nil }) {
      lacks(declaration, at: entry.keyPosition)
      return nil
    }
    let given = declaration.parameters.compactMap { mapping[$0.name] }.map(Self.asWritten)
    var name = ([entry.key] + given).joined(separator: "-")
    if let node = mapping["name"] {
      guard let text = self.name(node) else { return nil }
      name = text
    }
    guard name.utf8.count <= 100 else {
      log.report(
        "the name made from the settings of `\(entry.key)` is too long", at: entry.keyPosition,
        text: entry.key,
        allowed: "a name of its own by `name:`")
      return nil
    }
    return StrategySelection(name: name, kind: entry.key, parameters: parameters)
  }

  private func lacks(_ declaration: StrategyDeclaration, at position: SourcePosition) {
    let needed = declaration.needsOneOf.map { "`\($0)`" }.joined(separator: " or ")
    log.report(
      "strategy `\(declaration.name)` needs \(needed)", at: position, text: declaration.name,
      allowed: "\(declaration.name): { \(declaration.needsOneOf[0]): … }")
  }

  private func name(_ node: DocumentNode) -> String? {
    guard let text = values.text(node, "name") else { return nil }
    guard text.unicodeScalars.count <= 60, text.unicodeScalars.allSatisfy(Self.isPlain) else {
      log.report(
        "`name` cannot be \(node.kindName)", at: node,
        allowed: "up to 60 letters, digits, `.`, `_`, `%`, `+`, `-`")
      return nil
    }
    return text
  }

  /// A value as it becomes part of a name: its scalars as written, joined by dashes.
  private static func asWritten(_ node: DocumentNode) -> String {
    switch node.content {
    case .scalar(let text, _):
      String(String.UnicodeScalarView(text.unicodeScalars.map { isPlain($0) ? $0 : "-" }))
    case .sequence(let elements): elements.map(asWritten).joined(separator: "-")
    case .mapping(let entries): entries.map { $0.key + "-" + asWritten($0.value) }.joined(separator: "-")
    }
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII
      && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        || "._%+-".unicodeScalars.contains(scalar))
  }
}
