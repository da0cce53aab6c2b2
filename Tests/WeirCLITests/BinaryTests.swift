import Foundation
import Glibc
import RunEngine
import RunRecords
import Testing

@testable import WeirCLI

/// The built tool, run as people run it. Its path comes from `scripts/test` in WEIR_BINARY; without it these
/// tests are skipped.
enum BuiltTool {
  static let path = ProcessInfo.processInfo.environment["WEIR_BINARY"]

  struct Outcome {
    var code: Int32
    var output: String
    var errors: String
  }

  /// Runs the tool to its end in `directory`; the built one, or another.
  static func run(
    _ arguments: [String], in directory: String = "/tmp", tool: String? = nil
  ) throws -> Outcome {
    let process = try start(arguments, in: directory, tool: tool)
    process.body.waitUntilExit()
    return try process.outcome()
  }

  struct Started {
    let body: Process
    let files: (output: String, errors: String)

    func outcome() throws -> Outcome {
      defer { for file in [files.output, files.errors] { unlink(file) } }
      // Shells' way of telling a death by signal.
      let code =
        body.terminationReason == .uncaughtSignal ? 128 + body.terminationStatus : body.terminationStatus
      return Outcome(
        code: code, output: try FileSystem.read(files.output), errors: try FileSystem.read(files.errors))
    }
  }

  /// Starts the tool. Its streams go to files: a pipe that nobody drains would stop it.
  static func start(_ arguments: [String], in directory: String, tool: String? = nil) throws -> Started {
    let stem = "/tmp/weir-test-\(UUID().uuidString)"
    let files = (output: stem + ".out", errors: stem + ".err")
    for file in [files.output, files.errors] { try FileSystem.write("", to: file) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: tool ?? path ?? "/nonexistent")
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: directory)
    process.standardOutput = FileHandle(forWritingAtPath: files.output)
    process.standardError = FileHandle(forWritingAtPath: files.errors)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    return Started(body: process, files: files)
  }

  /// A program of the package, built beside the running tests.
  static func besideTests(_ name: String) -> String {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = max(0, readlink("/proc/self/exe", &buffer, buffer.count))
    return FileSystem.directory(of: String(decoding: buffer[..<count], as: UTF8.self)) + "/" + name
  }

  /// A directory of its own with one scenario in it, removed at the end.
  static func withScenario(_ text: String, _ body: (String) throws -> Void) throws {
    let directory = "/tmp/weir-test-\(UUID().uuidString)"
    try FileSystem.makeDirectory(directory)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try FileSystem.write(text, to: directory + "/scenario.yaml")
    try body(directory)
  }
}

@Suite("The built tool", .enabled(if: BuiltTool.path != nil), .serialized)
struct BinaryTests {
  private static let small = """
    name: small
    pipeline: registry
    clock: virtual
    load: { model: closed, users: 1, iterations: 2 }
    """
  private static let long = """
    name: long
    pipeline: registry
    clock: real
    load: { model: open, stages: [ { for: 60s, rate: 1/s } ] }
    """

  @Test(
    "A wrong command line is refused with 64 and the nearest right one",
    arguments: [
      ([], "Usage:"), (["rnu"], "did you mean `run`"),
      (["run", "x.yaml", "--sede", "1"], "did you mean `--seed`"),
      (["run"], "needs PATH"), (["explain", "orphand-task"], "did you mean `orphaned-task`"),
      (["list", "flawz"], "did you mean `flaws`"), (["run", "/nonexistent.yaml"], "/nonexistent.yaml:1:1"),
      (["report", "/nonexistent"], "there is no run"),
    ])
  func badUsage(arguments: [String], expected: String) throws {
    let outcome = try BuiltTool.run(arguments)
    #expect(outcome.code == ExitCode.usage.rawValue)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains(expected), "\(outcome.errors)")
  }

  @Test(
    "What can be asked is answered",
    arguments: [
      (["--version"], "weir \(WeirVersion.current)"), (["--help"], "Commands:"),
      (["help", "run"], "--strategy"),
      (["run", "--help"], "--strategy"), (["list"], "story"), (["list", "strategies"], "per-element"),
      (["list", "--flaws"], "caught as"), (["list", "metrics"], "latency.iteration"),
      (["explain", "6"], "invalid"), (["schema"], "json-schema.org"),
      (["explain", "batched-5-50ms"], "strategy of story"), (["explain", "coverage"], "whole-runtime"),
      (["explain", "start", "lateness", "p99"], "intended start"), (["explain", "story"], "(pipeline)"),
    ])
  func answers(arguments: [String], expected: String) throws {
    let outcome = try BuiltTool.run(arguments)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output.contains(expected))
    #expect(outcome.errors.isEmpty)
  }

  @Test("Faults of a scenario are told with their place, and nothing runs")
  func faults() throws {
    try BuiltTool.withScenario(Self.small + "\ngates: [ nonsense ]\nunknown: 1\n") { directory in
      let outcome = try BuiltTool.run(["run", "scenario.yaml", "--out", "out"], in: directory)
      #expect(outcome.code == ExitCode.usage.rawValue)
      #expect(outcome.errors.contains("scenario.yaml:5:"))
      #expect(outcome.errors.contains("scenario.yaml:6:1"))
      #expect(FileSystem.names(in: directory) == ["scenario.yaml"])
    }
  }

  @Test("A run leaves its directory, and a report of it says the same")
  func runAndReport() throws {
    try BuiltTool.withScenario(Self.small) { directory in
      let run = try BuiltTool.run(["run", "scenario.yaml", "--out", "out", "--quiet"], in: directory)
      #expect(run.code == 0, "\(run.output)\(run.errors)")
      #expect(run.errors.isEmpty)
      #expect(run.output.hasSuffix("\nverdict: passed\n"))
      let expected = RunDirectory.products.filter { $0 != "iterations.csv" }.sorted()
      #expect(FileSystem.names(in: directory + "/out") == expected)
      #expect(try FileSystem.read(directory + "/out/verdict.txt") == "passed\n")
      let json = try FileSystem.read(directory + "/out/run.json")
      unlink(directory + "/out/report.html")
      let report = try BuiltTool.run(["report", "out", "--format", "json"], in: directory)
      #expect(report.code == 0)
      #expect(report.output == json)
      #expect(FileSystem.names(in: directory + "/out") == expected)
    }
  }

  @Test(
    "One signal stops the load and writes everything",
    arguments: [(SIGINT, ExitCode.interrupted), (SIGTERM, ExitCode.terminated)])
  func interrupted(signal: Int32, code: ExitCode) throws {
    try BuiltTool.withScenario(Self.long) { directory in
      let tool = try BuiltTool.start(["run", "scenario.yaml", "--out", "out"], in: directory)
      try BuiltTool.waitForCells(in: directory)
      kill(tool.body.processIdentifier, signal)
      tool.body.waitUntilExit()
      let outcome = try tool.outcome()
      #expect(outcome.code == code.rawValue, "\(outcome.errors)")
      #expect(outcome.output.hasSuffix("\nverdict: interrupted\n"))
      #expect(outcome.output.contains("of 60"))
      #expect(FileSystem.names(in: directory + "/out").contains("report.html"))
    }
  }

  @Test("Without a terminal a long cell has a plain line every few seconds, and with --quiet nothing")
  func progressLines() throws {
    try BuiltTool.withScenario(Self.long) { directory in
      let told = try BuiltTool.start(["run", "scenario.yaml", "--out", "told"], in: directory)
      let quiet = try BuiltTool.start(["run", "scenario.yaml", "--out", "quiet", "--quiet"], in: directory)
      usleep(11_500_000)
      // Nobody redraws a file: what stands there stands.
      let lines = try FileSystem.read(told.files.errors).split(separator: "\n")
      for tool in [told, quiet] { kill(tool.body.processIdentifier, SIGTERM) }
      for tool in [told, quiet] { tool.body.waitUntilExit() }
      #expect(try quiet.outcome().errors.isEmpty)
      _ = try told.outcome()
      #expect((2...3).contains(lines.count), "\(lines)")
      #expect(
        lines.allSatisfy {
          $0.hasPrefix("long: run 1 of 1 · per-element · real: load ") && $0.contains("arrivals")
        })
    }
  }

  @Test("A killed driver leaves no cell, and its run can be reported")
  func killed() throws {
    try BuiltTool.withScenario(Self.long) { directory in
      let tool = try BuiltTool.start(["run", "scenario.yaml", "--out", "out"], in: directory)
      try BuiltTool.waitForCells(in: directory)
      #expect(BuiltTool.processes(in: directory).count == 2)
      kill(tool.body.processIdentifier, SIGKILL)
      tool.body.waitUntilExit()
      let report = try BuiltTool.run(["report", "out"], in: directory)
      #expect(report.code == ExitCode.interrupted.rawValue, "\(report.output)\(report.errors)")
      #expect(report.output.contains("the driver was killed while this cell ran"))
      #expect(report.output.hasSuffix("\nverdict: interrupted\n"))
      #expect(BuiltTool.processes(in: directory).isEmpty)
    }
  }

  @Test(
    "A cell that dies costs itself alone, and what it counted is kept; killed from outside it proves nothing",
    arguments: [
      (SIGSYS, ExitCode.crashed), (SIGKILL, .invalid), (SIGTERM, .invalid), (SIGHUP, .invalid),
    ])
  func died(signal: Int32, code: ExitCode) throws {
    try BuiltTool.withScenario(Self.long) { directory in
      let tool = try BuiltTool.start(["run", "scenario.yaml", "--out", "out"], in: directory)
      try BuiltTool.waitForCells(in: directory)
      let cell = try #require(BuiltTool.processes(in: directory).first { $0 != tool.body.processIdentifier })
      kill(cell, signal)
      tool.body.waitUntilExit()
      let outcome = try tool.outcome()
      #expect(outcome.code == code.rawValue, "\(outcome.output)\(outcome.errors)")
      #expect(outcome.output.contains(SignalName.of(signal).prefix { $0 != " " }))
      #expect(outcome.output.hasSuffix("\nverdict: \(code == .crashed ? "crashed" : "invalid")\n"))
      #expect(try FileSystem.read(directory + "/out/metrics.csv").contains(",arrivals.planned,,"))
    }
  }

  @Test("A cell that was stopped for a while is invalid, whatever its percentiles say")
  func stoppedForAWhile() throws {
    let text = Self.long.replacing("for: 60s, rate: 1/s", with: "for: 2s, rate: 50/s")
    try BuiltTool.withScenario(text) { directory in
      let tool = try BuiltTool.start(["run", "scenario.yaml", "--out", "out"], in: directory)
      try BuiltTool.waitForCells(in: directory)
      let cell = try #require(BuiltTool.processes(in: directory).first { $0 != tool.body.processIdentifier })
      kill(cell, SIGSTOP)
      usleep(900_000)
      kill(cell, SIGCONT)
      tool.body.waitUntilExit()
      let outcome = try tool.outcome()
      #expect(outcome.code == ExitCode.invalid.rawValue, "\(outcome.output)")
    }
  }

  @Test("Virtual load that was not delivered is invalid, and one that nobody finishes ends in good time")
  func loadNotDelivered() throws {
    let dropping = """
      name: dropping
      pipeline: registry
      load: { model: open, max-in-flight: 1, stages: [ { for: 1s, rate: 200/s } ] }
      providers: { names: { latency: { constant: 50ms } } }
      """
    try BuiltTool.withScenario(dropping) { directory in
      let run = try BuiltTool.run(["run", "scenario.yaml", "--out", "out"], in: directory)
      #expect(run.code == ExitCode.invalid.rawValue, "\(run.output)")
      #expect(run.output.contains("offered load not delivered"))
    }
    let hanging = """
      name: hanging
      pipeline: registry
      load: { model: closed, users: 3, iterations: 10 }
      behaviour: { workers: 1, readers: { count: 1, every: { constant: 10ms } } }
      providers: { names: { failures: [ { kind: hang, calls: [1] } ] } }
      """
    try BuiltTool.withScenario(hanging) { directory in
      let run = try BuiltTool.run(["run", "scenario.yaml", "--out", "out"], in: directory)
      #expect(run.code == ExitCode.failed.rawValue, "\(run.output)")
      #expect(run.output.contains("iteration-never-ended"))
    }
  }

  @Test("An iteration that a stop did not wait for is not one that never ended")
  func stoppedInIteration() throws {
    let lasting = """
      name: lasting
      pipeline: registry
      clock: real
      load: { model: closed, users: 3, iterations: 10 }
      behaviour: { workers: 1, elements: 10 }
      providers: { names: { latency: { constant: 5s } } }
      """
    try BuiltTool.withScenario(lasting) { directory in
      let tool = try BuiltTool.start(["run", "scenario.yaml", "--out", "out"], in: directory)
      try BuiltTool.waitForCells(in: directory)
      usleep(500_000)
      kill(tool.body.processIdentifier, SIGINT)
      tool.body.waitUntilExit()
      #expect(try tool.outcome().code == ExitCode.interrupted.rawValue)
      let run = try RunDirectory.read(directory + "/out/run.json")
      #expect(run.cells.map(\.verdict) == [.interrupted])
      #expect(run.cells.allSatisfy { $0.findings.isEmpty })
      #expect(run.cells.first?.metrics["iterations.running"] == .integer(3))
    }
  }

  @Test("A stop while arrivals wait for their turn is an interruption, no deadlock")
  func stoppedWhileQueueing() throws {
    let queueing = """
      name: queueing
      pipeline: registry
      load: { model: open, max-in-flight: 1, at-limit: queue, drain: 100h, stages: [ { for: 100h, rate: 1000/s } ] }
      behaviour: { workers: 1, elements: 1, readers: { count: 0 } }
      """
    try BuiltTool.withScenario(queueing) { directory in
      let tool = try BuiltTool.start(["run", "scenario.yaml", "--out", "out"], in: directory)
      try BuiltTool.waitForCells(in: directory)
      kill(tool.body.processIdentifier, SIGTERM)
      tool.body.waitUntilExit()
      let outcome = try tool.outcome()
      #expect(outcome.code == ExitCode.terminated.rawValue, "\(outcome.output)")
    }
  }

  @Test("A cell of virtual time that is killed leaves its own time, not the machine's")
  func timeOfLostCell() throws {
    let text = """
      name: endless
      pipeline: registry
      load: { model: open, stages: [ { for: 10000h, rate: 20/s } ] }
      """
    try BuiltTool.withScenario(text) { directory in
      let tool = try BuiltTool.start(["run", "scenario.yaml", "--out", "out"], in: directory)
      try BuiltTool.waitForCells(in: directory)
      usleep(500_000)
      let cell = try #require(BuiltTool.processes(in: directory).first { $0 != tool.body.processIdentifier })
      kill(cell, SIGKILL)
      tool.body.waitUntilExit()
      _ = try tool.outcome()
      let run = try RunDirectory.read(directory + "/out/run.json")
      let lost = try #require(run.cells.first)
      let planned = try #require(lost.metrics["arrivals.planned"]?.double)
      // Twenty a second, the first at 0.
      #expect(abs(Double(lost.length) / 1e9 - planned / 20) <= 0.1)
      #expect(planned > 0)
    }
  }

  @Test("A run removes nothing that is not a run's")
  func foreignFiles() throws {
    try BuiltTool.withScenario(Self.small) { directory in
      try FileSystem.makeDirectory(directory + "/out/cells")
      try FileSystem.write("precious", to: directory + "/out/cells/data.txt")
      let run = try BuiltTool.run(["run", "scenario.yaml", "--out", "out"], in: directory)
      #expect(run.code == ExitCode.usage.rawValue, "\(run.output)")
      #expect(run.errors.contains("cells/data.txt"))
      #expect(try FileSystem.read(directory + "/out/cells/data.txt") == "precious")
    }
  }

  @Test("A standard output that is full is an error, one that nobody reads is none")
  func outputs() throws {
    let tool = try #require(BuiltTool.path)
    for (command, code) in [("\(tool) list metrics >/dev/full", 1), ("\(tool) list metrics >&-", 0)] {
      let shell = Process()
      shell.executableURL = URL(fileURLWithPath: "/bin/sh")
      shell.arguments = ["-c", command]
      shell.standardError = FileHandle.nullDevice
      try shell.run()
      shell.waitUntilExit()
      #expect(shell.terminationStatus == code, "\(command)")
    }
  }

  /// Waits until the first cell has begun its load.
}
