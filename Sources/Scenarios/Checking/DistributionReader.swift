internal import RunRecords
internal import SeededDraws

/// Reads distributions of durations: `{ lognormal: { median: 1s, p99: 6s } }`.
struct DistributionReader {
  let log: DiagnosticLog
  private var values: ValueReader { ValueReader(log: log) }

  init(log: DiagnosticLog) { self.log = log }

  /// The kinds, and the parameters of each as a text for people.
  static let kinds: [(name: String, form: String)] = [
    ("constant", "{ constant: 250ms }"),
    ("uniform", "{ uniform: { from: 0s, to: 4s } }"),
    ("exponential", "{ exponential: { mean: 18ms } }"),
    ("lognormal", "{ lognormal: { median: 120ms, p99: 900ms } }"),
    ("pareto", "{ pareto: { minimum: 10ms, p99: 2s } } or { pareto: { minimum: 10ms, shape: 1.5 } }"),
    ("sequence", "{ sequence: [10ms, 20ms] }"),
  ]

  /// Reads a distribution; `extra` are keys that may stand beside its kind.
  func read(_ node: DocumentNode, _ name: String, extra: [String] = []) -> Distribution? {
    guard case .mapping(let entries) = node.content else {
      let hint = (try? UnitText.duration(node.text ?? "")) != nil ? "{ constant: \(node.text ?? "") }" : nil
      log.report(
        "`\(name)` must be a distribution, not \(node.kindName)", at: node,
        allowed: hint ?? Self.kinds.map(\.form).joined(separator: ", "))
      return nil
    }
    let kinds = Self.kinds.map(\.name)
    var chosen: DocumentEntry?
    for entry in entries where !extra.contains(entry.key) {
      if entry.key == "recorded" {
        log.report(
          "recorded distributions cannot be read yet", at: entry.keyPosition, text: entry.key,
          allowed: kinds.joined(separator: ", "))
        return nil
      }
      guard kinds.contains(entry.key) else {
        log.reportUnknown("kind of distribution", entry.key, at: entry.keyPosition, among: kinds + extra)
        return nil
      }
      if let chosen {
        log.report(
          "`\(name)` has two kinds, `\(chosen.key)` and `\(entry.key)`", at: entry.keyPosition,
          text: entry.key,
          allowed: "one of them")
        return nil
      }
      chosen = entry
    }
    guard let chosen else {
      log.report("`\(name)` has no kind", at: node, allowed: kinds.joined(separator: ", "))
      return nil
    }
    return distribution(chosen, name)
  }

  private func distribution(_ entry: DocumentEntry, _ name: String) -> Distribution? {
    switch entry.key {
    case "constant":
      return values.duration(entry.value, entry.key).flatMap { make(.constant($0), entry.value, [:]) }
    case "sequence":
      guard let elements = values.list(entry.value, entry.key, mayBeEmpty: false) else { return nil }
      let durations = elements.compactMap { values.duration($0, entry.key) }
      guard durations.count == elements.count else { return nil }
      return make(.sequence(durations), entry.value, [:])
    case "uniform": return two(entry, "from", "to") { .uniform(from: $0, to: $1) }
    case "lognormal": return two(entry, "median", "p99") { .lognormal(median: $0, p99: $1) }
    case "exponential":
      guard let mapping = MappingReader(entry.value, "`\(entry.key)`", keys: ["mean"], log: log),
        let mean = mapping.require("mean", form(entry.key)), let value = values.duration(mean, "mean")
      else { return nil }
      return make(.exponential(mean: value), entry.value, ["mean": mean])
    default: return pareto(entry)
    }
  }

  private func pareto(_ entry: DocumentEntry) -> Distribution? {
    guard case .mapping(let entries) = entry.value.content, entries.contains(where: { $0.key == "shape" })
    else {
      return two(entry, "minimum", "p99", also: ["shape"]) { .pareto(minimum: $0, p99: $1) }
    }
    guard
      let mapping = MappingReader(entry.value, "`pareto`", keys: ["minimum", "p99", "shape"], log: log),
      let minimum = mapping.require("minimum", form("pareto")), let shape = mapping["shape"]
    else { return nil }
    guard mapping["p99"] == nil else {
      log.report(
        "`pareto` has both `p99` and `shape`", at: mapping.position(of: "p99"), text: "p99",
        allowed: form("pareto"))
      return nil
    }
    guard let least = values.duration(minimum, "minimum") else { return nil }
    guard let text = shape.text, let number = UnitText.plainNumber(text) else {
      log.report(
        "`shape` must be a number, not \(shape.kindName)", at: shape, allowed: "a number above 0, e.g. 1.5")
      return nil
    }
    return make(
      .paretoShape(minimum: least, shape: number), entry.value, ["minimum": minimum, "shape": shape])
  }

  private func two(
    _ entry: DocumentEntry, _ first: String, _ second: String, also: [String] = [],
    _ shape: (Int64, Int64) -> Distribution.Shape
  ) -> Distribution? {
    guard let mapping = MappingReader(entry.value, "`\(entry.key)`", keys: [first, second] + also, log: log)
    else { return nil }
    let one = mapping.require(first, form(entry.key))
    let other = mapping.require(second, form(entry.key))
    let left = one.flatMap { values.duration($0, first) }
    let right = other.flatMap { values.duration($0, second) }
    guard let one, let other, let left, let right else { return nil }
    return make(shape(left, right), entry.value, [first: one, second: other])
  }

  private func form(_ kind: String) -> String? { Self.kinds.first { $0.name == kind }?.form }

  private func make(
    _ shape: Distribution.Shape, _ node: DocumentNode, _ parameters: [String: DocumentNode]
  ) -> Distribution? {
    do {
      return try Distribution(shape)
    } catch {
      switch error {
      case .negative(let parameter, _):
        fault(parameter, "cannot be negative", "at least 0s", node, parameters)
      case .notPositive(let parameter, _):
        fault(parameter, "must be above 0", "a duration above 0s", node, parameters)
      case .outOfOrder(let parameter, _, let least, let bound):
        fault(
          parameter, "is smaller than `\(least)`", "at least \(FigureText.duration(bound))", node, parameters)
      case .tooLarge(let parameter, _): fault(parameter, "is too long", "at most 100 years", node, parameters)
      case .badShape: fault("shape", "must be above 0", "a number above 0, e.g. 1.5", node, parameters)
      case .emptySequence: fault("sequence", "is empty", "at least one duration", node, parameters)
      }
      return nil
    }
  }

  private func fault(
    _ parameter: String, _ message: String, _ allowed: String, _ node: DocumentNode,
    _ parameters: [String: DocumentNode]
  ) {
    log.report("`\(parameter)` \(message)", at: parameters[parameter] ?? node, allowed: allowed)
  }
}
