internal import Measurement
internal import RunRecords
internal import Scenarios
internal import WorkloadInterface

extension CellFigures {
  /// The conservation of iterations.
  mutating func set(_ accounts: IterationAccounts, plan: CellPlan) {
    set("arrivals.planned", accounts.planned)
    set("arrivals.dropped", accounts.dropped)
    set("arrivals.queued", accounts.queued)
    set("iterations.started", accounts.started)
    set("iterations.completed", accounts.completed)
    set("iterations.failed", accounts.failed)
    set("iterations.cancelled", accounts.cancelled)
    set("iterations.running", accounts.running)
    set("iterations.in-flight.max", accounts.inFlightMax)
    if plan.clock == .virtual {
      set("iterations.in-system.area", wide: accounts.area)
      set("iterations.sojourn.sum", wide: accounts.sojournSum)
    } else {
      let reason = "on the real clock arrivals are not entered at the very instant they were intended for"
      absent["iterations.in-system.area"] = reason
      absent["iterations.sojourn.sum"] = reason
    }
  }

  /// What the load plan asked for and what was delivered, per second.
  /// `length`: until the last iteration ended; `window`: of that, from the end of the warm-up; both in ns.
  mutating func setRates(
    _ accounts: IterationAccounts, plan: CellPlan, planLength: Int64, length: Int64, window: Int64
  ) {
    set(
      "throughput", ratio: Double(accounts.completed) / Double(length) * 1e9,
      otherwise: "the cell had no length")
    if case .open = plan.scenario.load.model {
      set(
        "load.offered", ratio: Double(accounts.planned) / Double(planLength) * 1e9,
        otherwise: "the load plan has no length")
      let length = max(planLength, accounts.lastStart)
      set(
        "load.achieved", ratio: Double(accounts.started) / Double(length) * 1e9,
        otherwise: "nothing was started")
    } else {
      absent["load.offered"] = "closed load offers no rate: each user starts when the last iteration ended"
      set(
        "load.achieved", ratio: Double(accounts.started) / Double(accounts.lastStart) * 1e9,
        otherwise: "all iterations started at once")
    }
    if plan.scenario.objective == nil {
      absent["goodput"] = "the scenario sets no `objective`"
    } else {
      set(
        "goodput", ratio: Double(accounts.good) / Double(window) * 1e9,
        otherwise: "the measured window is empty")
    }
  }

  /// Sums over providers and ratios that need several counters.
  mutating func setTotals(_ accounts: IterationAccounts) {
    for base in ["provider.calls", "provider.served", "provider.elements", "provider.after-consumer-left"] {
      let labelled = metrics.filter { $0.key.hasPrefix(base + "{") }
      guard !labelled.isEmpty else { continue }
      metrics[base] = .integer(labelled.values.reduce(0) { $0 + Int64($1.double) })
      windowed[base] = .integer(
        windowed.filter { $0.key.hasPrefix(base + "{") }.values.reduce(0) { $0 + Int64($1.double) })
    }
    let ended = accounts.completed + accounts.failed + accounts.cancelled
    if let calls = metrics["provider.calls"] {
      set("attempts", ratio: calls.double / Double(ended), otherwise: "no iteration ended")
    }
  }
}
