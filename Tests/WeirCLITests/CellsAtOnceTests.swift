import Foundation
import Glibc
import RunEngine
import RunRecords
import Testing

@testable import WeirCLI

@Suite("Cells that run at once", .enabled(if: BuiltTool.path != nil), .serialized)
struct CellsAtOnceTests {
  private static let endless = """
    name: endless
    pipeline: registry
    load: { model: open, stages: [ { for: 10000h, rate: 20/s } ] }
    strategies: [per-element, batched: { size: 5 }, locked, main-actor]
    """

  private func start(_ directory: String, jobs: Int, tool: String? = nil) throws -> BuiltTool.Started {
    let tool = try BuiltTool.start(
      ["run", "scenario.yaml", "--out", "out", "--jobs", "\(jobs)"], in: directory, tool: tool)
    try BuiltTool.waitForCells(jobs, in: directory)
    #expect(BuiltTool.processes(in: directory).count == jobs + 1)
    return tool
  }

  @Test("One signal stops all of them, and what each did is in the record")
  func interrupted() throws {
    try BuiltTool.withScenario(Self.endless) { directory in
      let tool = try start(directory, jobs: 3)
      kill(tool.body.processIdentifier, SIGINT)
      tool.body.waitUntilExit()
      let outcome = try tool.outcome()
      #expect(outcome.code == ExitCode.interrupted.rawValue, "\(outcome.output)")
      #expect(outcome.errors.components(separatedBy: "the running cells may finish").count == 2)
      let run = try RunDirectory.read(directory + "/out/run.json")
      #expect(run.cells.map(\.strategy) == ["per-element", "batched-5", "locked"])
      #expect(run.cells.allSatisfy { $0.verdict == .interrupted })
      #expect(run.environment.cost.count == 3)
    }
  }

  @Test("A second signal ends all of them, and a killed driver leaves none")
  func killed() throws {
    for isDriverKilled in [false, true] {
      try BuiltTool.withScenario(Self.endless) { directory in
        let tool = try start(directory, jobs: 2)
        let cells = BuiltTool.processes(in: directory).filter { $0 != tool.body.processIdentifier }
        if isDriverKilled {
          kill(tool.body.processIdentifier, SIGKILL)
        } else {
          // Cells that cannot answer the first signal.
          for cell in cells { kill(cell, SIGSTOP) }
          kill(tool.body.processIdentifier, SIGINT)
          usleep(600_000)
          kill(tool.body.processIdentifier, SIGINT)
        }
        tool.body.waitUntilExit()
        _ = try tool.outcome()
        for _ in 0..<300 where !BuiltTool.processes(in: directory).isEmpty { usleep(10_000) }
        #expect(BuiltTool.processes(in: directory).isEmpty)
        let report = try BuiltTool.run(["report", "out"], in: directory)
        #expect(report.code == ExitCode.interrupted.rawValue, "\(report.output)\(report.errors)")
      }
    }
  }

  @Test("A second signal ends whatever runs in the group of any cell")
  func groups() throws {
    try BuiltTool.withScenario(Self.endless) { directory in
      let tool = try start(directory, jobs: 2)
      // One that has ended is of no account, and one that came later is.
      kill(try BuiltTool.cell(1, in: directory), SIGKILL)
      let cells = try [2, 3].map { try BuiltTool.cell($0, in: directory) }
      let others = try cells.map { try BuiltTool.other(inGroup: $0) }
      defer { for other in others { kill(other, SIGKILL) } }
      for cell in cells { kill(cell, SIGSTOP) }
      kill(tool.body.processIdentifier, SIGINT)
      usleep(600_000)
      kill(tool.body.processIdentifier, SIGINT)
      tool.body.waitUntilExit()
      #expect(try tool.outcome().code == ExitCode.interrupted.rawValue)
      for other in others { #expect(BuiltTool.hasEnded(other)) }
    }
  }

  @Test("One that cannot be started ends the run and the others; what was there stays")
  func notStarted() throws {
    try BuiltTool.withScenario(Self.endless) { directory in
      let copy = directory + "/weir"
      try FileManager.default.copyItem(atPath: BuiltTool.path ?? "", toPath: copy)
      let tool = try start(directory, jobs: 2, tool: copy)
      let other = try BuiltTool.other(inGroup: try BuiltTool.cell(2, in: directory))
      defer { kill(other, SIGKILL) }
      // Nobody, not even root, starts a file that no one may.
      chmod(copy, 0o600)
      kill(try BuiltTool.cell(1, in: directory), SIGKILL)
      tool.body.waitUntilExit()
      let outcome = try tool.outcome()
      #expect(outcome.code == ExitCode.internalError.rawValue, "\(outcome.output)\(outcome.errors)")
      #expect(outcome.errors.contains("cannot start a cell's process: Permission denied"))
      #expect(BuiltTool.hasEnded(other))
      let run = try RunDirectory.read(directory + "/out/run.json")
      #expect(run.cells.map(\.verdict) == [.invalid])
      let report = try BuiltTool.run(["report", "out"], in: directory)
      #expect(report.code == ExitCode.interrupted.rawValue, "\(report.output)\(report.errors)")
    }
  }

  @Test("A run of which one cell was cut short was stopped, whatever became of the last")
  func lastHadEnded() throws {
    let text = Self.endless.replacing(", locked, main-actor", with: "") + "\ngates: [ hops > 0 ]"
    try BuiltTool.withScenario(text) { directory in
      let tool = try start(directory, jobs: 2)
      kill(try BuiltTool.cell(2, in: directory), SIGKILL)
      for _ in 0..<3_000 where FileSystem.kind(directory + "/out/cells/002.probe") != nil { usleep(10_000) }
      kill(tool.body.processIdentifier, SIGINT)
      tool.body.waitUntilExit()
      _ = try tool.outcome()
      let run = try RunDirectory.read(directory + "/out/run.json")
      #expect(run.cells.map(\.verdict) == [.interrupted, .invalid])
      #expect(run.reasons.first == "stopped by a signal: 2 of 2 cells were started", "\(run.reasons)")
    }
  }

  @Test("One that dies costs itself alone; those after it in the plan keep their place")
  func died() throws {
    let text = Self.endless.replacing("10000h", with: "600s")
    try BuiltTool.withScenario(text) { directory in
      let tool = try start(directory, jobs: 2)
      kill(try BuiltTool.cell(1, in: directory), SIGSYS)
      tool.body.waitUntilExit()
      let outcome = try tool.outcome()
      #expect(outcome.code == ExitCode.crashed.rawValue, "\(outcome.output)\(outcome.errors)")
      let run = try RunDirectory.read(directory + "/out/run.json")
      #expect(run.cells.map(\.strategy) == ["per-element", "batched-5", "locked", "main-actor"])
      #expect(run.cells.map(\.verdict) == [.crashed, .passed, .passed, .passed])
    }
  }

  @Test("What cells left that the killed driver never looked at is reported, and took as long as the longest")
  func leftBehind() throws {
    let text = Self.endless.replacing("10000h", with: "600s")
    try BuiltTool.withScenario(text) { directory in
      let tool = try start(directory, jobs: 2)
      kill(tool.body.processIdentifier, SIGSTOP)
      let results = [1, 2].map { "\(directory)/out/cells/00\($0).result.json" }
      for _ in 0..<3_000 where !results.allSatisfy({ FileSystem.kind($0) == .file }) { usleep(10_000) }
      // One that is being written is whole, or not there.
      kill(tool.body.processIdentifier, SIGKILL)
      tool.body.waitUntilExit()
      let report = try BuiltTool.run(["report", "out"], in: directory)
      #expect(report.code == ExitCode.interrupted.rawValue, "\(report.output)\(report.errors)")
      let run = try RunDirectory.read(directory + "/out/run.json")
      #expect(run.cells.map(\.verdict) == [.passed, .passed])
      #expect(run.environment.elapsed == run.environment.cost.map(\.wall).max())
      #expect(run.environment.wall > 0)
    }
  }

  @Test("How many run at once shows in nothing but the time it took")
  func alike() throws {
    let text = Self.endless.replacing("10000h", with: "2s") + "\nclock: virtual\nrepetitions: 2"
    try BuiltTool.withScenario(text) { directory in
      var records: [RunRecord] = []
      for jobs in ["1", "3"] {
        let run = try BuiltTool.run(
          ["run", "scenario.yaml", "--quiet", "--out", jobs, "--jobs", jobs], in: directory)
        #expect(run.code != ExitCode.usage.rawValue, "\(run.errors)")
        records.append(try RunDirectory.read(directory + "/\(jobs)/run.json"))
      }
      #expect(records[0].cells.count == 8)
      #expect(records[0].cells == records[1].cells)
      for record in records {
        let elapsed = try #require(record.environment.elapsed)
        #expect(elapsed > (record.environment.cost.map(\.wall).max() ?? .max))
      }
    }
  }

  @Test("A number of cells that cannot be is refused")
  func refused() throws {
    try BuiltTool.withScenario(Self.endless) { directory in
      for text in ["0", "-1", "two", "1001"] {
        let run = try BuiltTool.run(["run", "scenario.yaml", "--jobs", text], in: directory)
        #expect(run.code == ExitCode.usage.rawValue)
        #expect(run.errors.contains("`--jobs` takes a number from 1 to 1000, not `\(text)`"))
      }
    }
  }
}
