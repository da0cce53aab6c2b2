internal import WorkloadInterface

/// Whether throughput falls as callers grow, judged over cells that differ in their number of callers alone, as a
/// sweep makes them. A single cell cannot show it.
package enum ContentionCollapse {
  /// The finding's name.
  package static let name = "contention-collapse"

  /// The throughput of one cell, or the median of several.
  package struct Point: Sendable, Hashable {
    /// Users, or tasks, that called at once.
    package var callers: Int
    /// Iterations, or calls, per second.
    package var rate: Double

    package init(callers: Int, rate: Double) {
      self.callers = callers
      self.rate = rate
    }
  }

  /// From so many callers on, at least `spread` times as many as the fewest.
  private static let spread = 8
  /// It has collapsed below this share of the throughput with the fewest callers.
  private static let share = 1.0 / 3

  /// The finding, with the figures of both ends; nil where throughput holds, or the points do not tell.
  /// Every point with `spread` times the fewest callers must lie below a third: one slow cell is no collapse.
  ///
  /// - Parameter actor: Whom tasks waited for longest with the most callers; nil where nobody was seen.
  package static func finding(in points: [Point], of actor: String?) -> FindingRecord? {
    guard let fewest = points.min(by: { $0.callers < $1.callers }), fewest.rate > 0 else { return nil }
    let many = points.filter { $0.callers >= fewest.callers * spread }
    guard let most = many.max(by: { $0.callers < $1.callers }),
      many.allSatisfy({ $0.rate < fewest.rate * share })
    else { return nil }
    let about = FindingCatalogue.builtIn.first { $0.name == name }?.about
    return FindingRecord(
      name: name, count: 1, message: about ?? "",
      evidence: [
        "callers-few": Int64(fewest.callers), "callers-many": Int64(most.callers),
        "rate-few": Int64(fewest.rate), "rate-many": Int64(most.rate),
      ], place: actor, iterations: [], isExpected: false, isAdvisory: true)
  }

  /// The finding over a sweep, with the waits and stays at both ends.
  package static func finding(in sweep: LoadSweep) -> FindingRecord? {
    let measured = sweep.points.filter { $0.rate != nil }
    let points = measured.map { Point(callers: $0.users, rate: $0.rate ?? 0) }
    guard var finding = finding(in: points, of: sweep.actor) else { return nil }
    if let few = measured.first, let many = measured.last {
      for (name, value) in [
        ("wait-mean-few-ns", few.wait), ("wait-mean-many-ns", many.wait),
        ("hold-mean-few-ns", few.hold), ("hold-mean-many-ns", many.hold),
      ] {
        if let value { finding.evidence[name] = Int64(value) }
      }
    }
    return finding
  }
}
