/// Takes a mapping apart by key; keys that are not known are reported with the nearest one.
struct MappingReader {
  let node: DocumentNode
  /// What the mapping is, for messages: "the scenario", "`load`".
  let name: String
  let log: DiagnosticLog
  private let entries: [String: DocumentEntry]

  /// Reads `node` as a mapping; nil, and reported, when it is none. `elsewhere` says of keys that are often
  /// put here where they belong.
  init?(
    _ node: DocumentNode, _ name: String, keys: [String], elsewhere: [String: String] = [:],
    log: DiagnosticLog
  ) {
    guard case .mapping(let entries) = node.content else {
      log.report(
        "\(name) must be a mapping, not \(node.kindName)", at: node, allowed: keys.joined(separator: ", "))
      return nil
    }
    for entry in entries where !keys.contains(entry.key) && !entry.key.isEmpty {
      if let place = elsewhere[entry.key] {
        log.report(
          "`\(entry.key)` does not stand here", at: entry.keyPosition, text: entry.key, allowed: place)
      } else {
        log.reportUnknown("key", entry.key, at: entry.keyPosition, among: keys)
      }
    }
    self.node = node
    self.name = name
    self.log = log
    self.entries = Dictionary(entries.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The value of a key; nil when it is absent.
  subscript(key: String) -> DocumentNode? { entries[key]?.value }

  /// Where a key stands; the mapping's own place when it is absent.
  func position(of key: String) -> SourcePosition { entries[key]?.keyPosition ?? node.position }

  /// The value of a key that must be there.
  func require(_ key: String, _ hint: String? = nil) -> DocumentNode? {
    if let value = self[key] { return value }
    log.report("\(name) lacks `\(key)`", at: node.position, allowed: hint)
    return nil
  }

  /// Reports keys that have no meaning beside what was chosen.
  func refuse(_ keys: [String], because reason: String) {
    for key in keys {
      if let entry = entries[key] { log.report("`\(key)` \(reason)", at: entry.keyPosition, text: key) }
    }
  }
}
