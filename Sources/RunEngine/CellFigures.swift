internal import Measurement
internal import RunRecords
internal import WorkloadInterface

/// The figures of a cell while they are gathered: values by metric name, and why others are absent.
struct CellFigures {
  var metrics: [String: MetricValue] = [:]
  var windowed: [String: MetricValue] = [:]
  var absent: [String: String] = [:]
  var histograms: [String: LatencyHistogram] = [:]
  var series: [String: SeriesRecord] = [:]

  /// Sets a whole-cell figure.
  mutating func set(_ name: String, _ value: Int64) { metrics[name] = .integer(value) }

  /// Sets a whole-cell figure that may be more than a record holds; it is absent then.
  mutating func set(_ name: String, wide value: Int128) {
    if let value = Int64(exactly: value) {
      set(name, value)
    } else {
      absent[name] = "the sum is more than 64 bits hold"
    }
  }

  /// Sets a rate or ratio; absent, with the reason, where it is no number.
  mutating func set(_ name: String, ratio value: Double, otherwise reason: String) {
    if let finite = MetricValue.finite(value) { metrics[name] = finite } else { absent[name] = reason }
  }

  /// Sets a counter for the whole cell and for the measured window.
  mutating func set(_ name: String, cell: Int64, window: Int64) {
    metrics[name] = .integer(cell)
    windowed[name] = .integer(window)
  }

  /// Sets the statistics of a distribution; without samples there is a count of 0 and nothing else.
  mutating func set(_ name: String, _ histogram: LatencyHistogram) {
    histograms[name] = histogram
    metrics[name + ".count"] = .integer(Int64(clamping: histogram.count))
    guard let least = histogram.minimum, let most = histogram.maximum else { return }
    metrics[name + ".min"] = .integer(least)
    metrics[name + ".max"] = .integer(most)
    set(
      name + ".mean", ratio: histogram.mean ?? .nan,
      otherwise: "the sum of all values is above 584 years, more than is kept")
    for percentile in [Percentile.p50, .p90, .p95, .p99, .p99_9] {
      guard let point = histogram.point(at: percentile) else { continue }
      if point.isLowerBound {
        absent["\(name).\(percentile)"] =
          "it lies above \(point.value / 1_000_000_000) s, where the histogram's range ends; `max` is exact"
      } else {
        metrics["\(name).\(percentile)"] = .integer(point.value)
      }
    }
  }

  /// Sets a figure over time.
  mutating func set(series name: String, _ values: TimeSeries) {
    series[name] = SeriesRecord(interval: values.interval, values: values.values)
  }
}
