public import Measurement
internal import Synchronization

/// Where a workload's figures go. Handles are made once, when a session is made; using one afterwards
/// allocates nothing and takes no lock.
///
/// Names are those of the metric catalogue, labels in braces: `elements.stored`, `latency.stage{stage=names}`.
public final class Recorder: Sendable {
  /// The time of the cell.
  public let clock: CellClock

  private struct State {
    var counters: [String: Counter] = [:]
    var distributions: [String: SharedHistogram] = [:]
    var gauges: [String: MaxGauge] = [:]
    var series: [String: SharedTimeSeries] = [:]
    var findings: [ReportedFinding.Key: ReportedFinding] = [:]
  }
  private let state = Mutex(State())

  /// Iterations named in one finding; more are counted only.
  static let iterationsKept = 10

  private let marks: (@Sendable (_ name: String) -> Mark)?

  /// Makes an empty recorder. `marks` makes the marks of a cell that is traced.
  public init(clock: CellClock, marks: (@Sendable (_ name: String) -> Mark)? = nil) {
    self.clock = clock
    self.marks = marks
  }

  /// The mark of that name for the cell's timeline; one that does nothing where no trace is asked for. Of the name 63
  /// bytes are kept, and of names 128.
  public func mark(_ name: String) -> Mark { marks?(name) ?? Mark() }

  /// The counter of that name; made, at 0, when it is new. A counter that was made and never used is a
  /// measured zero.
  public func counter(_ name: String) -> Counter {
    state.withLock { state in
      if let known = state.counters[name] { return known }
      let made = Counter()
      state.counters[name] = made
      return made
    }
  }

  /// The distribution of that name, in ns; made when it is new.
  public func distribution(_ name: String) -> MeasuredDistribution {
    state.withLock { state in
      if let known = state.distributions[name] { return MeasuredDistribution(histogram: known) }
      let made = SharedHistogram()
      state.distributions[name] = made
      return MeasuredDistribution(histogram: made)
    }
  }

  /// The level of that name, whose maximum is kept; made when it is new.
  public func gauge(_ name: String) -> MaxGauge {
    state.withLock { state in
      if let known = state.gauges[name] { return known }
      let made = MaxGauge()
      state.gauges[name] = made
      return made
    }
  }

  /// The series of that name over the time of the cell; made, of that kind, when it is new. An entry takes a
  /// lock for one addition.
  public func series(_ name: String, _ kind: TimeSeries.Kind) -> SharedTimeSeries {
    state.withLock { state in
      if let known = state.series[name] { return known }
      let made = SharedTimeSeries(kind)
      state.series[name] = made
      return made
    }
  }

  /// Reports a fault that was seen once. Reports of one name and place add up: their evidence is summed; figures that
  /// make no sum stay those of the first.
  public func report(_ finding: ReportedFinding) {
    state.withLock { state in
      guard var known = state.findings[finding.key] else {
        state.findings[finding.key] = finding
        return
      }
      known.count += finding.count
      known.evidence.merge(finding.evidence) { $0 + $1 }
      known.iterations.append(
        contentsOf: finding.iterations.prefix(max(0, Self.iterationsKept - known.iterations.count)))
      for sentence in finding.details
      where known.details.count < Self.iterationsKept && !known.details.contains(sentence) {
        known.details.append(sentence)
      }
      state.findings[finding.key] = known
    }
  }

  /// All counters as they stand, by name.
  public func counterValues() -> [String: Int64] {
    state.withLock { $0.counters }.mapValues { $0.value }
  }

  /// All distributions as they stand, by name.
  public func histograms() -> [String: LatencyHistogram] {
    state.withLock { $0.distributions }.mapValues { $0.snapshot() }
  }

  /// The largest value of each gauge, by name.
  public func gaugeMaxima() -> [String: Int64] {
    state.withLock { $0.gauges }.mapValues { $0.max }
  }

  /// All series as they stand, by name.
  public func timeSeries() -> [String: TimeSeries] {
    state.withLock { $0.series }.mapValues { $0.snapshot() }
  }

  /// All findings, sorted by name and place.
  public func findings() -> [ReportedFinding] {
    state.withLock { Array($0.findings.values) }
      .sorted { ($0.name, $0.place ?? "") < ($1.name, $1.place ?? "") }
  }
}

/// A distribution that leaves the warm-up out.
public struct MeasuredDistribution: Sendable {
  let histogram: SharedHistogram

  /// Records a value in ns, unless the iteration belongs to the warm-up. Allocates nothing.
  public func record(_ nanoseconds: Int64, in iteration: Iteration) {
    if !iteration.isWarmUp { histogram.record(nanoseconds) }
  }

  /// Records a value in ns, in the warm-up as well. Allocates nothing.
  public func record(_ nanoseconds: Int64) { histogram.record(nanoseconds) }
}

/// A fault that was seen, with figures.
public struct ReportedFinding: Sendable, Hashable {
  /// What reports are added up by.
  public struct Key: Sendable, Hashable {
    let name: String
    let place: String?
  }

  /// The finding's declared name.
  public var name: String
  /// How often it was seen.
  public var count: Int
  /// Figures that show it, by kebab-case name with the unit last where it has one; summed over reports.
  public var evidence: [String: Int64]
  /// Figures of the first report alone, by names like those of the evidence: shares, rates, positions in a stream.
  public var firstSighting: [String: Int64] = [:]
  /// Where it comes from, as `function (Module/File.swift:line)`, if known.
  public var place: String?
  /// The first iterations it was seen in.
  public var iterations: [Int]
  /// What was seen, in sentences; few.
  public var details: [String] = []

  /// Makes a report of one sighting.
  public init(
    _ name: String, count: Int = 1, evidence: [String: Int64], firstSighting: [String: Int64] = [:],
    place: String? = nil, iteration: Int? = nil, details: [String] = []
  ) {
    self.firstSighting = firstSighting
    self.details = details
    self.name = name
    self.count = count
    self.evidence = evidence
    self.place = place
    self.iterations = iteration.map { [$0] } ?? []
  }

  /// All figures, as they are recorded.
  public var figures: [String: Int64] { evidence.merging(firstSighting) { summed, _ in summed } }

  /// What reports are added up by.
  public var key: Key { Key(name: name, place: place) }
}
