package import Measurement
package import WorkloadInterface

/// A metric, or the ratio of two, as gates judge it and reports show it: `flush.count / elements.stored`.
package struct FigureTerm: Sendable {
  /// The metric, or the dividend.
  package var metric: MetricCatalogue.Resolved
  /// The divisor, if it is a ratio.
  package var divisor: MetricCatalogue.Resolved?

  /// Makes a term.
  package init(metric: MetricCatalogue.Resolved, divisor: MetricCatalogue.Resolved? = nil) {
    self.metric = metric
    self.divisor = divisor
  }

  /// The name as gates write it.
  package var name: String {
    metric.name.description + (divisor.map { " / " + $0.name.description } ?? "")
  }

  /// The unit of its figures.
  package var unit: MetricDeclaration.Unit {
    if divisor != nil { return .ratio }
    return metric.name.statistic == "count" ? .count : metric.definition.unit
  }

  /// The clocks on which it is measured at all.
  package var measuredOn: [ClockKind] {
    metric.definition.measuredOn.filter { divisor?.definition.measuredOn.contains($0) ?? true }
  }

  /// What a cell holds of it.
  package enum Reading: Sendable, Equatable {
    /// The figure; 0 is a measured zero.
    case value(MetricValue)
    /// Why there is none.
    case missing(String)
  }

  /// Reads the figure in a cell.
  ///
  /// Both sides of a ratio come from one window: as soon as one of them covers the measured window, counters
  /// are read over that window too. A divisor of 0 gives no figure.
  package func reading(in cell: CellRecord) -> Reading {
    guard let divisor else { return cell.reading(of: metric, overWindow: false) }
    let overWindow = [metric, divisor].contains { $0.definition.window == .measured }
    let parts = (
      cell.reading(of: metric, overWindow: overWindow), cell.reading(of: divisor, overWindow: overWindow)
    )
    switch parts {
    case (.missing(let reason), _): return .missing("\(metric.name): \(reason)")
    case (_, .missing(let reason)): return .missing("\(divisor.name): \(reason)")
    case (.value(let above), .value(let below)):
      guard below.double != 0 else { return .missing("\(above.plain)/0: nothing to judge") }
      guard let ratio = MetricValue.finite(above.double / below.double) else { return .missing("no number") }
      return .value(ratio)
    }
  }

  /// Whether a cell has enough samples for each percentile in it; true where no percentile is in it.
  package func isResolved(in cell: CellRecord) -> Bool { shortage(in: cell) == nil }

  /// What is lacking where a percentile has too few samples: how many there are and how many it needs.
  package func shortage(in cell: CellRecord) -> (has: UInt64, needs: UInt64)? {
    for part in [metric, divisor].compactMap({ $0 }) {
      guard let needs = part.name.percentile?.samplesNeeded, let has = cell.samples(of: part.name) else {
        continue
      }
      if has < needs { return (has, needs) }
    }
    return nil
  }
}

extension MetricValue {
  /// The figure in plain digits, as the record holds it.
  package var plain: String {
    switch self {
    case .integer(let value): String(value)
    case .real(let value): value.isFinite ? "\(value)" : ""
    }
  }
}

extension MetricName {
  /// The percentile that the statistic asks for; nil for the others.
  package var percentile: Percentile? {
    guard let statistic, statistic.first == "p" else { return nil }
    return Percentile(statistic)
  }
}

extension CellRecord {
  /// How many samples a distribution has; nil where the cell does not say.
  package func samples(of name: MetricName) -> UInt64? {
    if case .integer(let count)? = metrics[name.series + ".count"] { return UInt64(max(0, count)) }
    return histograms[name.series]?.count
  }

  func reading(of metric: MetricCatalogue.Resolved, overWindow: Bool) -> FigureTerm.Reading {
    let name = metric.name.description
    if overWindow, metric.definition.kind == .counter {
      if let value = windowed[name] { return .value(value) }
      guard metric.definition.window == .measured else {
        return .missing(missing(metric.name, else: "not measured over the measured window"))
      }
    }
    if let value = metrics[name] { return .value(value) }
    if let value = histograms[metric.name.series].flatMap({ $0.figure(of: metric.name) }) {
      return .value(value)
    }
    if metric.name.statistic != nil, samples(of: metric.name) == 0 { return .missing("no samples") }
    return .missing(missing(metric.name, else: "not measured"))
  }

  private func missing(_ name: MetricName, else plain: String) -> String {
    let reason = absent[name.description] ?? absent[name.series] ?? absent[name.base]
    return reason.map { "not measured: \($0)" } ?? plain
  }
}

extension LatencyHistogram {
  /// A statistic by its name; nil without samples.
  fileprivate func figure(of name: MetricName) -> MetricValue? {
    switch name.statistic {
    case "count": .integer(Int64(clamping: count))
    case "min": minimum.map(MetricValue.integer)
    case "max": maximum.map(MetricValue.integer)
    case "mean": mean.flatMap(MetricValue.finite)
    // What is only known to lie above the range is no figure.
    default: name.percentile.flatMap { point(at: $0) }.flatMap { $0.isLowerBound ? nil : .integer($0.value) }
    }
  }
}
