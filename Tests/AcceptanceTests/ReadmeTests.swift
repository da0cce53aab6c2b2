import Foundation
import Testing

extension AcceptanceTests {
  @Suite("The README") struct ReadmeTests {
    private static let scenario = "Scenarios/story/rapid-regeneration.yaml"

    private func readme() throws -> String {
      try String(contentsOfFile: BuiltTool.root + "/README.md", encoding: .utf8)
    }

    @Test("shows the summary that the tool prints today")
    func summary() throws {
      let mark = "<!-- summary: \(Self.scenario) -->\n```text\n"
      let rest = try #require(try readme().components(separatedBy: mark).dropFirst().first)
      let shown = try #require(rest.components(separatedBy: "```").first)
      try BuiltTool.withDirectory { directory in
        let printed = try BuiltTool.run(["run", Self.scenario, "--out", directory + "/run"]).output
        #expect(withoutHeap(shown) == withoutHeap(printed), "renew it with scripts/samples")
      }
    }

    /// The paragraphs of a summary but those with allocations, which follow the compiler's every version.
    private func withoutHeap(_ text: String) -> [String] {
      text.components(separatedBy: "\n\n").filter { !$0.contains("heap") }
    }

    @Test("names the two commands, and scripts that are there")
    func commands() throws {
      let text = try readme()
      #expect(text.contains("scripts/weir run \(Self.scenario)"))
      for match in text.matches(of: /scripts\/[a-z-]+/) {
        #expect(
          FileManager.default.isExecutableFile(atPath: BuiltTool.root + "/" + String(match.output)),
          "\(match.output)"
        )
      }
      for match in text.matches(of: /(Scenarios|Sources|Reports)\/[A-Za-z\/.-]+[A-Za-z]/) {
        let path = String(match.output.0)
        guard !path.hasPrefix("Reports/Runs") else { continue }
        #expect(FileManager.default.fileExists(atPath: BuiltTool.root + "/" + path), "\(path)")
      }
    }

    @Test("shows a scenario that runs")
    func scenario() throws {
      let blocks = try readme().components(separatedBy: "```yaml\n").dropFirst()
      #expect(!blocks.isEmpty)
      for block in blocks {
        let text = try #require(block.components(separatedBy: "```").first)
        try BuiltTool.withDirectory { directory in
          let file = directory + "/scenario.yaml"
          try Data(text.utf8).write(to: URL(fileURLWithPath: file))
          let outcome = try BuiltTool.run(["run", file, "--quiet", "--out", directory + "/run"])
          #expect(outcome.code == 0, "\(outcome.errors)\(outcome.output)")
        }
      }
    }
  }
}
