internal import Reports
internal import RunEngine
internal import RunRecords
internal import Scenarios
internal import WorkloadInterface

extension CommandDeclaration {
  /// `weir report`.
  static let report = CommandDeclaration(
    name: "report", operands: "RUN", count: 1...1,
    about:
      "Renders all files of a run anew from its run.json, given itself or by its directory, and prints the summary.",
    details: [
      "A directory whose run was killed is completed first: with the results of the cells that had ended,",
      "and with the counters of the one that had not. Nothing is run. Exits with the run's code.",
    ],
    options: [.format, .color, .allow]
  ) { invocation, tool in
    try ReportCommand(invocation: invocation, tool: tool).run()
  }
}

/// Renders one run anew.
struct ReportCommand {
  let invocation: Invocation
  let tool: Tool

  func run() throws -> Int32 {
    let directory = try directory(of: invocation.operands[0])
    var run = try RunDirectory.read(directory.record)
    // A directory that cannot be written to keeps nobody from reading what is there.
    var writing = RunWriting()
    let workload = tool.workloads.map(\.declaration).first { $0.name == run.scenario.pipeline }
    let glossary = Glossary(of: workload)
    let numbers = directory.plannedNumbers
    if numbers.isEmpty {
      run = RunAudit(tool: tool).audited(run)
      let whole = run
      try writing.attempt { () throws(WorkFailure) in try directory.render(whole, glossary: glossary) }
    } else if let lock = DirectoryLock(directory.cells) {
      run = try LeftRun(directory: directory, run: run, tool: tool).complete(numbers, &writing)
      withExtendedLifetime(lock) {}
    } else {
      run = RunAudit(tool: tool).audited(run)
      StandardStreams.error("weir: the run is still going on; this is what it has come to so far\n")
    }
    let output = RunOutput(format: invocation.value(.format), colour: invocation.value(.color), tool: tool)
    try output.print(run, in: directory.path)
    output.close(run.verdict, runs: [], planned: 1)
    if let unwritten = writing.unwritten.first {
      throw WorkFailure("\(unwritten); the files in \(directory.path) are not those of this summary")
    }
    return ExitPolicy(allowed: invocation.list(.allow)).exitCode(of: [run.verdict]).rawValue
  }

  private func directory(of path: String) throws(UsageError) -> RunDirectory {
    switch FileSystem.kind(path) {
    case .directory?:
      let directory = RunDirectory(
        path: path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path)
      if FileSystem.kind(directory.record) == .file { return directory }
      let runs = FileSystem.names(in: path).filter { FileSystem.kind("\(path)/\($0)/run.json") == .file }
      let hint =
        runs.isEmpty
        ? "" : "; there is one in \(runs.map { "\(directory.path)/\($0)" }.joined(separator: ", "))"
      throw UsageError("\(path) holds no run.json\(hint)", command: "report")
    case .file?:
      guard path.hasSuffix("run.json") else {
        throw UsageError("\(path) is no run directory and no run.json", command: "report")
      }
      let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
      return RunDirectory(path: parent.isEmpty ? "/" : parent)
    default: throw UsageError("there is no run at \(path)", command: "report")
    }
  }
}

/// A run whose driver was killed: what it left is folded in.
struct LeftRun {
  let directory: RunDirectory
  let run: RunRecord
  let tool: Tool

  /// Makes the record of what is there, writes it, and removes the cells' files if it could be written.
  func complete(_ numbers: [Int], _ writing: inout RunWriting) throws -> RunRecord {
    var plans: [CellPlan] = []
    var results: [CellResult] = []
    var scenario = try scenario()
    scenario.gatesLeftOut = run.scenario.gatesLeftOut ?? []
    let planned = scenario.cells()
    for number in numbers where planned.indices.contains(number - 1) {
      let (plan, files) = (planned[number - 1], directory.files(number))
      // The driver writes the plan whole before it starts a cell; without it there was no cell.
      guard (try? RunFiles.decode(CellPlan.self, files.plan)) != nil else { continue }
      plans.append(plan)
      let result = try? RunFiles.decode(CellResult.self, files.result)
      results.append(result.flatMap { plan.isOf($0.record) ? $0 : nil } ?? lost(plan, files))
    }
    var environment = run.environment
    environment.cost = results.map(\.cost)
    // The last record of the driver may be older than what cells left after it; more than the longest is not known.
    environment.elapsed = max(environment.elapsed ?? 0, results.map(\.cost.wall).max() ?? 0)
    let isWhole =
      results.count == scenario.cells().count && !results.contains { $0.record.verdict == .interrupted }
    let judge = RunJudging(scenario: scenario, workload: try tool.workload(scenario.pipeline))
    let record = try judge.record(results.map(\.record), environment: environment, isInterrupted: !isWhole)
    try writing.attempt { () throws(WorkFailure) in
      try directory.write(record)
      try directory.foldIterations(plans)
      try directory.render(record, glossary: Glossary(of: judge.workload))
    }
    guard writing.isWhole else { return record }
    let kept = zip(plans, results).filter { $1.record.verdict.mayHaveLog }
    directory.removeCells(keepingLogsOf: Set(kept.map(\.0.number)))
    return record
  }

  /// The scenario that was run, read and checked anew: what lies in the directory may have been altered since.
  private func scenario() throws -> Scenario {
    let reader = ScenarioReader(workloads: [try tool.workload(run.scenario.pipeline)])
    switch reader.read(text: run.scenario.resolved, file: directory.record) {
    case .success(let scenario): return scenario
    case .failure(let errors):
      throw WorkFailure(
        "the scenario in \(directory.record) cannot be read: \(errors.diagnostics.first?.message ?? "")")
    }
  }

  private func lost(_ plan: CellPlan, _ files: CellFiles) -> CellResult {
    CellResult(
      record: LostCell(plan: plan, files: files).record(
        .interrupted, reason: "the driver was killed while this cell ran"),
      cost: CellCost(wall: 0, cpuUser: 0, cpuSystem: 0, rssPeak: 0, jobs: 0))
  }
}

extension CellPlan {
  /// Whether the record is of this cell.
  func isOf(_ record: CellRecord) -> Bool {
    record.strategy == strategy.name && record.variant == variant && record.clock == clock.rawValue
      && record.repetition == repetition && record.users == users
  }
}
