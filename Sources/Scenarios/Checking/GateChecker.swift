internal import RunRecords
internal import WorkloadInterface

/// Checks `gates:` and `expect:` against what the workload can measure and report.
struct GateChecker {
  let log: DiagnosticLog
  let workload: WorkloadDeclaration
  private var values: ValueReader { ValueReader(log: log) }

  init(log: DiagnosticLog, workload: WorkloadDeclaration) {
    self.log = log
    self.workload = workload
  }

  /// The longest gate, in bytes.
  static let longest = 400

  /// The gates as written, blanks squeezed. `strategies` are the names that may stand after `for`; nil when
  /// they are not known, since they are at fault themselves.
  func gates(_ node: DocumentNode, strategies: [String]?) -> [GateExpression] {
    let catalogue = MetricCatalogue(workload: workload.metrics)
    guard let elements = values.list(node, "gates", orOne: true) else { return [] }
    var read: [GateExpression] = []
    for element in elements where !log.isFull {
      guard let text = gateText(element) else { continue }
      do {
        let gate = try GateExpression.parse(text, catalogue: catalogue)
        checkLabels(of: gate, text, element)
        if let strategies, let name = gate.strategy, !strategies.contains(name) {
          let offset = text.range(ofLast: name).map { text[..<$0].unicodeScalars.count } ?? 0
          log.reportUnknown("strategy", name, at: place(element, offset), among: strategies)
        }
        read.append(gate)
      } catch {
        let characters = Array(text)
        let offset = String(characters.prefix(error.offset)).unicodeScalars.count
        let word = String(characters.dropFirst(error.offset).prefix { !$0.isWhitespace })
        log.report("gate: \(error.message)", at: place(element, offset), text: word, nearest: error.nearest)
      }
    }
    return read
  }

  private func gateText(_ node: DocumentNode) -> String? {
    guard let text = node.text, !node.isNull else {
      log.report(
        "a gate must be a text, not \(node.kindName)", at: node,
        allowed: "metric [/ metric] op value [for strategy], e.g. `tasks.orphaned == 0`")
      return nil
    }
    guard text.utf8.count <= Self.longest else {
      log.report("this is too long for a gate", at: node, allowed: "at most \(Self.longest) bytes")
      return nil
    }
    return text
  }

  /// The place of a character of a gate; the gate's own place where it is written in several lines.
  private func place(_ node: DocumentNode, _ offset: Int) -> SourcePosition {
    node.textPosition?.advanced(by: offset) ?? node.position
  }

  private func checkLabels(of gate: GateExpression, _ text: String, _ node: DocumentNode) {
    for metric in [gate.metric.name, gate.divisor?.name].compactMap({ $0 }) {
      guard let label = metric.label, let known = known(label.key, of: metric.base),
        !known.contains(label.value)
      else { continue }
      let written = "{\(label.key)=\(label.value)}"
      let offset =
        text.range(ofLast: written).map { text[..<$0].unicodeScalars.count + label.key.count + 2 } ?? 0
      log.reportUnknown(label.key, label.value, at: place(node, offset), among: known)
    }
  }

  /// The values that a label can have, where they are known before a run.
  private func known(_ label: String, of metric: String) -> [String]? {
    switch (metric, label) {
    case (_, "stage"): workload.stages
    case (_, "provider"): workload.providers.map(\.name)
    case (_, "role"): Set(workload.roles.values).sorted()
    case ("provider.failures", "kind"): FailureScript.Kind.allCases.map(\.rawValue)
    case ("flush.cause", "cause"): ["size", "age", "end"]
    case ("switches", "outcome"): ["same", "fast", "slow"]
    default: nil
    }
  }

  /// The expected findings; a name that nothing can report is a fault.
  func expectations(_ node: DocumentNode) -> [Scenario.Expectation] {
    let known = Set(
      (FindingCatalogue.all(with: workload.findings).map(\.name)) + workload.flaws.map(\.finding))
    guard let elements = values.list(node, "expect", orOne: true) else { return [] }
    var seen: Set<String> = []
    return elements.compactMap { element in
      guard let mapping = MappingReader(element, "an expectation", keys: ["finding", "count"], log: log),
        let node = mapping.require("finding", "{ finding: orphaned-task, count: 1 }"),
        let finding = values.text(node, "finding")
      else { return nil }
      guard known.contains(finding) else {
        log.reportUnknown("finding", finding, at: node.position, among: known.sorted())
        return nil
      }
      guard seen.insert(finding).inserted else {
        log.report("`\(finding)` is expected twice", at: node, allowed: "one expectation for each finding")
        return nil
      }
      let count = mapping["count"].flatMap { values.integer($0, "count", in: 1...Int(Int32.max)) }
      return Scenario.Expectation(finding: finding, count: count)
    }
  }
}

extension String {
  /// The start of the last place where `part` stands.
  fileprivate func range(ofLast part: String) -> Index? {
    guard !part.isEmpty else { return nil }
    var index = endIndex
    while index > startIndex {
      index = self.index(before: index)
      if self[index...].hasPrefix(part) { return index }
    }
    return nil
  }
}
