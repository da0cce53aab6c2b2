/// A figure that runs hold, gates name and `weir explain` prints.
public struct MetricDeclaration: Sendable {
  /// What kind of figure it is.
  public enum Kind: String, Sendable {
    /// A number of events; 0 is a measured zero.
    case counter
    /// A level, of which the run keeps one figure (usually the largest).
    case gauge
    /// Many values: has the statistics `count min mean p50 p90 p95 p99 p99.9 max`.
    case distribution
  }
  /// What one unit of it is.
  public enum Unit: String, Sendable {
    /// Plain number.
    case count
    /// Integer nanoseconds.
    case nanoseconds
    /// Integer bytes.
    case bytes
    /// Events per second.
    case perSecond
    /// A ratio from 0 to 1 (or above, where it says so).
    case ratio
  }
  /// Which way is good.
  public enum Polarity: String, Sendable {
    /// Less is better.
    case lower
    /// More is better.
    case higher
    /// Neither: it describes the load or the run.
    case neutral
  }
  /// Which part of the cell it covers.
  public enum Window: String, Sendable {
    /// The whole cell, warm-up included.
    case cell
    /// From the end of the warm-up to the last iteration's end.
    case measured
  }

  /// The name without labels, e.g. `hops`.
  public var name: String
  /// The labels it can carry, e.g. `["actor", "role"]`; one at a time.
  public var labels: [String]
  /// Counter, gauge or distribution.
  public var kind: Kind
  /// Its unit.
  public var unit: Unit
  /// Which way is good.
  public var polarity: Polarity
  /// The clocks on which equal runs give equal figures.
  public var exactOn: [ClockKind]
  /// The clocks on which it is measured at all.
  public var measuredOn: [ClockKind]
  /// The part of the cell it covers.
  public var window: Window
  /// What it means, in a sentence or two.
  public var about: String

  /// Makes a declaration.
  public init(
    _ name: String, labels: [String] = [], _ kind: Kind, _ unit: Unit, _ polarity: Polarity,
    exactOn: [ClockKind] = [.virtual], measuredOn: [ClockKind] = [.virtual, .real],
    window: Window = .cell, about: String
  ) {
    self.name = name
    self.labels = labels
    self.kind = kind
    self.unit = unit
    self.polarity = polarity
    self.exactOn = exactOn
    self.measuredOn = measuredOn
    self.window = window
    self.about = about
  }
}
