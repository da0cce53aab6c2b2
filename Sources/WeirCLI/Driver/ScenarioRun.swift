internal import Reports
internal import RunEngine
internal import RunRecords
internal import Scenarios
internal import WorkloadInterface

/// Runs one scenario: its cells, `run.json` written anew after each, everything else at the end.
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
  /// How many cells of the virtual clock run at once; nil for as many as the machine has cores.
  var atOnce: Int?
  /// Called with the record when all is written, or as much of it as could be: no full disk keeps people from the
  /// summary.
  let announce: (RunRecord) throws -> Void

  /// What a run came to.
  struct Outcome {
    var record: RunRecord
    /// What was asked for beside the run and could not be written: a timeline, a baseline.
    var failures: [String]
  }

  /// Runs all cells, or as many as a signal or the disk leaves room for.
  ///
  /// - Returns: The record, as written; where a file could not be written it is `invalid` and says which.
  /// - Throws: `UsageError` when the directory cannot be used, `WorkFailure` when no cell can be started; what was
  ///   written before stays readable.
  func run() throws -> Outcome {
    let judge = RunJudging(scenario: scenario, workload: workload)
    let start = MonotonicTime.now()
    var environment = EnvironmentSurvey.take(scenarioFile: scenario.file)
    let lock = try begin(judge, environment)
    defer { withExtendedLifetime(lock) {} }
    let plans = scenario.cells()
    var results = CellResults(planned: plans.count)
    var writing = RunWriting()
    func record() throws(WorkFailure) -> RunRecord {
      environment.cost = results.inOrder.map(\.cost)
      environment.elapsed = MonotonicTime.now() - start
      return try judge.record(
        results.inOrder.map(\.record), environment: environment,
        isInterrupted: isCut(results) || (!results.areAll && writing.isWhole))
    }
    let schedule = CellSchedule(
      plans, atOnce: atOnce ?? CellSchedule.atOnce(cores: environment.cores), traced: trace?.cell)
    var pool = CellPool(schedule, count: plans.count, interrupts: interrupts, display: display)
    try pool.run {
      interrupts.signal != nil || !writing.isWhole
    } start: { plan throws(WorkFailure) in
      try writing.attempt { () throws(WorkFailure) in
        try CellExecution(traced(plan), directory: directory.cells, interrupts: interrupts)
      }
    } ended: { plan, outcome throws(WorkFailure) in
      let result = finished(outcome, of: plan)
      results.add(result, number: plan.number)
      let soFar = try record()
      try writing.attempt { () throws(WorkFailure) in
        // The driver's word on the cell replaces the cell's own: all that is needed to go on from here.
        try FileSystem.write(try RunFiles.encode(result), to: directory.files(plan.number).result)
        try directory.write(soFar)
        // Nine megabytes that nobody will ask for again.
        FileSystem.remove(directory.files(plan.number).probe)
      }
    }
    return try finish(try record(), results.numbers.map { plans[$0 - 1] }, writing)
  }

  /// Makes the directory and leaves a first record: from here on it is one that `weir report` can read, however
  /// this process ends.
  private func begin(_ judge: RunJudging, _ environment: EnvironmentRecord) throws -> DirectoryLock {
    do {
      let lock = try directory.prepare()
      try directory.write(try judge.record([], environment: environment, isInterrupted: true))
      return lock
    } catch let failure as WorkFailure where failure.isOfPlace {
      throw UsageError("\(failure.message): choose another --out", command: "run")
    }
  }

  /// The plan, with room for its events where it is the one to be traced.
  private func traced(_ plan: CellPlan) -> CellPlan {
    var plan = plan
    plan.traceEvents = request(plan)?.events
    return plan
  }

  private func request(_ plan: CellPlan) -> TraceRequest? {
    trace.flatMap { $0.cell == plan.number ? $0 : nil }
  }

  /// The result of a cell that has ended, with its timeline.
  private func finished(_ outcome: CellExecution.Outcome, of plan: CellPlan) -> CellResult {
    var result = outcome.result
    if let request = request(plan) {
      result.record.trace = writeTimeline(request, of: plan, failure: outcome.traceFailure)
    }
    return result
  }

  /// Makes the timeline of a cell that has ended, whichever way.
  private func writeTimeline(_ request: TraceRequest, of plan: CellPlan, failure: String?) -> TraceRecord {
    let files = directory.files(plan.number)
    let timeline = TimelineFiles(trace: request.trace, profile: request.profile)
    let title = "\(scenario.name) · \(plan.traceName)"
    var record = timeline.write(
      .init(trace: files.trace, probe: files.probe, maps: (try? FileSystem.read(files.maps)) ?? ""),
      title: title, roles: workload.roles,
      log: (try? FileSystem.read(files.log)) ?? "")
    record.failure = failure ?? record.failure
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

  private func finish(_ record: RunRecord, _ plans: [CellPlan], _ writing: RunWriting) throws -> Outcome {
    var (record, writing) = (baselines.held(record, workload: workload), writing)
    let glossary = Glossary(of: workload)
    let whole = record
    try writing.attempt { () throws(WorkFailure) in
      try directory.write(whole)
      try directory.foldIterations(plans)
      try directory.render(whole, glossary: glossary)
    }
    record.lost(files: writing.unwritten.map { "\($0); \(WorkFailure.makeRoom)" })
    if !writing.isWhole { writeWhatFits(record, glossary) }
    try announce(record)
    var failures = record.cells.compactMap { $0.trace?.failure }
    do throws(WorkFailure) {
      if let note = try baselines.save(record, workload: workload) { display.note(note) }
    } catch {
      failures.append(error.message)
    }
    // As long as a file is missing, `weir report` can make it out of these when there is room again.
    if writing.isWhole {
      let kept = zip(plans, record.cells).filter { $1.verdict.mayHaveLog }
      directory.removeCells(keepingLogsOf: Set(kept.map(\.0.number)))
    }
    return Outcome(record: record, failures: failures)
  }

  /// Writes each file that finds room, so that none of them says what the run was not.
  private func writeWhatFits(_ record: RunRecord, _ glossary: Glossary) {
    try? directory.write(record)
    for product in directory.products(of: record, glossary: glossary) {
      do throws(WorkFailure) { try FileSystem.write(product.text(), to: product.path) } catch {
        // An old one would tell of another state.
        FileSystem.remove(product.path)
      }
    }
  }

  /// Whether a signal cut a cell short.
  private func isCut(_ results: CellResults) -> Bool {
    interrupts.signal != nil && results.inOrder.contains { $0.record.verdict == .interrupted }
  }
}

/// What the cells of a run came to so far.
struct CellResults {
  private let planned: Int
  private var results: [Int: CellResult] = [:]

  /// For so many cells.
  init(planned: Int) { self.planned = planned }

  /// The cell of this number, from 1, has ended.
  mutating func add(_ result: CellResult, number: Int) { results[number] = result }

  /// The numbers of those that have ended, in order.
  var numbers: [Int] { results.keys.sorted() }
  /// What they came to, in the order of the plan.
  var inOrder: [CellResult] { numbers.compactMap { results[$0] } }
  /// Whether all have ended.
  var areAll: Bool { results.count == planned }
}

/// Which files of a run could not be written so far.
struct RunWriting {
  /// One sentence for each.
  private(set) var unwritten: [String] = []

  /// Whether all could be.
  var isWhole: Bool { unwritten.isEmpty }

  /// Does what writes files; nil where one could not be written.
  ///
  /// - Throws: `WorkFailure` of any other kind.
  @discardableResult
  mutating func attempt<Value>(_ work: () throws(WorkFailure) -> Value) throws(WorkFailure) -> Value? {
    do throws(WorkFailure) {
      return try work()
    } catch {
      guard error.unwritten != nil else { throw error }
      unwritten.append(error.message)
      return nil
    }
  }
}

extension Verdict {
  /// Whether a cell of this verdict may have left words in its log that are not all in the record.
  var mayHaveLog: Bool { [.crashed, .hung, .invalid].contains(self) }
}
