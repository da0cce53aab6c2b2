/// A value given on the command line in place of the file's: `load.stages.0.rate=80/s`.
package struct ScenarioOverride: Sendable, Hashable {
  /// What diagnostics name as the file: `--set`.
  package var origin: String
  /// `key.path=value`; the value is YAML, elements of lists are numbered from 0.
  package var text: String

  /// A value given by `--set key.path=value`.
  package static func set(_ text: String) -> ScenarioOverride {
    ScenarioOverride(origin: "--set", text: text)
  }

  /// As it is typed, quoted where a shell would read it otherwise.
  package var typed: String {
    let isPlain = text.utf8.allSatisfy { byte in
      (48...57).contains(byte) || (65...90).contains(byte & 0xDF) || "._-=/:,%+".utf8.contains(byte)
    }
    return "\(origin) " + (isPlain ? text : "'\(text.replacing("'", with: "'\\''"))'")
  }

  /// The seed given by `--seed N`.
  package static func seed(_ text: String) -> ScenarioOverride {
    ScenarioOverride(origin: "--seed", text: text)
  }
}

/// Puts overrides into a document before it is checked.
struct OverrideApplication {
  let log: DiagnosticLog

  func apply(_ override: ScenarioOverride, to root: inout DocumentNode) {
    let source = SourceText(name: override.origin, text: override.text)
    let start = SourcePosition(source: source, line: 1, column: 1)
    if override.origin == "--seed" {
      if let value = value(override.text, source: source, shift: 0, at: start) {
        replace([Step(name: "seed", position: start)][...], in: &root, with: value, path: "")
      }
      return
    }
    guard let equals = override.text.firstIndex(of: "=") else {
      log.report("this is no override", at: start, text: override.text, allowed: "key.path=value")
      return
    }
    guard let steps = steps(override.text[..<equals], from: start) else { return }
    let shift = override.text[...equals].unicodeScalars.count
    let text = String(override.text[override.text.index(after: equals)...])
    guard let value = value(text, source: source, shift: shift, at: start.advanced(by: shift)) else { return }
    replace(steps[...], in: &root, with: value, path: "")
  }

  private struct Step {
    let name: String
    let position: SourcePosition
  }

  private func steps(_ path: Substring, from start: SourcePosition) -> [Step]? {
    var steps: [Step] = []
    var place = start
    for part in path.split(separator: ".", omittingEmptySubsequences: false) {
      guard !part.isEmpty else {
        log.report(
          "a key is missing in the path `\(path)`", at: place, text: String(path), allowed: "key.path=value")
        return nil
      }
      steps.append(Step(name: String(part), position: place))
      place = place.advanced(by: part.unicodeScalars.count + 1)
    }
    guard steps.count < DocumentReader.deepest else {
      log.report("this path is too long", at: start, allowed: "at most \(DocumentReader.deepest) keys")
      return nil
    }
    return steps
  }

  private func value(
    _ text: String, source: SourceText, shift: Int, at place: SourcePosition
  ) -> DocumentNode? {
    switch TextScreening.text(of: Array(text.utf8), file: source.name) {
    case .failure(let fault):
      log.report(fault.message, at: place, allowed: fault.allowed)
      return nil
    case .success(let text):
      guard text.contains(where: { !$0.isWhitespace }) else {
        log.report("a value is missing", at: place, allowed: "key.path=value")
        return nil
      }
      return DocumentReader.read(text, source: source, shift: shift, log: log)
    }
  }

  /// Walks down the path; what is missing on the way becomes a mapping.
  private func replace(
    _ steps: ArraySlice<Step>, in node: inout DocumentNode, with value: DocumentNode, path: String
  ) {
    guard let step = steps.first else {
      node = value
      return
    }
    let rest = steps.dropFirst()
    let name = path.isEmpty ? step.name : "\(path).\(step.name)"
    switch node.content {
    case .mapping(var entries):
      let found = entries.firstIndex { $0.key == step.name }
      let index = found ?? entries.count
      if found == nil {
        let empty = DocumentNode(content: .mapping([]), position: step.position)
        entries.append(DocumentEntry(key: step.name, keyPosition: step.position, value: empty))
      }
      replace(rest, in: &entries[index].value, with: value, path: name)
      if rest.isEmpty { entries[index].keyPosition = step.position }
      node.content = .mapping(entries)
    case .sequence(var elements):
      guard let index = Int(step.name), elements.indices.contains(index) else {
        log.report(
          "`\(path)` is a list and has no element `\(step.name)`", at: step.position, text: step.name,
          allowed: elements.isEmpty ? "nothing: it is empty" : "a number from 0 to \(elements.count - 1)")
        return
      }
      replace(rest, in: &elements[index], with: value, path: name)
      node.content = .sequence(elements)
    case .scalar where node.isNull:
      node.content = .mapping([])
      replace(steps, in: &node, with: value, path: path)
    case .scalar:
      log.report(
        "`\(path)` is \(node.kindName) and has no keys", at: step.position, text: step.name,
        allowed: "\(path)=value")
    }
  }
}
