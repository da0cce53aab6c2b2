internal import Glibc
internal import Reports
internal import RunRecords
internal import RuntimeProbe
internal import WorkloadInterface

extension CommandDeclaration {
  /// `weir record`.
  static let record = CommandDeclaration(
    name: "record", operands: "-- PROGRAM [ARGUMENT…]", count: 1...Int.max,
    about: "Records a Swift program that knows nothing of Weir: hops, tasks, and what was alive at its end.",
    details: [
      "  weir record -- ./server --port 8080",
      "  weir record --out Reports/Runs/describe --for 10s -- swift package describe",
      "",
      "The probe is preloaded into the program; input, output, signals, terminal and exit status stay",
      "the program's own. The summary goes to the standard error at its end. SIGUSR1, sent to weir or,",
      "where the program does not handle it, to the program, opens a window and closes it again: then",
      "only what lies in windows counts. One process is followed, also through exec; children run",
      "without the probe. Nothing is judged: the verdict `passed` says that it was recorded. Findings",
      "on actors (`long-hold`, `actor-saturated`) are not looked for.",
      "",
      "All figures are of one moment: the program's end, or when `--for` was over. A hold that goes on",
      "then, or when a window closes, counts with what it has lasted; a wait or a task that goes on has",
      "not ended. `tasks.created` counts the main task, `alive-at-end` leaves it out.",
      "",
      "  weir record --trace server.perfetto-trace -- ./server",
      "",
      "writes its timeline as well (`weir explain timeline`), windows or not.",
      "",
      "A program that carries the Swift runtime in itself takes no preload: you are told the two lines",
      "that build the probe in. Own failures exit with 125, 126 (not executable) or 127 (not found).",
    ],
    options: [.out, .recordFor, .probe, .trace, .pprof, .traceEvents, .quiet, .color]
  ) { invocation, tool in
    do {
      return try RecordCommand(invocation: invocation).run()
    } catch let failure as RecordFailure {
      StandardStreams.error("weir: \(failure.message)\n")
      return failure.code
    } catch let failure as UsageError {
      throw UsageError(failure.message, nearest: failure.nearest, command: "record")
    } catch let failure as WorkFailure {
      StandardStreams.error("weir: \(failure.message)\n")
      return ExitCode.recordFailed.rawValue
    }
  }
}

extension OptionDeclaration {
  static let recordFor = Self(
    name: "for", value: "TIME",
    about: "Stop recording, not the program, after this time, e.g. 10s.")
  static let probe = Self(
    name: "probe", value: "PATH",
    about: "The probe to preload; libweir-probe.so beside this program by default.")
}

/// Records one program.
struct RecordCommand {
  let invocation: Invocation

  func run() throws -> Int32 {
    let command = invocation.operands
    let limit = try limit()
    let inspection = try ProgramInspection(program: command[0])
    let probe = inspection.way == .preload ? try probePath() : nil
    let directory = RunDirectory(path: place(command[0]))
    let trace = try RecordedTrace(
      invocation, inputs: [inspection.path, probe].compactMap(\.self), directory: directory)
    let lock = try directory.prepare()
    defer { withExtendedLifetime(lock) {} }
    guard let cells = realpath(directory.cells, nil) else {
      throw WorkFailure("cannot use \(directory.cells): \(SystemError.text(errno))")
    }
    defer { free(cells) }
    try trace?.request(prefix: String(cString: cells) + "/001")
    let report = RecordingReport(command: command, inspection: inspection, environment: survey())
    try directory.write(report.unfinished)

    var mask = sigset_t()
    var waited = ProgramWatch.waited
    pthread_sigmask(SIG_BLOCK, &waited, &mask)
    let prefix = String(cString: cells) + "/001"
    // Before the program, so that it has whatever reaches both; it inherits the mask.
    let witness = GroupWitness()
    let start = MonotonicTime.now()
    let process = try ProgramLaunch(
      command: command, inspection: inspection, probe: probe, prefix: prefix, mask: mask
    ).start()
    let watch = ProgramWatch(
      process: process, prefix: prefix, start: start, limit: limit, witness: witness)
    let ending = watch.wait()
    // From here on the program is gone, and its status is ours whatever becomes of the rest.
    do {
      var run = report.record(ending, prefix: prefix)
      run.cells[0].trace = trace?.write(maps: ending.maps, title: run.scenario.name, prefix: prefix)
      try finish(run, in: directory)
    } catch {
      StandardStreams.error("weir: \((error as? WorkFailure)?.message ?? "\(error)")\n")
    }
    let signal = ending.status & 0x7F
    return signal != 0 ? 128 + signal : (ending.status >> 8) & 0xFF
  }

  private func finish(_ run: RunRecord, in directory: RunDirectory) throws {
    var (run, writing) = (run, RunWriting())
    let whole = run
    try writing.attempt { () throws(WorkFailure) in
      try directory.write(whole)
      try directory.render(whole, glossary: Glossary())
    }
    run.lost(files: writing.unwritten.map { "\($0); \(WorkFailure.makeRoom)" })
    // The summary needs no disk.
    if !invocation.has(.quiet) {
      let style = TerminalStyle(
        color: Colour.isUsed(invocation.value(.color), on: STDERR_FILENO),
        width: StandardStreams.width(STDERR_FILENO))
      StandardStreams.error("\n" + TerminalSummary.text(run, style: style, glossary: Glossary()))
      StandardStreams.error("results in \(directory.path)\n")
    }
    guard writing.isWhole else {
      try? directory.write(run)
      try? FileSystem.write(VerdictText.text(run), to: directory.path + "/verdict.txt")
      throw WorkFailure(run.reasons[0])
    }
    directory.removeCells(keepingLogsOf: [])
  }

  private func survey() -> EnvironmentRecord {
    var environment = EnvironmentSurvey.take(scenarioFile: "")
    environment.toolchain = "that of the recorded program is not known"
    environment.build = "not known"
    return environment
  }

  // MARK: What was asked

  private func limit() throws(UsageError) -> Int64? {
    guard let text = invocation.value(.recordFor) else { return nil }
    guard let time = try? UnitText.duration(text), time > 0 else {
      throw UsageError(
        "`--for` takes a time above 0 with its unit, e.g. 10s, not `\(text)`", command: "record")
    }
    return time
  }

  private func place(_ program: String) -> String {
    if let out = invocation.value(.out) {
      return out.count > 1 && out.hasSuffix("/") ? String(out.dropLast()) : out
    }
    let stem = "Reports/Runs/\(RecordingReport.name(of: program))-\(UTCStamp.now(.compact))"
    var path = stem
    var number = 2
    while FileSystem.kind(path) != nil {
      path = "\(stem)-\(number)"
      number += 1
    }
    return path
  }

  private func probePath() throws(RecordFailure) -> String {
    let given = invocation.value(.probe)
    let path = given ?? Self.besideTool
    guard let resolved = realpath(path, nil) else {
      let hint = given == nil ? "; build it (`swift build --product weir-probe`) or name it with --probe" : ""
      throw RecordFailure(125, "the probe is not at \(path)\(hint)")
    }
    defer { free(resolved) }
    let text = String(cString: resolved)
    if text.contains(where: { " :".contains($0) }) {
      throw RecordFailure(125, "the loader cannot preload \(text): no blank and no colon may be in its path")
    }
    return text
  }

  private static var besideTool: String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let tool = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return tool.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/libweir-probe.so"
  }
}
