internal import Measurement
internal import RunRecords
internal import RuntimeProbe
internal import Scenarios
internal import WorkloadInterface

/// Whether a cell's load was delivered: figures of a load that was not prove nothing.
enum Validity {
  /// Share of planned arrivals that may be dropped before the run is invalid, unless a gate judges drops.
  static let droppedShare = 0.01
  /// Lateness of the generator at p99, in ns, beyond which latencies say more about it than about the pipeline.
  static let lateness: Int64 = 100_000_000

  /// Makes the ending invalid, with the reasons, where the load was not delivered.
  static func check(_ run: CellRun, ending: inout CellEnding) {
    let accounts = run.accounts
    let judgesDrops = run.plan.scenario.gates.contains { $0.contains("arrivals.dropped") }
    if accounts.planned > 0, !judgesDrops,
      Double(accounts.dropped) > droppedShare * Double(accounts.planned)
    {
      ending.verdict = .invalid
      let share = Double(accounts.dropped * 1000 / accounts.planned) / 10
      ending.reasons.append(
        "offered load not delivered: \(accounts.dropped) of \(accounts.planned) arrivals dropped (\(share) %); "
          + "raise `max-in-flight`, lower the rate, or gate `arrivals.dropped` to say how many are all right")
    }
    if let late = ending.lateness.value(at: .p99), late > lateness {
      ending.verdict = .invalid
      ending.reasons.append(
        "the load generator was late: p99 of start lateness is \(late / 1_000_000) ms; the machine was too busy"
      )
    }
    if ending.settled.probe.eventsLost > 0 {
      ending.verdict = .invalid
      ending.reasons.append(
        "the probe lost \(ending.settled.probe.eventsLost) events: its counts are too low")
    }
  }
}
