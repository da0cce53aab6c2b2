/// A metric's name in parts: `latency.stage{stage=names}.p99.9` is base `latency.stage`, one label, statistic
/// `p99.9`.
package struct MetricName: Sendable, Hashable, CustomStringConvertible {
  /// The name without labels and statistic.
  package var base: String
  /// The label's key and value, if it has one.
  package var label: Label?
  /// `count`, `min`, `mean`, `p50` … of a distribution.
  package var statistic: String?

  /// A label.
  package struct Label: Sendable, Hashable {
    /// Its key.
    package var key: String
    /// Its value.
    package var value: String

    /// Makes a label.
    package init(key: String, value: String) {
      self.key = key
      self.value = value
    }
  }

  /// Makes a name from its parts.
  package init(base: String, label: Label? = nil, statistic: String? = nil) {
    self.base = base
    self.label = label
    self.statistic = statistic
  }

  package var description: String {
    series + (statistic.map { "." + $0 } ?? "")
  }

  /// The name without the statistic: what histograms and series are kept by.
  package var series: String {
    base + (label.map { "{\($0.key)=\($0.value)}" } ?? "")
  }

  /// The statistics of a distribution that every record holds.
  package static let statistics = ["count", "min", "mean", "p50", "p90", "p95", "p99", "p99.9", "max"]
}
