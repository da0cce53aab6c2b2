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
      "scenarios get a directory each under DIR, beside runs.json, report.html, summary.md, junit.xml and",
      "verdict.txt of the whole. The exit code is that of the most severe verdict (`weir explain",
      "exit-codes`); verdict.txt holds the word.",
      "",
      "A baseline is a run that is kept, one file for each scenario: --save-baseline Reports/Baselines",
      "writes it, --baseline Reports/Baselines holds later runs against it. Exact figures are compared",
      "exactly, those of the real clock by the 95 % intervals of their medians: `repetitions: 6` or more.",
      "Where the two started different numbers of iterations, totals are compared per iteration. A figure",
      "that only one of the two has makes the run inconclusive. A baseline that cannot be used, or a place",
      "that cannot be written, is found before anything is run: exit 64.",
      "",
      "  weir run Scenarios/registry/strategies-real.yaml --trace a.perfetto-trace --trace-cell batched-5",
      "",
      "writes the timeline of one cell, in a sweep e.g. --trace-cell batched-5,real,16; open it in",
      "Perfetto's UI (`weir explain timeline`).",
      "",
      "One SIGINT or SIGTERM stops the load and writes everything; a second one ends at once.",
    ],
    options: [
      .out, .seed, .set, .strategy, .jobs, .baseline, .saveBaseline, .strict, .allow, .format, .trace, .pprof,
      .traceCell,
      .traceEvents, .quiet, .color,
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
    let place = RunPlace(out: invocation.value(.out), scenarios: scenarios)
    let trace = try TraceRequest(invocation, scenarios: scenarios)
    let jobs = try jobs()
    var baselines = try BaselineChoice(invocation)
    try checkOutputs(scenarios, place, baselines)
    try baselines.prepare(scenarios.map(\.name))
    let interrupts = InterruptWatch()
    let display = ProgressDisplay(
      isQuiet: invocation.has(.quiet), colour: invocation.value(.color), tellsPasses: !place.isShared)
    if let note = trace.flatMap({ TraceRequest.roundingNote(invocation, $0.events) }) { display.note(note) }
    let output = RunOutput(
      format: invocation.value(.format), colour: invocation.value(.color), tool: tool,
      nameWidth: place.isShared ? scenarios.map(\.name.count).max() : nil)
    var whole = RunsProgress(scenarios)
    var writing = RunWriting()
    var lost: [String] = []
    if place.isShared { try place.prepare() }
    for (index, scenario) in scenarios.enumerated() where interrupts.signal == nil && writing.isWhole {
      whole.begins(index)
      let directory = place.directory(of: scenario)
      let run = ScenarioRun(
        scenario: scenario, workload: try tool.workload(scenario.pipeline), directory: directory,
        interrupts: interrupts, display: display, baselines: baselines, trace: trace,
        atOnce: jobs,
        announce: { try output.print($0, in: directory.path) })
      do {
        if place.isShared { try place.write(whole, isOver: false) }
        let outcome = try run.run()
        lost += outcome.failures
        whole.ended(index, outcome.record, glossary: Glossary(of: run.workload))
      } catch let failure as WorkFailure where failure.unwritten != nil {
        try writing.attempt { () throws(WorkFailure) in throw failure }
      }
    }
    if place.isShared, writing.isWhole {
      try writing.attempt { () throws(WorkFailure) in try place.write(whole, isOver: true) }
    }
    return try end(whole, output, writing, lost: lost, interrupts, display, place)
  }

  /// How many cells may run at once; nil where nobody says.
  private func jobs() throws(UsageError) -> Int? {
    guard let text = invocation.value(.jobs) else { return nil }
    guard let count = Int(text), 1...1_000 ~= count else {
      throw UsageError("`--jobs` takes a number from 1 to 1000, not `\(text)`", command: "run")
    }
    return count
  }

  /// Says what the whole came to and where it is.
  private func end(
    _ whole: RunsProgress, _ output: RunOutput, _ writing: RunWriting, lost: [String],
    _ interrupts: InterruptWatch, _ display: ProgressDisplay, _ place: RunPlace
  ) throws(WorkFailure) -> Int32 {
    for sentence in writing.unwritten {
      StandardStreams.error("weir: \(sentence); \(WorkFailure.makeRoom)\n")
    }
    output.close(
      writing.isWhole ? whole.verdict : .invalid, runs: whole.entries.filter(\.wasStarted),
      planned: whole.entries.count, hasSummary: writing.isWhole)
    display.note("results in \(place.path)")
    // Not before everything else is written: what was measured is worth more than its timeline.
    if let lost = lost.first { throw WorkFailure(lost) }
    guard writing.isWhole else { return ExitCode.invalid.rawValue }
    let policy = ExitPolicy(allowed: invocation.list(.allow), signal: interrupts.signal)
    return policy.exitCode(of: whole.entries.map(\.verdict)).rawValue
  }

  /// Looks at every file that people named to be written, before anything is.
  private func checkOutputs(
    _ scenarios: [Scenario], _ place: RunPlace, _ baselines: BaselineChoice
  ) throws(UsageError) {
    let traces = try TraceRequest.files(invocation, command: "run")
    let inputs = scenarios.map(\.file)
    let directories = scenarios.map(place.directory)
    // A baseline may be held against and kept anew in one place; a trace there would destroy it.
    try OutputFile.check(
      traces, inputs: inputs + baselines.read(scenarios), directories: directories, command: "run")
    try OutputFile.check(
      traces + (try baselines.written(scenarios)), inputs: inputs, directories: directories, command: "run")
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

  /// What is written of the whole, beside `runs.json`.
  private static let products = ["report.html", "summary.md", "junit.xml", "verdict.txt"]

  /// Makes the directory above several, unless it holds files of these names that are not of such a directory.
  ///
  /// - Throws: `UsageError` when it does; `WorkFailure` when it cannot be made.
  func prepare() throws {
    if FileSystem.kind(path) != nil, !FileSystem.head(path + "/runs.json", 2_000).contains("weir-runs/"),
      let first = FileSystem.names(in: path).first(where: { (Self.products + ["run.json"]).contains($0) })
    {
      throw UsageError(
        "\(path) holds \(first), which is no part of several runs: choose another --out", command: "run")
    }
    do throws(WorkFailure) {
      try FileSystem.makeDirectory(path)
    } catch {
      guard error.isOfPlace else { throw error }
      throw UsageError("\(error.message): choose another --out", command: "run")
    }
  }

  /// Writes `runs.json`, and when the run is over what is rendered of the whole.
  func write(_ whole: RunsProgress, isOver: Bool) throws(WorkFailure) {
    try FileSystem.write(try RunFiles.encodePretty(whole.index), to: path + "/runs.json")
    // While it goes on, the word is known to be of a run that has not ended.
    try FileSystem.write(whole.report.verdictText, to: path + "/verdict.txt")
    guard isOver else { return }
    try FileSystem.write(whole.report.html, to: path + "/report.html")
    try FileSystem.write(whole.report.markdown, to: path + "/summary.md")
    try FileSystem.write(whole.report.junit, to: path + "/junit.xml")
    FileSystem.synchronise(directory: path)
  }

  private static func unused(_ path: String) -> String {
    guard FileSystem.kind(path) != nil else { return path }
    var number = 2
    while FileSystem.kind("\(path)-\(number)") != nil { number += 1 }
    return "\(path)-\(number)"
  }
}
