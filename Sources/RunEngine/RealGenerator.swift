internal import Glibc
internal import LoadGeneration
internal import Measurement
internal import RunRecords
internal import Scenarios
internal import Synchronization
internal import WorkloadInterface

/// What starts iterations on the real clock: the pacer's thread for open load, users as tasks for closed.
final class RealGenerator: Sendable {
  /// Length of the load in ns; 0 when only a number of iterations bounds it.
  let planLength: Int64
  private let run: CellRun
  private let arrivals: ArrivalPlan?
  private let users: ClosedUsers?
  private let pacer: Pacer
  private let report = Mutex<Pacer.Report?>(nil)

  /// Prepares the load; nothing starts yet.
  init(_ run: CellRun) throws {
    self.run = run
    pacer = Pacer(clock: run.clock)
    switch run.plan.scenario.load.model {
    case .open(let open):
      let plan = try ArrivalPlan(open, seed: run.plan.scenario.seed)
      arrivals = plan
      users = nil
      planLength = plan.duration
    case .closed(let closed):
      arrivals = nil
      users = try ClosedUsers(closed, run: run)
      planLength = closed.duration ?? 0
    }
  }

  func start() {
    if let arrivals {
      pacer.start(
        arrivals,
        onDue: { [run] arrival, _ in
          run.arrive(CellRun.Arrival(index: arrival.index, intended: arrival.intended))
        },
        onEnd: { [self] ended in report.withLock { $0 = ended } })
    }
    users?.start()
  }

  /// Asks for an end: no more arrivals. `CellRun.isStopping` ends the users.
  func stop() { pacer.stop() }

  /// Whether nothing more will start by itself.
  var isOver: Bool {
    if let users { return users.areDone }
    return report.withLock { $0 != nil }
  }

  /// How many arrivals the whole plan has, where the pacer was stopped before it had made them all.
  func arrivalsOfPlan() -> Int64? {
    guard let arrivals, report.withLock({ $0?.wasStopped ?? true }) else { return nil }
    return Int64(arrivals.plannedTotal())
  }

  /// Waits until the pacer has made its report; it looks for a stop every 20 ms.
  func awaitReport() {
    guard arrivals != nil else { return }
    for _ in 0..<500 where !isOver { usleep(10_000) }
  }

  /// How late the generator itself made each start.
  func lateness() -> LatencyHistogram { report.withLock { $0?.lateness ?? LatencyHistogram() } }

  /// The share of a core that the pacing thread used over `length` ns; nil for closed load.
  func cpuShare(of length: Int64) -> Double? {
    report.withLock { $0 }.map { Double($0.processorTime) / Double(max(1, length)) }
  }
}
