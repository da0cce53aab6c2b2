import RunRecords
import Testing

extension AcceptanceTests {
  @Suite("Flaws") struct FlawTests {
    @Test(
      "each flawed variant is caught under its name with figures; each sound twin is clean",
      arguments: BuiltTool.scenarios(in: "flaws"))
    func caught(scenario: String) throws {
      let (code, run) = try BuiltTool.record(scenario)
      #expect(code == 0, "\(run.reasons)")
      #expect(!run.expectations.isEmpty)
      let flawed = run.cells.filter { $0.variant != "sound" }
      let sound = run.cells.filter { $0.variant == "sound" }
      #expect(!flawed.isEmpty)
      #expect(sound.count == flawed.count)
      for cell in sound { #expect(cell.findings.isEmpty, "\(cell.findings)") }
      for cell in flawed {
        #expect(!cell.findings.isEmpty)
        for finding in cell.findings {
          #expect(finding.isExpected)
          #expect(!finding.evidence.isEmpty)
        }
      }
    }

    @Test("an orphaned task is named with its place of creation")
    func place() throws {
      let (_, run) = try BuiltTool.record("Scenarios/flaws/uncancelled-prose-task.yaml")
      let findings = run.cells.flatMap(\.findings).filter { $0.name == "orphaned-task" }
      #expect(!findings.isEmpty)
      for finding in findings {
        #expect(
          finding.place?.contains(/.+ \(FlawedStories\/.+\.swift:\d+\)/) == true, "\(finding.place ?? "none")"
        )
      }
    }

    @Test("without the expectation the same run fails: the check can fail")
    func canFail() throws {
      let unexpected = try BuiltTool.record(
        "Scenarios/flaws/last-batch-lost.yaml", ["--set", "clock=virtual", "--set", "expect=[]"])
      #expect(unexpected.code == ExitCode.failed.rawValue)
      let missing = try BuiltTool.record(
        "Scenarios/flaws/last-batch-lost.yaml",
        ["--set", "clock=virtual", "--set", "expect=[{finding: orphaned-task}]"])
      #expect(missing.code == ExitCode.failed.rawValue)
    }
  }
}
