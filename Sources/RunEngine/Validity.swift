internal import Measurement
internal import RunRecords
internal import RuntimeProbe
internal import Scenarios
internal import WorkloadInterface

/// Whether a cell's load was delivered: figures of a load that was not prove nothing.
package enum Validity {
  /// Share of planned arrivals that may be dropped before the run is invalid, unless a gate judges drops.
  package static let droppedShare = 0.01
  /// Lateness of the generator at p99, in ns, beyond which latencies say more about it than about the pipeline.
  package static let lateness: Int64 = 100_000_000
  /// Longest time, in ns, for which the process may stand still; what was under way then looks slow.
  static let standstill: Int64 = 500_000_000

  /// Makes the ending invalid, with the reasons, where the load was not delivered.
  static func check(_ run: CellRun, ending: inout CellEnding) {
    check(run.accounts, gates: run.plan.scenario.gates, ending: &ending)
  }

  /// The same of books and gates by themselves. A graver verdict stays.
  static func check(_ accounts: IterationAccounts, gates: [String], ending: inout CellEnding) {
    if let planned = ending.arrivalsOfPlan, accounts.planned < planned {
      ending.invalidate(
        "offered load not delivered: the drain time was over when \(accounts.planned) of \(planned) planned arrivals "
          + "had been made; the machine was too busy, or the process was stopped")
    }
    if ending.standstill > standstill {
      ending.invalidate(
        "the process stood still for \(ending.standstill / 1_000_000) ms: it was stopped, or the machine was too "
          + "busy; what was under way then looks slow")
    }
    if accounts.planned > 0, !judgesDrops(gates),
      Double(accounts.dropped) > droppedShare * Double(accounts.planned)
    {
      let share = Double(accounts.dropped * 1000 / accounts.planned) / 10
      ending.invalidate(
        "offered load not delivered: \(accounts.dropped) of \(accounts.planned) arrivals dropped (\(share) %); "
          + "raise `max-in-flight`, lower the rate, or gate `arrivals.dropped` to say how many are all right")
    }
    if let late = ending.lateness.value(at: .p99), late > lateness {
      ending.invalidate(
        "the load generator was late: p99 of start lateness is \(late / 1_000_000) ms; the machine was too busy"
      )
    }
    if ending.settled.probe.eventsLost > 0 {
      ending.invalidate("the probe lost \(ending.settled.probe.eventsLost) events: its counts are too low")
    }
  }
}

extension Validity {
  /// Whether one of these gates says how many arrivals may be dropped.
  package static func judgesDrops(_ gates: [String]) -> Bool {
    gates.contains { $0.contains("arrivals.dropped") }
  }
}

extension CellEnding {
  /// Makes the verdict at least `invalid`, for one more reason.
  mutating func invalidate(_ reason: String) {
    verdict = min(verdict, .invalid)
    reasons.append(reason)
  }
}
