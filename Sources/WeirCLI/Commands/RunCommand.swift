internal import Glibc
internal import Reports
internal import RunRecords
internal import Scenarios

extension CommandDeclaration {
  /// `weir run`.
  static let run = CommandDeclaration(
    name: "run", operands: "PATH…", count: 1...Int.max,
    about: "Runs scenarios, files or directories of them, and leaves a run directory for each.",
    details: [
      "  weir run Scenarios/registry/strategies.yaml",
      "  weir run Scenarios/story --out Reports/Runs/story --set load.warm-up=0s",
      "",
      "The summary goes to the standard output, progress and warnings to the standard error. Several",
      "scenarios get a directory each under DIR, beside runs.json with the whole. The exit code is that",
      "of the most severe verdict (`weir explain exit-codes`); verdict.txt holds the word.",
      "",
      "  weir run Scenarios/registry/strategies.yaml --trace registry.perfetto-trace --trace-cell batched-5,real",
      "",
      "writes the timeline of one cell; open it in Perfetto's UI (`weir explain timeline`).",
      "",
      "One SIGINT or SIGTERM stops the load and writes everything; a second one ends at once.",
    ],
    options: [
      .out, .seed, .set, .strategy, .allow, .format, .trace, .pprof, .traceCell, .traceEvents, .quiet, .color,
    ]
  ) { invocation, tool in
    try RunCommand(invocation: invocation, tool: tool).run()
  }
}

/// Runs the scenarios of one command line.
struct RunCommand {
  let invocation: Invocation
  let tool: Tool

  func run() throws -> Int32 {
    let scenarios = try ScenarioLoading(tool: tool).load(invocation)
    let trace = try TraceRequest(invocation, scenarios: scenarios)
    let interrupts = InterruptWatch()
    let place = RunPlace(out: invocation.value(.out), scenarios: scenarios)
    let display = ProgressDisplay(
      isQuiet: invocation.has(.quiet), colour: invocation.value(.color), tellsPasses: !place.isShared)
    let output = RunOutput(
      format: invocation.value(.format), colour: invocation.value(.color), tool: tool,
      nameWidth: place.isShared ? scenarios.map(\.name.count).max() : nil)
    var entries: [RunsIndex.Entry] = []
    var runs: [TerminalRuns.Entry] = []
    for scenario in scenarios where interrupts.signal == nil {
      let directory = place.directory(of: scenario)
      let run = try ScenarioRun(
        scenario: scenario, workload: try tool.workload(scenario.pipeline), directory: directory,
        interrupts: interrupts, display: display, trace: trace, announce: { try output.print($0, in: directory.path) }
      ).run()
      entries.append(
        .init(name: scenario.name, directory: scenario.name, verdict: run.verdict, reasons: run.reasons))
      runs.append(TerminalRuns.Entry(run))
      if place.isShared { try place.write(RunsIndex(planned: scenarios.count, runs: entries)) }
    }
    let index = RunsIndex(planned: scenarios.count, runs: entries)
    if place.isShared { try place.write(index) }
    output.close(index.verdict, runs: runs, planned: index.planned)
    display.note("results in \(place.path)")
    for scenario in scenarios where !scenario.gatesLeftOut.isEmpty {
      display.note(
        "\(scenario.name): not judged, for strategies that were not run: \(scenario.gatesLeftOut.joined(separator: "; "))"
      )
    }
    let policy = ExitPolicy(allowed: invocation.list(.allow), signal: interrupts.signal)
    let verdicts = entries.map(\.verdict) + (entries.count < scenarios.count ? [.interrupted] : [])
    return policy.exitCode(of: verdicts).rawValue
  }
}

/// Where the runs of one command line go.
struct RunPlace {
  /// The directory of the one run, or the one above several.
  let path: String
  /// Whether it is one above several.
  let isShared: Bool

  private static let standard = "Reports/Runs"

  /// Takes the directory that was asked for, or makes one up that is not there yet. Scenarios have names of
  /// their own: their reader sees to that.
  init(out: String?, scenarios: [Scenario]) {
    isShared = scenarios.count > 1
    if let out {
      path = out.count > 1 && out.hasSuffix("/") ? String(out.dropLast()) : out
    } else {
      path = Self.unused(
        "\(Self.standard)/\(isShared ? "runs" : scenarios[0].name)-\(UTCStamp.now(.compact))")
    }
  }

  /// The run directory of one scenario.
  func directory(of scenario: Scenario) -> RunDirectory {
    RunDirectory(path: isShared ? "\(path)/\(scenario.name)" : path)
  }

  /// Writes `runs.json`.
  func write(_ index: RunsIndex) throws(WorkFailure) {
    try FileSystem.makeDirectory(path)
    try FileSystem.write(try RunFiles.encodePretty(index), to: path + "/runs.json")
  }

  private static func unused(_ path: String) -> String {
    guard FileSystem.kind(path) != nil else { return path }
    var number = 2
    while FileSystem.kind("\(path)-\(number)") != nil { number += 1 }
    return "\(path)-\(number)"
  }
}
