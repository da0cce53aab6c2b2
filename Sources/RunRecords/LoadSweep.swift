internal import Measurement

/// Cells of a run that differ in load alone: what became of throughput and waiting as the users grew.
package struct LoadSweep: Sendable {
  /// The strategy of all cells.
  package let strategy: String
  /// Their variant.
  package let variant: String
  /// Their clock.
  package let clock: String
  /// One for each number of users, rising.
  package let points: [Point]
  /// The actor that tasks waited for longest in all, under the most users; nil where no wait was measured.
  package let actor: String?

  /// One load: medians over the repetitions.
  package struct Point: Sendable {
    /// Users.
    package let users: Int
    /// Iterations completed per second; nil where no cell of this load gives one.
    package let rate: Double?
    /// Median latency of an iteration in ns.
    package let latency: Double?
    /// The 99th percentile of the latency in ns.
    package let latencyTail: Double?
    /// Mean wait for `actor` in ns.
    package let wait: Double?
    /// Mean stay on it in ns.
    package let hold: Double?
    /// Whether `latency` and `latencyTail` have too few samples in a cell.
    package let isUnresolved: (latency: Bool, latencyTail: Bool)
    /// Whether the figures are of cells that were interrupted: there are no others of this load.
    package let isInterrupted: Bool
  }

  /// The metric whose course over the load is looked at.
  package static let rate = "throughput"

  /// A sweep for each strategy, variant and clock, in plan order; none of a run without one.
  ///
  /// - Parameter withInterrupted: Whether a load of which no cell came to its end has the figures of those that were
  ///   interrupted: to be shown, not to be judged.
  package static func all(of cells: [CellRecord], withInterrupted: Bool = false) -> [LoadSweep] {
    groups(of: cells).map { LoadSweep($0, withInterrupted: withInterrupted) }
  }

  /// The cells of each sweep, in plan order.
  package static func groups(of cells: [CellRecord]) -> [[CellRecord]] {
    var groups: [[CellRecord]] = []
    for cell in cells where cell.users != nil {
      if let index = groups.firstIndex(where: { $0[0].isOfSweep(of: cell) }) {
        groups[index].append(cell)
      } else {
        groups.append([cell])
      }
    }
    return groups
  }

  /// `cells` is not empty.
  private init(_ cells: [CellRecord], withInterrupted: Bool) {
    strategy = cells[0].strategy
    variant = cells[0].variant
    clock = cells[0].clock
    let levels = Set(cells.compactMap(\.users)).sorted()
    let whole = cells.filter { ![.invalid, .interrupted, .crashed, .hung].contains($0.verdict) }
    let ended = Set(whole.map(\.users))
    let cut = cells.filter { withInterrupted && $0.verdict == .interrupted && !ended.contains($0.users) }
    let usable = whole + cut
    let actor = usable.filter { $0.users == levels.last }.lazy.compactMap(Self.mostWaitedFor).first
    self.actor = actor
    points = levels.map { users in
      let mine = usable.filter { $0.users == users }
      func isUnresolved(_ name: String) -> Bool {
        guard let term = FigureTerm(name, catalogue: MetricCatalogue()) else { return false }
        return !mine.allSatisfy(term.isResolved)
      }
      func median(_ name: String?) -> Double? {
        name.flatMap { name in Statistics.median(mine.compactMap { $0.metrics[name]?.double }) }
      }
      return Point(
        users: users, rate: median(Self.rate), latency: median("latency.iteration.p50"),
        latencyTail: median("latency.iteration.p99"),
        wait: median(actor.map { "actor.wait{actor=\($0)}.mean" }),
        hold: median(actor.map { "actor.hold{actor=\($0)}.mean" }),
        isUnresolved: (isUnresolved("latency.iteration.p50"), isUnresolved("latency.iteration.p99")),
        isInterrupted: cut.contains { $0.users == users })
    }
  }

  private static func mostWaitedFor(_ cell: CellRecord) -> String? {
    let prefix = "actor.wait{actor="
    let waits = cell.metrics.compactMap { name, count -> (actor: String, time: Double)? in
      guard name.hasPrefix(prefix), name.hasSuffix("}.count") else { return nil }
      let actor = String(name.dropFirst(prefix.count).dropLast("}.count".count))
      let mean = cell.metrics["\(prefix)\(actor)}.mean"]?.double ?? 0
      return (actor, mean * count.double)
    }
    // By name where waits are alike, so that equal cells give equal answers.
    return waits.filter { $0.time > 0 }.max { ($0.time, $1.actor) < ($1.time, $0.actor) }?.actor
  }
}
