internal import RunRecords
internal import WorkloadInterface

/// Checks that what went in came out: of iterations always, of elements where the workload counts them.
enum Conservation {
  /// A finding with the figures of the equation that does not hold; nil when all hold.
  static func check(_ accounts: IterationAccounts, counters: [String: Int64]) -> ReportedFinding? {
    var evidence: [String: Int64] = [:]
    if accounts.planned != accounts.started + accounts.dropped + accounts.queued {
      evidence["planned"] = accounts.planned
      evidence["started"] = accounts.started
      evidence["dropped"] = accounts.dropped
      evidence["queued"] = accounts.queued
    }
    if accounts.started != accounts.completed + accounts.failed + accounts.cancelled + accounts.running {
      evidence["started"] = accounts.started
      evidence["running"] = accounts.running
    }
    if let made = counters["elements.made"] {
      let ends = ["delivered", "dropped", "buffered", "lost", "refused"]
      let accounted = ends.reduce(0) { $0 + (counters["elements.\($1)"] ?? 0) }
      // Iterations still running hold elements that have not come out yet.
      if accounts.running == 0 ? made != accounted : made < accounted {
        evidence["elements-made"] = made
        for end in ends { evidence["elements-\(end)"] = counters["elements.\(end)"] ?? 0 }
      }
    }
    return evidence.isEmpty ? nil : ReportedFinding("conservation-broken", evidence: evidence)
  }
}
