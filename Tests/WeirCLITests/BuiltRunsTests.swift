import Foundation
import Glibc
import RunRecords
import Testing

@testable import WeirCLI

@Suite(
  "Runs of the built tool: several at once, baselines, loads without end",
  .enabled(if: BuiltTool.path != nil), .serialized)
struct BuiltRunsTests {
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

  @Test("Several scenarios get a directory each, and an index of the whole")
  func several() throws {
    try BuiltTool.withScenario(Self.small) { directory in
      try FileSystem.write(
        Self.small.replacing("name: small", with: "name: other"), to: directory + "/other.yml")
      let run = try BuiltTool.run(["run", ".", "--out", "out", "--quiet"], in: directory)
      #expect(run.code == 0, "\(run.output)\(run.errors)")
      let names = ["junit.xml", "other", "report.html", "runs.json", "small", "summary.md", "verdict.txt"]
      #expect(FileSystem.names(in: directory + "/out") == names)
      #expect(try FileSystem.read(directory + "/out/verdict.txt") == "passed\n")
      #expect(try FileSystem.read(directory + "/out/report.html").contains("href=\"other/report.html\""))
      let junit = try FileSystem.read(directory + "/out/junit.xml")
      #expect(junit.components(separatedBy: "<testsuite ").count == 3)
      let index = try RunFiles.decode(RunsIndex.self, directory + "/out/runs.json")
      #expect(index.verdict == .passed)
      #expect(index.runs.map(\.name) == ["other", "small"])
      let refused = try BuiltTool.run(["run", "scenario.yaml", "--out", "."], in: directory)
      #expect(refused.code == ExitCode.usage.rawValue)
      #expect(FileSystem.kind(directory + "/scenario.yaml") == .file)
    }
  }

  @Test("A timeline that cannot be written loses nothing else")
  func timelineLost() throws {
    try BuiltTool.withScenario(Self.small) { directory in
      // A name that may be, and has no room for the ending of a file that is not finished.
      let trace = String(repeating: "t", count: 250)
      let arguments = ["run", "scenario.yaml", "--out", "out", "--trace", trace, "--pprof", "p.pprof"]
      let run = try BuiltTool.run(arguments, in: directory)
      #expect(run.code == ExitCode.internalError.rawValue)
      #expect(run.errors.contains("cannot write \(trace)"))
      let names = FileSystem.names(in: directory + "/out")
      for name in ["run.json", "report.html", "junit.xml", "summary.md", "metrics.csv"] {
        #expect(names.contains(name))
      }
      #expect(!names.contains("cells"))
      #expect(try FileSystem.read(directory + "/out/verdict.txt") == "passed\n")
      #expect(try FileSystem.read(directory + "/out/summary.md").contains("cannot write \(trace)"))
      #expect(FileSystem.kind(directory + "/p.pprof") == .file)
      // Nothing of it stands in the way of a later run.
      #expect(
        try BuiltTool.run(["run", "scenario.yaml", "--out", "out", "--quiet"], in: directory).code == 0)
    }
  }

  @Test("A place that will not do is refused before anything runs")
  func refusedPlaces() throws {
    try BuiltTool.withScenario(Self.small) { directory in
      mkfifo(directory + "/pipe", 0o644)
      mkdir(directory + "/kept", 0o755)
      mkfifo(directory + "/kept/small.json", 0o644)
      for options in [
        ["--trace", "pipe"], ["--pprof", "pipe"], ["--trace", "scenario.yaml"], ["--trace", "out/run.json"],
        ["--trace", "out/t.pt"], ["--trace", "t", "--pprof", "kept/../t"], ["--save-baseline", "kept"],
        ["--save-baseline", "out"], ["--save-baseline", "new", "--trace", "new/small.json"],
      ] {
        let run = try BuiltTool.run(["run", "scenario.yaml", "--out", "out"] + options, in: directory)
        #expect(run.code == ExitCode.usage.rawValue, "\(options): \(run.errors)")
        #expect(FileSystem.names(in: directory) == ["kept", "pipe", "scenario.yaml"], "\(options)")
      }
      for options in [["--trace", "pipe"], ["--pprof", "out/run.json"], ["--trace", "out/t.pt"]] {
        let run = try BuiltTool.run(
          ["record", "--out", "out"] + options + ["--", "/bin/true"], in: directory)
        // Its other codes may be the program's.
        #expect(run.code == ExitCode.recordFailed.rawValue, "\(options): \(run.errors)")
        #expect(FileSystem.names(in: directory) == ["kept", "pipe", "scenario.yaml"], "\(options)")
      }
    }
  }

  @Test("An interrupted scenario stands in the index with its verdict, and so do those after it")
  func severalInterrupted() throws {
    try BuiltTool.withScenario(Self.long) { directory in
      try FileSystem.write(Self.small, to: directory + "/a-small.yaml")
      try FileSystem.write(
        Self.small.replacing("name: small", with: "name: after"), to: directory + "/z-after.yaml")
      let tool = try BuiltTool.start(["run", ".", "--out", "out", "--quiet"], in: directory)
      for _ in 0..<3_000 where FileSystem.kind(directory + "/out/long/cells/001.probe") == nil {
        usleep(10_000)
      }
      // What is read while it goes on, or after a kill, names the scenario that had not ended.
      let during = try RunFiles.decode(RunsIndex.self, directory + "/out/runs.json")
      #expect(during.runs.map(\.verdict) == [.passed, .interrupted, .interrupted])
      kill(tool.body.processIdentifier, SIGTERM)
      tool.body.waitUntilExit()
      #expect(try tool.outcome().code == ExitCode.terminated.rawValue)
      let index = try RunFiles.decode(RunsIndex.self, directory + "/out/runs.json")
      #expect(index.runs.map(\.name) == ["small", "long", "after"])
      #expect(index.runs.map(\.verdict) == [.passed, .interrupted, .interrupted])
      #expect(index.runs[1].reasons.first?.hasPrefix("stopped by a signal: 1 of 1 cells") == true)
      #expect(index.runs[2].reasons == ["not run"])
      for name in ["report.html", "summary.md", "junit.xml"] {
        let text = try FileSystem.read(directory + "/out/" + name)
        #expect(text.contains("long") && text.contains("after"), "\(name)")
      }
      #expect(try FileSystem.read(directory + "/out/verdict.txt") == "interrupted\n")
    }
  }

  @Test("Files of the same names that no run of several wrote are left alone")
  func severalForeign() throws {
    try BuiltTool.withScenario(Self.small) { directory in
      try FileSystem.write(
        Self.small.replacing("name: small", with: "name: other"), to: directory + "/other.yml")
      try FileSystem.makeDirectory(directory + "/out")
      try FileSystem.write("precious", to: directory + "/out/report.html")
      let run = try BuiltTool.run(["run", ".", "--out", "out", "--quiet"], in: directory)
      #expect(run.code == ExitCode.usage.rawValue)
      #expect(run.errors.contains("report.html"))
      #expect(try FileSystem.read(directory + "/out/report.html") == "precious")
    }
  }

  @Test("Users that nothing but time can stop, and whom nothing makes wait, are told so on the virtual clock")
  func endlessUsers() throws {
    let scenario = """
      name: endless
      pipeline: empty
      clock: [virtual, real]
      load: { model: closed, users: 2, for: 200ms }
      """
    try BuiltTool.withScenario(scenario) { directory in
      let run = try BuiltTool.run(["run", "scenario.yaml", "--out", "out"], in: directory)
      #expect(run.code == ExitCode.hung.rawValue)
      let text = try FileSystem.read(directory + "/out/summary.md")
      #expect(text.contains("time stands still at 0.0 s"))
      #expect(text.contains("Give the users"))
      #expect(!text.contains("no progress"))
      let record = try RunDirectory.read(directory + "/out/run.json")
      #expect(record.cells.map(\.verdict) == [.hung, .passed])
    }
    // Bounded by their number too, the same iterations end.
    let bounded = scenario.replacing("for: 200ms", with: "iterations: 100000").replacing(
      "[virtual, real]", with: "virtual")
    try BuiltTool.withScenario(bounded) { directory in
      let run = try BuiltTool.run(["run", "scenario.yaml", "--out", "out", "--quiet"], in: directory)
      #expect(run.code == 0, "\(run.output)")
    }
  }

  @Test("A run is held against its baseline: an identical one passes, a worse one is regressed")
  func baselines() throws {
    func scenario(_ size: Int) -> String {
      Self.small + "\nstrategies: [ { batched: { size: \(size), name: mine } } ]\n"
    }
    try BuiltTool.withScenario(scenario(5)) { directory in
      func run(_ size: Int, _ options: String...) throws -> BuiltTool.Outcome {
        try FileSystem.write(scenario(size), to: directory + "/scenario.yaml")
        return try BuiltTool.run(["run", "scenario.yaml", "--out", "out"] + options, in: directory)
      }
      #expect(try run(5, "--baseline", "kept").code == ExitCode.noBaseline.rawValue)
      #expect(try run(5, "--baseline", "kept", "--allow", "no-baseline").code == 0)
      #expect(try run(5, "--save-baseline", "kept").code == 0)
      #expect(FileSystem.names(in: directory + "/kept") == ["small.json"])
      let same = try run(5, "--baseline", "kept")
      #expect(same.code == 0, "\(same.output)")
      #expect(same.output.contains("figures compared: none changed"))
      let worse = try run(2, "--baseline", "kept")
      #expect(worse.code == ExitCode.regressed.rawValue, "\(worse.output)")
      #expect(worse.output.contains("verdict: regressed"))
      #expect(worse.output.contains("regressed hops"))
      #expect(try FileSystem.read(directory + "/out/junit.xml").contains("type=\"regressed\""))
      let better = try run(10, "--baseline", "kept")
      #expect(better.output.contains("improved hops"))
      #expect(try run(5, "--strict").code == ExitCode.usage.rawValue)
      // Another seed is another load.
      #expect(try run(5, "--baseline", "kept", "--seed", "9").code == ExitCode.noBaseline.rawValue)
    }
  }

  @Test("A baseline that cannot be used, or a place for none, ends before any cell, and nothing is left")
  func unusableBaselines() throws {
    try BuiltTool.withScenario(Self.small) { directory in
      func refused(_ options: String...) throws -> String {
        let run = try BuiltTool.run(["run", "scenario.yaml", "--out", "out"] + options, in: directory)
        #expect(run.code == ExitCode.usage.rawValue, "\(run.output)\(run.errors)")
        #expect(FileSystem.kind(directory + "/out") == nil)
        return run.errors
      }
      try FileSystem.makeDirectory(directory + "/kept")
      for text in ["", "{", "{}", "[]", "{\"format\":\"weir-run/1\"}", "{\"format\":\"weir-baseline/99\"}"] {
        try FileSystem.write(text, to: directory + "/kept/small.json")
        #expect(try refused("--baseline", "kept").contains("kept/small.json"))
      }
      FileSystem.remove(directory + "/kept/small.json")
      #expect(mkfifo(directory + "/kept/small.json", 0o600) == 0)
      #expect(try refused("--baseline", "kept").contains("no regular file"))
      #expect(try refused("--save-baseline", "kept").contains("is a pipe, not a file"))
      #expect(try refused("--save-baseline", "scenario.yaml/kept").contains("scenario.yaml"))
      #expect(FileSystem.names(in: directory) == ["kept", "scenario.yaml"])
    }
  }

  @Test("What is the same in each of other numbers of iterations is no change")
  func otherIterations() throws {
    let scenario = """
      name: timed
      pipeline: registry
      clock: virtual
      load: { model: closed, users: 2, for: 20s }
      strategies: [ { batched: { size: 5, name: mine } } ]
      """
    try BuiltTool.withScenario(scenario) { directory in
      let saved = try BuiltTool.run(
        ["run", "scenario.yaml", "--out", "out", "--quiet", "--save-baseline", "kept"], in: directory)
      #expect(saved.code == 0)
      let path = directory + "/kept/timed.json"
      // The baseline of a pipeline that did the same in each of twice as many iterations.
      var baseline = try RunFiles.decode(Baseline.self, path)
      for name in ["iterations.started", "iterations.completed", "hops{role=registry}", "elements.stored"] {
        baseline.cells[0].figures[name] = baseline.cells[0].figures[name]?.map {
          .integer(Int64($0.double) * 2)
        }
      }
      try FileSystem.write(try RunFiles.encode(baseline), to: path)
      let other = try BuiltTool.run(
        ["run", "scenario.yaml", "--out", "out", "--baseline", "kept"], in: directory)
      #expect(other.output.contains("iterations started"), "\(other.output)")
      let record = try #require(try RunDirectory.read(directory + "/out/run.json").baseline)
      #expect(record.changes.contains { $0.isPerIteration == true })
      #expect(!record.changes.contains { ["hops{role=registry}", "elements.stored"].contains($0.metric) })
    }
  }

  @Test("The probe can be switched off, and what it would have counted is absent with the reason")
  func probeOff() throws {
    try BuiltTool.withScenario(Self.small) { directory in
      setenv("WEIR_PROBE", "off", 1)
      defer { unsetenv("WEIR_PROBE") }
      let run = try BuiltTool.run(["run", "scenario.yaml", "--out", "out", "--quiet"], in: directory)
      #expect(run.code == 0, "\(run.output)")
      let cell = try #require(try RunDirectory.read(directory + "/out/run.json").cells.first)
      #expect(cell.metrics["hops"] == nil)
      #expect(cell.absent["hops"]?.contains("WEIR_PROBE=off") == true)
      #expect(cell.metrics["iterations.completed"] == .integer(2))
    }
  }
}
