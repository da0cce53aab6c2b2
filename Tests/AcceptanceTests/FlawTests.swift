import Foundation
import Reports
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

    /// The text between two marks of the flaws' README.
    private func tables() throws -> String {
      let text = try BuiltTool.text("Scenarios/flaws/README.md")
      let parts = text.components(separatedBy: "<!-- flaws -->")
      let table = try #require(parts.last?.components(separatedBy: "<!-- end of flaws -->").first)
      return table.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test("the README of the flaws is what declarations and runs say: `scripts/flaws-table` writes it")
    func readme() throws {
      try BuiltTool.withDirectory { directory in
        for scenario in BuiltTool.scenarios(in: "flaws") {
          let (_, run) = try BuiltTool.record(scenario)
          let place = "\(directory)/\(run.scenario.name)"
          try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
          try RunJSON.encode(run).write(to: URL(fileURLWithPath: place + "/run.json"))
        }
        let list = try BuiltTool.run(["list", "flaws", "--format", "markdown", directory])
        #expect(list.code == 0)
        #expect(try tables() == list.output.trimmingCharacters(in: .whitespacesAndNewlines))
      }
    }

    @Test(
      "every flaw is in a table with a scenario, and every public report that a flaw names is among the cases"
    )
    func everyFlaw() throws {
      let text = try BuiltTool.text("Scenarios/flaws/README.md")
      let cases = try #require(text.components(separatedBy: "## By public report").last)
      let rows = try tables().split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| fault") }
        .filter { !$0.hasPrefix("| ---") }
      #expect(rows.count > 70)
      for row in rows {
        #expect(!row.contains("not run"), "\(row)")
        // The address that the row ends in is one of a case, or of a report beside it.
        guard let address = row.firstMatch(of: /\]\((http[^)]+)\) \|$/)?.output.1 else { continue }
        #expect(cases.contains("(\(address))"), "\(address)")
      }
      let numbers = cases.matches(of: /\| (B\d\d) \|/).map { String($0.output.1) }
      #expect(numbers.count == Set(numbers).count && numbers == numbers.sorted())
      let scenarios = Set(
        BuiltTool.scenarios(in: "flaws").map { String($0.split(separator: "/").last?.dropLast(5) ?? "") })
      let elsewhere = ["joined-timeout", "abandoned-timeout", "cancelled-sleeps"]
      for row in cases.split(separator: "\n") where row.hasPrefix("| B") {
        let named =
          row.split(separator: "|").last?.matches(of: /`([a-z-]+)`/).map { String($0.output.1) } ?? []
        let isFlawed = named.contains { scenarios.contains($0) }
        #expect(isFlawed, "\(row)")
        guard isFlawed else { continue }
        for name in named where name != "pool-exhausted" {
          #expect(scenarios.contains(name) || elsewhere.contains(name), "\(name)")
        }
      }
    }

    @Test("each fault of a published listing names a flaw that there is, or says why it is none")
    func listings() throws {
      let text = try BuiltTool.text("Scenarios/flaws/README.md")
      let section = try #require(
        text.components(separatedBy: "## What published listings do wrong").last?
          .components(separatedBy: "\n## ").first)
      let scenarios = Set(
        BuiltTool.scenarios(in: "flaws").map { String($0.split(separator: "/").last?.dropLast(5) ?? "") })
      let rows = section.split(separator: "\n").filter { $0.hasPrefix("| a") }
      #expect(rows.count > 50)
      for row in rows {
        let last = String(row.split(separator: "|").dropFirst(2).last ?? "").trimmingCharacters(
          in: .whitespaces)
        guard !last.hasPrefix("none: ") else { continue }
        // What stands behind a semicolon is said beside it.
        let named = last.split(separator: ";")[0].matches(of: /`([a-z-]+)`/).map { String($0.output.1) }
        #expect(!named.isEmpty, "\(row)")
        for name in named { #expect(scenarios.contains(name), "\(name): \(row)") }
      }
    }
  }
}
