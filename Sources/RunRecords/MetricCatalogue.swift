internal import Measurement
package import WorkloadInterface

/// All metrics that a scenario's gates may name: Weir's own and those of one workload.
package struct MetricCatalogue: Sendable {
  /// Definitions by name.
  package let definitions: [String: MetricDeclaration]

  /// The catalogue with a workload's own metrics beside Weir's.
  package init(workload: [MetricDeclaration] = []) {
    definitions = Dictionary(
      (Self.builtIn + workload).map { ($0.name, $0) }, uniquingKeysWith: { _, own in own })
  }

  /// A metric's name as written, understood.
  package struct Resolved: Sendable {
    /// The name in parts.
    package var name: MetricName
    /// What it means.
    package var definition: MetricDeclaration
  }

  /// Reads a metric's name and checks its parts: `latency.stage{stage=names}.p99.9`.
  ///
  /// - Throws: `MetricNameError`, with the nearest known name where there is one.
  package func resolve(_ text: String) throws(MetricNameError) -> Resolved {
    var head = Substring(text)
    var label: MetricName.Label?
    var statistic: String?
    if let open = text.firstIndex(of: "{") {
      guard let close = text[open...].firstIndex(of: "}") else {
        throw MetricNameError("the brace of `\(text)` is not closed", nearest: nil)
      }
      let inside = text[text.index(after: open)..<close].split(separator: "=", maxSplits: 1)
      guard inside.count == 2 else {
        throw MetricNameError("write a label as {key=value}", nearest: nil)
      }
      label = .init(key: String(inside[0]), value: String(inside[1]))
      head = text[..<open]
      let rest = text[text.index(after: close)...]
      if !rest.isEmpty {
        guard rest.first == ".", rest.count > 1 else {
          throw MetricNameError("after the label comes `.` and a statistic, not `\(rest)`", nearest: nil)
        }
        statistic = String(rest.dropFirst())
      }
    }
    let (base, tail) = try split(String(head), hasStatistic: statistic != nil)
    return try check(MetricName(base: base, label: label, statistic: statistic ?? tail))
  }

  /// Finds the longest known name that `head` begins with; the rest is the statistic.
  private func split(_ head: String, hasStatistic: Bool) throws(MetricNameError) -> (String, String?) {
    if definitions[head] != nil { return (head, nil) }
    var parts = head.split(separator: ".", omittingEmptySubsequences: false)
    var tail: [Substring] = []
    while !hasStatistic, parts.count > 1, let last = parts.popLast() {
      tail.insert(last, at: 0)
      let base = parts.joined(separator: ".")
      if let known = definitions[base], known.kind == .distribution {
        return (base, tail.joined(separator: "."))
      }
    }
    throw MetricNameError("there is no metric `\(head)`", nearest: nearest(to: head))
  }

  /// The nearest known name, with the statistic kept where `head` ends in one.
  private func nearest(to head: String) -> String? {
    for statistic in MetricName.statistics.sorted(by: { $0.count > $1.count })
    where head.hasSuffix("." + statistic) {
      let distributions = definitions.values.filter { $0.kind == .distribution }.map(\.name)
      let base = String(head.dropLast(statistic.count + 1))
      if let near = NearestName.of(base, among: distributions) { return "\(near).\(statistic)" }
    }
    return NearestName.of(head, among: definitions.keys)
  }

  private func check(_ name: MetricName) throws(MetricNameError) -> Resolved {
    guard let definition = definitions[name.base] else {
      throw MetricNameError("there is no metric `\(name.base)`", nearest: nil)
    }
    if let label = name.label, !definition.labels.contains(label.key) {
      let known =
        definition.labels.isEmpty ? "no labels" : "the labels " + definition.labels.joined(separator: ", ")
      throw MetricNameError("`\(name.base)` has \(known), not `\(label.key)`", nearest: nil)
    }
    switch (definition.kind, name.statistic) {
    case (.distribution, nil):
      throw MetricNameError(
        "`\(name.base)` is a distribution: add a statistic, e.g. `.p99`", nearest: name.description + ".p99")
    case (.distribution, let statistic?):
      guard MetricName.statistics.contains(statistic) || Percentile(statistic) != nil,
        MetricName.statistics.contains(statistic) || statistic.first == "p"
      else {
        throw MetricNameError(
          "there is no statistic `\(statistic)`; there are \(MetricName.statistics.joined(separator: ", ")), or pN with N up to 100",
          nearest: NearestName.of(statistic, among: MetricName.statistics))
      }
    case (_, let statistic?):
      throw MetricNameError("`\(name.base)` is one figure and has no `.\(statistic)`", nearest: name.base)
    case (_, nil): break
    }
    return Resolved(name: name, definition: definition)
  }
}

/// A metric's name that is not known, or not well formed.
package struct MetricNameError: Error, Sendable {
  /// What is wrong.
  package let message: String
  /// The nearest name that would do.
  package let nearest: String?

  package init(_ message: String, nearest: String?) {
    self.message = message
    self.nearest = nearest
  }
}
