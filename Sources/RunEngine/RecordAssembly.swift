internal import Foundation
internal import HeapProbe
internal import Measurement
internal import RunRecords
internal import RuntimeProbe
internal import Scenarios
internal import Synchronization
internal import WorkloadInterface

/// What a driver hands over when a cell has ended.
struct CellEnding {
  /// Counters at the end of the warm-up.
  var windowStart: WindowSnapshot
  /// Counters when the last iteration had ended.
  var windowEnd: WindowSnapshot
  /// Counters after the grace time.
  var settled: WindowSnapshot
  /// Length of the load plan in ns.
  var planLength: Int64
  /// Lateness of the load generator itself.
  var lateness: LatencyHistogram
  /// How many arrivals the whole plan has; nil where all of them were made, and for closed load.
  var arrivalsOfPlan: Int64?
  /// The longest time for which the cell's own thread was kept from running, in ns; 0 in virtual time.
  var standstill: Int64 = 0
  /// Share of a core that the load generator used; nil where it has no thread of its own.
  var generatorShare: Double?
  /// Looks at the memory in use; nil in virtual time.
  var memory: MemoryWatch?
  /// Verdict of the driver: passed, hung, invalid or interrupted.
  var verdict: Verdict = .passed
  /// Why.
  var reasons: [String] = []
}

extension CellEnding {
  /// How long load was offered, in ns: the plan, or what there was time for.
  var loadLength: Int64 {
    let wasCut = verdict == .interrupted || verdict == .hung || arrivalsOfPlan != nil
    return wasCut ? max(1, min(planLength, windowEnd.time)) : planLength
  }
}

/// Makes the record of a cell from everything that was gathered.
struct RecordAssembly {
  let run: CellRun
  let workload: WorkloadDeclaration
  let start: WindowSnapshot
  let calibration: Result<Calibration, ProbeAbsence>
  let coverage: Coverage
  /// Of a real cell, the watch over its pool.
  var poolWatch: PoolWatch?

  func record(_ ending: CellEnding) -> CellRecord {
    let plan = run.plan
    let accounts = run.accounts
    var record = CellRecord(
      strategy: plan.strategy.name, variant: plan.variant, clock: plan.clock.rawValue,
      repetition: plan.repetition, users: plan.users, verdict: ending.verdict)
    record.reasons = ending.reasons
    record.coverage = coverage
    record.length = ending.windowEnd.time
    record.window = max(0, ending.windowEnd.time - ending.windowStart.time)
    let figures = figures(accounts, ending)
    record.metrics = figures.metrics
    record.windowed = figures.windowed
    record.absent = figures.absent
    record.histograms = figures.histograms
    record.series = figures.series
    record.findings = findings(accounts, ending)
    return record
  }

  private func figures(_ accounts: IterationAccounts, _ ending: CellEnding) -> CellFigures {
    let plan = run.plan
    var figures = CellFigures()
    figures.set(accounts, plan: plan)
    figures.setRates(
      accounts, plan: plan, planLength: ending.loadLength, length: ending.windowEnd.time,
      window: ending.windowEnd.time - ending.windowStart.time)
    figures.set("latency.iteration", run.latency.snapshot())
    figures.set("service.iteration", run.service.snapshot())
    if case .open = plan.scenario.load.model {
      figures.set("load.lateness", ending.lateness)
    } else {
      figures.absent["load.lateness"] = "closed load has no intended starts"
    }
    if let share = ending.generatorShare {
      figures.set("load.generator-cpu", ratio: share, otherwise: "the cell had no length")
    } else {
      figures.absent["load.generator-cpu"] =
        plan.clock == .virtual
        ? "CPU costs nothing in virtual time" : "closed load has no generator: its users are tasks"
    }
    setWorkload(&figures, ending)
    setProbe(&figures, ending)
    figures.setHeap(ending, clock: plan.clock)
    figures.setTotals(accounts)
    for (name, series) in [
      ("arrivals.planned", run.plannedSeries), ("iterations.started", run.startedSeries),
      ("iterations.completed", run.completedSeries), ("iterations.failed", run.failedSeries),
      ("iterations.cancelled", run.cancelledSeries),
      ("iterations.in-flight", run.inFlightSeries),
    ] {
      figures.set(series: name, series.snapshot())
    }
    return figures
  }

  private func setWorkload(_ figures: inout CellFigures, _ ending: CellEnding) {
    for (name, value) in run.recorder.counterValues() {
      let window = (ending.windowEnd.counters[name] ?? value) - (ending.windowStart.counters[name] ?? 0)
      figures.set(name, cell: value, window: window)
    }
    for (name, value) in run.recorder.gaugeMaxima() { figures.set(name, value) }
    for (name, histogram) in run.recorder.histograms() { figures.set(name, histogram) }
    for (name, series) in run.recorder.timeSeries() { figures.set(series: name, series) }
  }

  private func setProbe(_ figures: inout CellFigures, _ ending: CellEnding) {
    switch calibration {
    case .failure(let absence):
      figures.setProbeAbsent(absence.reason)
      figures.setActorsAbsent(absence.reason)
    case .success(let calibration):
      figures.set(
        whole: ending.settled.probe.since(start.probe),
        window: ending.windowEnd.probe.since(ending.windowStart.probe), calibration: calibration,
        roles: run.session.roles ?? workload.roles, rolesWithoutActor: run.session.rolesWithoutActor,
        clock: run.plan.clock)
      if let window = actorWindow(ending) {
        figures.set(window, calibration: calibration)
      } else {
        figures.setActorsAbsent("waits and holds follow the machine: real clock only")
      }
      if calibration.tasks.isExact { figures.set(run.watch) }
      figures.set(
        cancelDelays: run.cancelDelays.snapshot(), lost: run.endsLost.load(ordering: .relaxed), calibration)
    }
  }

  /// What the probe saw of the actors in the measured window; nil in virtual time.
  private func actorWindow(_ ending: CellEnding) -> ActorWindow? {
    guard let before = ending.windowStart.actors, let after = ending.windowEnd.actors else { return nil }
    return ActorWindow(
      report: after.since(before), length: ending.windowEnd.time - ending.windowStart.time,
      clockDrift: Probe.clockDrift)
  }

  // MARK: Findings

  /// What was found but for tasks that outlived their iteration, and without the figures.
  func findingsOfWorkload() -> [FindingRecord] { reported(run.accounts).map(record) }

  /// The record of a finding.
  func record(_ finding: ReportedFinding) -> FindingRecord { Self.record(finding, workload) }

  private func findings(_ accounts: IterationAccounts, _ ending: CellEnding) -> [FindingRecord] {
    var reported = reported(accounts)
    reported += OrphanReport.findings(run.watch, now: run.plan.clock == .real ? Probe.now() : nil)
    reported += actorFindings(ending)
    if let exhaustion = poolWatch?.exhaustion { reported.append(exhaustion.finding) }
    return reported.map(record).sorted { ($0.name, $0.place ?? "") < ($1.name, $1.place ?? "") }
  }

  private func reported(_ accounts: IterationAccounts) -> [ReportedFinding] {
    var reported = run.recorder.findings()
    if let broken = Conservation.check(accounts, counters: run.recorder.counterValues()) {
      reported.append(broken)
    }
    // Asked to stop, a cell of the real clock does not wait for as long as the drain time allows.
    let wasCut = run.plan.clock == .real && run.isStopping.load(ordering: .relaxed)
    if accounts.running > 0, !wasCut {
      reported.append(
        ReportedFinding(
          "iteration-never-ended", count: Int(accounts.running), evidence: ["iterations": accounts.running]))
    }
    return reported
  }

  private func actorFindings(_ ending: CellEnding) -> [ReportedFinding] {
    guard case .success(let calibration) = calibration, calibration.outcomes.isExact,
      let window = actorWindow(ending), window.clockDrift.magnitude <= ActorWindow.toleratedDrift
    else { return [] }
    let cores = Double(ProcessInfo.processInfo.activeProcessorCount)
    let used = Double(ending.windowEnd.cpu - ending.windowStart.cpu)
    let idle = window.length > 0 ? 1 - used / (Double(window.length) * cores) : 0
    return ActorFindings.judge(
      .init(
        window: window, idleShare: idle, longHolds: Probe.longHolds().kept,
        invertedHolds: Probe.invertedHolds()))
  }

  /// The record of a finding in a cell of this workload.
  static func record(_ finding: ReportedFinding, _ workload: WorkloadDeclaration) -> FindingRecord {
    let declaration = FindingCatalogue.all(with: workload.findings).first { $0.name == finding.name }
    return FindingRecord(
      name: finding.name, count: finding.count, message: declaration?.about ?? finding.name,
      evidence: finding.figures, place: finding.place, iterations: finding.iterations.sorted(),
      isExpected: false,
      details: finding.details.isEmpty ? nil : finding.details, isAdvisory: declaration?.isAdvisory ?? false)
  }
}
