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
      // Advice depends on the machine; but what the flaw is caught as is never said of its sound twin.
      let names = Set(run.expectations.map(\.finding))
      for cell in sound {
        #expect(
          cell.findings.allSatisfy { $0.isAdvisory == true && !names.contains($0.name) }, "\(cell.findings)")
      }
      for sweep in Dictionary(grouping: flawed, by: { "\($0.strategy) \($0.variant) \($0.clock)" }).values {
        // Of a sweep some cells show it; else each does.
        let caught = sweep.filter { $0.findings.contains(where: \.isExpected) }
        #expect(sweep[0].users == nil ? caught.count == sweep.count : !caught.isEmpty)
      }
      for finding in flawed.flatMap(\.findings) {
        #expect(finding.isExpected || finding.isAdvisory == true, "\(finding)")
        #expect(!finding.evidence.isEmpty)
      }
    }

    @Test(
      "what holds an actor is named with its place and the whole stack",
      arguments: ["whole-table-written", "compacted-in-background"])
    func holder(flaw: String) throws {
      let (_, run) = try BuiltTool.record("Scenarios/flaws/\(flaw).yaml")
      let finding = try #require(run.cells.flatMap(\.findings).first { $0.isExpected })
      #expect(finding.place?.contains(/JournalledRegistry, .+ \(.+\.swift:\d+\)/) == true, "\(finding)")
      let stack = try #require(finding.details?.first)
      #expect(stack.contains("FlawedStories/FlawedJournals.swift:"), "\(stack)")
      #expect(stack.contains("called by"), "\(stack)")
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
