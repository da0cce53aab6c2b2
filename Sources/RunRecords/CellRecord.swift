package import Measurement

/// What one cell came to: the part of `run.json` that is the same bytes for the same scenario, seed and build
/// on the virtual clock.
package struct CellRecord: Sendable, Codable, Equatable {
  /// The strategy's name.
  package var strategy: String
  /// `sound` or the flaw's name.
  package var variant: String
  /// `virtual` or `real`.
  package var clock: String
  /// From 1.
  package var repetition: Int
  /// Users of the closed load, where a sweep over them tells cells apart; else absent.
  package var users: Int?
  /// How it ended, before gates: passed, invalid, hung, crashed, interrupted, or failed by findings.
  package var verdict: Verdict
  /// Why the verdict is not `passed`, and what was not measured; one sentence each.
  package var reasons: [String]
  /// What counts of the runtime can see; `absent` when the probe measured nothing.
  package var coverage: Coverage
  /// Length of the cell in ns of its own clock, until the last iteration ended.
  package var length: Int64
  /// Length of the measured window in ns: from the end of the warm-up to the last iteration's end.
  package var window: Int64
  /// Figures by metric name (`hops{actor=BatchRegistry}`, `latency.iteration.p99`); counters cover the cell.
  package var metrics: [String: MetricValue]
  /// Counters again, over the measured window alone, so that ratios take both sides from one window.
  package var windowed: [String: MetricValue]
  /// Why a metric that could be expected is absent, by name.
  package var absent: [String: String]
  /// Distributions by name without statistic.
  package var histograms: [String: LatencyHistogram]
  /// Figures over time by name.
  package var series: [String: SeriesRecord]
  /// Faults seen.
  package var findings: [FindingRecord]
  /// Of a cell that the watchdog ended: how it stood still.
  package var hang: HangRecord?
  /// Of a cell that was traced: what came of it. Its timing was disturbed.
  package var trace: TraceRecord?

  /// Makes a record with nothing measured yet.
  package init(
    strategy: String, variant: String, clock: String, repetition: Int, users: Int? = nil, verdict: Verdict
  ) {
    self.users = users
    self.strategy = strategy
    self.variant = variant
    self.clock = clock
    self.repetition = repetition
    self.verdict = verdict
    reasons = []
    coverage = .absent
    length = 0
    window = 0
    metrics = [:]
    windowed = [:]
    absent = [:]
    histograms = [:]
    series = [:]
    findings = []
  }

  /// What people call the cell: `batched-5`, with clock, variant, users and repetition where they tell cells apart.
  package func title(amid cells: [CellRecord]) -> String {
    var parts = kindParts(amid: cells)
    if let users { parts.append(Self.text(users: users)) }
    if Set(cells.map(\.repetition)).count > 1 { parts.append("#\(repetition)") }
    return parts.joined(separator: " · ")
  }

  /// What people call all cells that differ from this one in load and repetition alone.
  package func sweepTitle(amid cells: [CellRecord]) -> String {
    let levels = cells.filter { $0.isOfSweep(of: self) }.compactMap(\.users)
    let range = Self.text(users: levels)
    return (kindParts(amid: cells) + [range].compactMap { $0 }).joined(separator: " · ")
  }

  /// `1 user`, `1 to 16 users`; nil without any.
  package static func text(users levels: [Int]) -> String? {
    guard let least = levels.min(), let most = levels.max() else { return nil }
    return least == most ? text(users: least) : "\(least) to \(most) users"
  }

  private func kindParts(amid cells: [CellRecord]) -> [String] {
    var parts = [strategy]
    if Set(cells.map(\.variant)).count > 1 { parts.append(variant) }
    if Set(cells.map(\.clock)).count > 1 { parts.append(clock) }
    return parts
  }

  /// Whether both differ in load and repetition alone.
  package func isOfSweep(of other: CellRecord) -> Bool {
    strategy == other.strategy && variant == other.variant && clock == other.clock
  }

  /// `1 user`, `16 users`.
  package static func text(users: Int) -> String { users == 1 ? "1 user" : "\(users) users" }
}

/// How a cell stood still when the watchdog ended it: a deadlock uses no processor, a loop without an end a core.
package struct HangRecord: Sendable, Codable, Equatable {
  /// Time since its last progress, in ns of the machine's clock.
  package var silent: Int64
  /// The part of it over which the processor's use is known, in ns; nil where it is not.
  package var watched: Int64?
  /// What the process used over that part, of one core; more than 100 on several.
  package var cpuPercent: Int64?

  /// Makes a record without the processor's use.
  package init(silent: Int64) { self.silent = silent }
}

/// What a count can see. Counts of different coverage are never compared.
package enum Coverage: String, Sendable, Codable, Hashable {
  /// Calls compiled into user code alone.
  case userCode = "user-code"
  /// Calls inside the Swift runtime as well.
  case wholeRuntime = "whole-runtime"
  /// Nothing was counted.
  case absent
}

/// A figure over time, in buckets of equal length.
package struct SeriesRecord: Sendable, Codable, Equatable {
  /// Length of a bucket in ns.
  package var interval: Int64
  /// One figure for each bucket, from the start of the cell.
  package var values: [Int64]

  /// Makes a series.
  package init(interval: Int64, values: [Int64]) {
    self.interval = interval
    self.values = values
  }
}

/// A fault that was seen in a cell.
package struct FindingRecord: Sendable, Codable, Equatable {
  /// Its declared name.
  package var name: String
  /// How often it was seen.
  package var count: Int
  /// One sentence that says what was seen, figures in it.
  package var message: String
  /// The figures by name.
  package var evidence: [String: Int64]
  /// Where it comes from: `function (Module/File.swift:line)`.
  package var place: String?
  /// The first iterations it was seen in.
  package var iterations: [Int]
  /// Whether the scenario expected it.
  package var isExpected: Bool
  /// What was seen in sentences, e.g. of tasks what they wait for; `nil` where the figures say it all.
  package var details: [String]?
  /// True where it depends on the machine and fails no scenario; absent otherwise.
  package var isAdvisory: Bool?

  /// Makes a record.
  package init(
    name: String, count: Int, message: String, evidence: [String: Int64], place: String?, iterations: [Int],
    isExpected: Bool, details: [String]? = nil, isAdvisory: Bool = false
  ) {
    self.details = details
    self.name = name
    self.count = count
    self.message = message
    self.evidence = evidence
    self.place = place
    self.iterations = iterations
    self.isExpected = isExpected
    self.isAdvisory = isAdvisory ? true : nil
  }
}
