public import SeededDraws

/// How iterations are started.
public struct LoadDescription: Sendable, Codable, Hashable {
  /// Open or closed.
  public var model: LoadModel
  /// From the cell's start to here, iterations are counted but left out of distributions, in ns.
  public var warmUp: Int64
  /// How long iterations may take to end after the last arrival, in ns; what runs then is counted as running.
  public var drain: Int64

  /// Makes a description.
  public init(model: LoadModel, warmUp: Int64 = 0, drain: Int64 = 60_000_000_000) {
    self.model = model
    self.warmUp = warmUp
    self.drain = drain
  }
}

/// The two kinds of load.
public enum LoadModel: Sendable, Codable, Hashable {
  /// Arrivals come on their own, whether or not earlier iterations ended.
  case open(OpenLoad)
  /// Each user starts the next iteration after the last one ended.
  case closed(ClosedLoad)
}

/// Arrivals at a rate.
public struct OpenLoad: Sendable, Codable, Hashable {
  /// Spacing of arrivals.
  public enum Arrivals: String, Sendable, Codable, CaseIterable {
    /// Evenly spaced along the rate's integral.
    case constant
    /// A Poisson process of that rate.
    case poisson
  }
  /// What happens to an arrival when `maxInFlight` iterations run.
  public enum AtLimit: String, Sendable, Codable, CaseIterable {
    /// It is dropped and counted.
    case drop
    /// It waits; its latency runs from the intended start.
    case queue
  }

  /// Spacing of arrivals.
  public var arrivals: Arrivals
  /// The rate over time; never empty.
  public var stages: [LoadStage]
  /// Iterations that may run at once; nil is unlimited.
  public var maxInFlight: Int?
  /// What happens at the limit.
  public var atLimit: AtLimit

  /// Makes a load.
  public init(
    arrivals: Arrivals = .constant, stages: [LoadStage], maxInFlight: Int? = nil, atLimit: AtLimit = .drop
  ) {
    self.arrivals = arrivals
    self.stages = stages
    self.maxInFlight = maxInFlight
    self.atLimit = atLimit
  }
}

/// A stretch of an open load: a constant rate, or a linear ramp from `rate` to `to`.
public struct LoadStage: Sendable, Codable, Hashable {
  /// Length in ns, above 0.
  public var duration: Int64
  /// The rate at its start.
  public var rate: Rate
  /// The rate at its end; nil for constant.
  public var to: Rate?

  /// Makes a stage.
  public init(duration: Int64, rate: Rate, to: Rate? = nil) {
    self.duration = duration
    self.rate = rate
    self.to = to
  }
}

/// Starts per time, kept as the fraction that the scenario wrote: `0.4/s`, `2/min`.
public struct Rate: Sendable, Codable, Hashable {
  /// Millionths of a start, at least 0.
  public var millionths: Int64
  /// Per this many ns, above 0.
  public var per: Int64

  /// Makes a rate.
  public init(millionths: Int64, per: Int64 = 1_000_000_000) {
    self.millionths = millionths
    self.per = per
  }

  /// Starts per second, rounded to a double.
  public var perSecond: Double { Double(millionths) / 1e6 * 1e9 / Double(per) }
}

/// Users who each run one iteration after the other.
public struct ClosedLoad: Sendable, Codable, Hashable {
  /// Users, at least 1; of a sweep those of the cell, in a scenario the fewest.
  public var users: Int
  /// The numbers of users that a scenario runs one after the other, each in a cell of its own, rising; empty where
  /// `users` is all.
  public var sweep: [Int]
  /// Pause of a user between iterations; nil is none.
  public var think: Distribution?
  /// Users start evenly over this time, in ns.
  public var ramp: Int64
  /// No iteration starts after this time, in ns; nil when `iterations` bounds the load.
  public var duration: Int64?
  /// Iterations in all; nil when `duration` bounds the load.
  public var iterations: Int?

  /// Makes a load; at least one of `duration` and `iterations` is given.
  public init(
    users: Int, sweep: [Int] = [], think: Distribution? = nil, ramp: Int64 = 0, duration: Int64? = nil,
    iterations: Int? = nil
  ) {
    self.users = users
    self.sweep = sweep
    self.think = think
    self.ramp = ramp
    self.duration = duration
    self.iterations = iterations
  }
}
