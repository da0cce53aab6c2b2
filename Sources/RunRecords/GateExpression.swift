internal import WorkloadInterface

/// A condition on one metric or on the ratio of two: `flush.count / elements.stored <= 0.25 for batched-5`.
package struct GateExpression: Sendable {
  /// How the two sides are compared.
  package enum Comparison: String, Sendable, CaseIterable {
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case greater = ">"
  }

  /// The gate as written, blanks squeezed.
  package var text: String
  /// The metric, or the dividend of the ratio.
  package var metric: MetricCatalogue.Resolved
  /// The divisor of the ratio, if it is one.
  package var divisor: MetricCatalogue.Resolved?
  /// The comparison.
  package var comparison: Comparison
  /// The value on the right, in the metric's unit (ns, bytes, plain).
  package var limit: MetricValue
  /// The strategy whose cells it judges; nil for all.
  package var strategy: String?

  /// Whether it is on what a sweep over scheduling steps found: `steps.…`.
  package var isOfSteps: Bool { Self.isOfSteps(text) }

  /// Whether the gate of this text is on what a sweep over scheduling steps found.
  package static func isOfSteps(_ text: String) -> Bool {
    text.hasPrefix("steps.") || text.contains(/\/ *steps\./)
  }

  /// Whether a figure satisfies the gate. A value that is no number satisfies nothing.
  package func holds(_ actual: Double) -> Bool {
    let limit = limit.double
    guard actual.isFinite, limit.isFinite else { return false }
    return switch comparison {
    case .lessOrEqual: actual <= limit
    case .greaterOrEqual: actual >= limit
    case .equal: actual == limit
    case .notEqual: actual != limit
    case .less: actual < limit
    case .greater: actual > limit
    }
  }

  /// Reads a gate.
  ///
  /// Grammar: `metric [ "/" metric ] op value [ "for" strategy ]`, parts apart by blanks or not; the value
  /// carries the metric's unit (`8s`, `64KiB`, `40/s`, `5%`), a plain number for counts and ratios.
  /// - Throws: `GateSyntaxError` with the offset of the part at fault.
  package static func parse(_ text: String, catalogue: MetricCatalogue) throws(GateSyntaxError)
    -> GateExpression
  {
    var reader = GateReader(text)
    let metric = try reader.metric(catalogue)
    var divisor: MetricCatalogue.Resolved?
    if reader.take("/") { divisor = try reader.metric(catalogue) }
    let comparison = try reader.comparison()
    let limit = try reader.value(unit: divisor == nil ? metric.definition.unit : .ratio, of: metric)
    let strategy = try reader.strategy()
    if let divisor, divisor.definition.kind == .counter || metric.definition.kind == .counter,
      metric.definition.unit != divisor.definition.unit, metric.definition.kind == .distribution
    {
      throw GateSyntaxError(
        "a ratio of `\(metric.name)` to `\(divisor.name)` mixes a statistic with a counter", offset: 0,
        nearest: nil)
    }
    return GateExpression(
      text: reader.squeezed, metric: metric, divisor: divisor, comparison: comparison, limit: limit,
      strategy: strategy)
  }
}

/// A gate that cannot be read.
package struct GateSyntaxError: Error, Sendable {
  /// What is wrong and what is allowed.
  package let message: String
  /// Where in the gate's text, in characters from its start.
  package let offset: Int
  /// The nearest name that would do.
  package let nearest: String?

  package init(_ message: String, offset: Int, nearest: String?) {
    self.message = message
    self.offset = offset
    self.nearest = nearest
  }
}
