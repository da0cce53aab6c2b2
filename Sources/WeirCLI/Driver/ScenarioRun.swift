internal import Gates
internal import Reports
internal import RunEngine
internal import RunRecords
internal import Scenarios
internal import WorkloadInterface

/// Runs one scenario: cell after cell, `run.json` written anew after each, everything else at the end.
struct ScenarioRun {
  /// The scenario.
  let scenario: Scenario
  /// What judging and rendering need to know of its workload.
  let workload: WorkloadDeclaration
  /// Where it writes.
  let directory: RunDirectory
  /// Where signals are looked up.
  let interrupts: InterruptWatch
  /// Told how far it got.
  let display: ProgressDisplay
  /// What it is held against, and where it is kept.
  var baselines = BaselineChoice()
  /// Which cell is traced, and where its timeline goes.
  var trace: TraceRequest?
  /// Called with the record when `run.json` is written, before the rest is rendered: a disk too full for that
  /// shall not keep people from the summary.
  let announce: (RunRecord) throws -> Void

  /// Runs all cells, or as many as a signal leaves time for.
  ///
  /// - Returns: The record, as written.
  /// - Throws: `UsageError` when the directory cannot be used, `WorkFailure` when something cannot be written;
  ///   what was written before stays readable.
  func run() throws -> RunRecord {
    let lock = try directory.prepare()
    defer { withExtendedLifetime(lock) {} }
    let plans = scenario.cells()
    var results: [CellResult] = []
    var environment = EnvironmentSurvey.take(scenarioFile: scenario.file)
    let judge = RunJudging(scenario: scenario, workload: workload)
    // From here on the directory is one that `weir report` can read, however this process ends.
    try directory.write(try judge.record([], environment: environment, isInterrupted: true))
    for var plan in plans where interrupts.signal == nil {
      let request = trace.flatMap { $0.cell == plan.number ? $0 : nil }
      plan.traceEvents = request?.events
      display.begin(plan, of: plans.count)
      let execution = CellExecution(
        plan: plan, directory: directory.cells, interrupts: interrupts, display: display)
      var result = try execution.run()
      if let request { result.record.trace = writeTimeline(request, of: plan) }
      display.end(result.record, wall: result.cost.wall)
      // The driver's word on the cell replaces the cell's own: all that is needed to go on from here.
      try FileSystem.write(try RunFiles.encode(result), to: directory.files(plan.number).result)
      results.append(result)
      environment.cost.append(result.cost)
      let isLast = results.count == plans.count
      try directory.write(
        try judge.record(
          results.map(\.record), environment: environment, isInterrupted: !isLast || isCut(results)))
    }
    let isInterrupted = results.count < plans.count || isCut(results)
    return try finish(
      try judge.record(results.map(\.record), environment: environment, isInterrupted: isInterrupted),
      plans: plans)
  }

  /// Makes the timeline of a cell that has ended, whichever way.
  private func writeTimeline(_ request: TraceRequest, of plan: CellPlan) -> TraceRecord {
    let files = directory.files(plan.number)
    let timeline = TimelineFiles(trace: request.trace, profile: request.profile)
    let title = "\(scenario.name) · \(plan.traceName)"
    let record = timeline.write(
      .init(trace: files.trace, probe: files.probe, maps: (try? FileSystem.read(files.maps)) ?? ""),
      title: title, roles: workload.roles,
      log: (try? FileSystem.read(files.log)) ?? "")
    // It is large, and all that is in it is in the timeline.
    FileSystem.remove(files.trace)
    let words = timeline.words(record, of: title)
    if record.failure == nil { display.note(words) } else { display.warn(words) }
    if record.lost > 0 {
      display.warn(
        "\(record.lost) events found no room: the timeline ends early; more room with --trace-events")
    }
    return record
  }

  private func finish(_ record: RunRecord, plans: [CellPlan]) throws -> RunRecord {
    let record = baselines.held(record, workload: workload)
    try directory.write(record)
    try announce(record)
    if let note = try baselines.save(record, workload: workload) { display.note(note) }
    try directory.foldIterations(plans)
    try directory.render(record, glossary: Glossary(of: workload))
    let kept = zip(plans, record.cells).filter { $1.verdict == .crashed || $1.verdict == .hung }
    directory.removeCells(keepingLogsOf: Set(kept.map(\.0.number)))
    return record
  }

  /// Whether a signal cut the last cell short.
  private func isCut(_ results: [CellResult]) -> Bool {
    interrupts.signal != nil && results.last?.record.verdict == .interrupted
  }
}

/// Makes the record of a run out of the records of its cells.
struct RunJudging {
  let scenario: Scenario
  let workload: WorkloadDeclaration

  /// The record of the cells so far.
  ///
  /// - Throws: `WorkFailure` when a gate cannot be read, which reading the scenario rules out.
  func record(
    _ cells: [CellRecord], environment: EnvironmentRecord, isInterrupted: Bool
  ) throws(WorkFailure) -> RunRecord {
    RunJudge.assemble(
      scenario: scenarioRecord, environment: environment, cells: cells, cellsPlanned: scenario.cells().count,
      gates: try gates(), expectations: scenario.expectations.map { ($0.finding, $0.count) },
      interrupted: isInterrupted, workload: workload.metrics)
  }

  private func gates() throws(WorkFailure) -> [GateExpression] {
    let catalogue = MetricCatalogue(workload: workload.metrics)
    var gates: [GateExpression] = []
    for text in scenario.gates {
      do throws(GateSyntaxError) {
        gates.append(try GateExpression.parse(text, catalogue: catalogue))
      } catch {
        throw WorkFailure(
          "the gate `\(text)` passed the scenario's checks and cannot be read: \(error.message)")
      }
    }
    return gates
  }

  private var scenarioRecord: ScenarioRecord {
    let model =
      switch scenario.load.model {
      case .open: "open"
      case .closed: "closed"
      }
    return ScenarioRecord(
      name: scenario.name, about: scenario.about, pipeline: scenario.pipeline, seed: scenario.seed,
      loadModel: model, warmUp: scenario.load.warmUp, resolved: scenario.resolvedText,
      gatesLeftOut: scenario.gatesLeftOut.isEmpty ? nil : scenario.gatesLeftOut)
  }
}

extension Glossary {
  /// What the names of one workload mean.
  init(of workload: WorkloadDeclaration?) {
    self.init(metrics: workload?.metrics ?? [], findings: workload?.findings ?? [])
  }
}
