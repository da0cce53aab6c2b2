import Synchronization

/// A `TimeSeries` for any thread, behind a lock held for one addition.
public final class SharedTimeSeries: Sendable {
  private let series: Mutex<TimeSeries>

  /// An empty series; see `TimeSeries.init`.
  public init(_ kind: TimeSeries.Kind, interval: Int64 = 100_000_000, bound: Int = 600) {
    series = Mutex(TimeSeries(kind, interval: interval, bound: bound))
  }

  /// Records an amount or a level at a time in nanoseconds since the start.
  public func record(_ amount: Int64, at time: Int64) {
    series.withLock { $0.record(amount, at: time) }
  }

  /// What was recorded so far.
  public func snapshot() -> TimeSeries { series.withLock { $0 } }
}
