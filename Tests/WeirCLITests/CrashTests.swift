import Foundation
import RunRecords
import Testing

@testable import WeirCLI

/// A pipeline that dies, in a tool of its own beside the tests.
@Suite("Pipelines that crash", .serialized)
struct CrashTests {
  private static let tool = BuiltTool.besideTests("crashing-tool")
  private static let sweep = """
    name: sweep
    pipeline: crashing
    clock: virtual
    load: { model: closed, users: 1, iterations: 1 }
    strategies: [ trap, abort, kill, whole ]
    cancel: { at-step: each }
    """

  private func run(_ scenario: String, _ options: [String]) throws -> (BuiltTool.Outcome, RunRecord) {
    var result: (BuiltTool.Outcome, RunRecord)?
    try BuiltTool.withScenario(scenario) { directory in
      let outcome = try BuiltTool.run(
        ["run", "scenario.yaml", "--out", "out", "--quiet"] + options, in: directory, tool: Self.tool)
      result = (outcome, try RunDirectory.read(directory + "/out/run.json"))
    }
    return try #require(result)
  }

  @Test("A crash at some steps alone is found at exactly those, and the command given shows it again")
  func crashAtSteps() throws {
    let (outcome, record) = try run(Self.sweep, ["--strategy", "trap"])
    #expect(outcome.code == ExitCode.failed.rawValue, "\(outcome.output)\(outcome.errors)")
    let cell = try #require(record.cells.first)
    #expect(cell.findings.map(\.name) == ["crashed-when-cancelled"])
    let finding = try #require(cell.findings.first)
    let steps = try #require(cell.metrics["steps.run"]?.double)
    let failing = try #require(finding.evidence["runs"])
    #expect(failing > 0 && Double(failing) < steps)
    #expect(cell.metrics["steps.failed"] == .integer(failing))
    let step = try #require(finding.evidence["first-step"])
    let words = try #require(finding.details?.first)
    #expect(words.contains("cancelled after step \(step)"))
    // The summary is wrapped to its width.
    let summary = outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(summary.contains("--set cancel.at-step=\(step)"))
    #expect(words.contains("--strategy trap"))
    let again = try #require(words.split(separator: "again: weir ").last).split(separator: " ").dropFirst(2)
    let (single, alone) = try run(Self.sweep, again.map(String.init))
    #expect(single.code == ExitCode.crashed.rawValue, "\(single.output)")
    #expect(alone.cells[0].verdict == .crashed)
    #expect(alone.reasons.joined().contains("the second wait cannot be cancelled"))
    let before = try run(Self.sweep, ["--set", "cancel.at-step=\(step - 1)", "--strategy", "trap"])
    #expect(before.0.code == 0, "\(before.0.output)")
  }

  @Test("A step whose process is killed from outside is lost: no finding, and nothing passes")
  func killedAtSteps() throws {
    let (outcome, record) = try run(Self.sweep, ["--strategy", "kill"])
    #expect(outcome.code == ExitCode.invalid.rawValue, "\(outcome.output)\(outcome.errors)")
    let cell = try #require(record.cells.first)
    #expect(cell.findings.isEmpty)
    #expect(cell.verdict == .invalid)
    #expect(cell.reasons.joined().contains("lost: its process was ended by SIGKILL (9)"))
  }

  @Test("The same sweep of a pipeline that does not die passes")
  func whole() throws {
    let (outcome, _) = try run(Self.sweep, ["--strategy", "whole"])
    #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
  }

  @Test("A cell whose pipeline aborts crashed, and says where", arguments: ["virtual", "real"])
  func abort(clock: String) throws {
    let scenario = Self.sweep.replacing("cancel: { at-step: each }", with: "").replacing(
      "virtual", with: clock)
    let (outcome, record) = try run(scenario, ["--strategy", "abort"])
    #expect(outcome.code == ExitCode.crashed.rawValue, "\(outcome.output)\(outcome.errors)")
    #expect(record.cells[0].reasons[0].contains("SIGABRT"))
  }
}
