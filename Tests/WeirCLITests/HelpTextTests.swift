import Glibc
import Reports
import RunRecords
import Testing
import WorkloadInterface

@testable import WeirCLI

@Suite("Help texts and explanations")
struct HelpTextTests {
  private let tool = Tool(workloads: [])

  @Test("The overview names every visible command and no hidden one")
  func overview() {
    let text = HelpText.overview(tool.visibleCommands)
    for command in tool.visibleCommands { #expect(text.contains("\n  \(command.name)")) }
    #expect(!text.contains("\n  cell"))
  }

  @Test("A command's help names all its options, in lines that fit")
  func commands() {
    for command in tool.visibleCommands {
      let text = HelpText.command(command)
      for option in command.allOptions { #expect(text.contains("--\(option.name)")) }
      for line in text.split(separator: "\n") { #expect(line.count <= 100, "\(line)") }
    }
  }

  @Test("Where COLUMNS says that there is less room, everything but examples fits")
  func narrow() {
    setenv("COLUMNS", "72", 1)
    defer { unsetenv("COLUMNS") }
    let texts =
      tool.visibleCommands.map(HelpText.command) + [
        HelpText.overview(tool.visibleCommands), Explanations(tool: tool).text(for: "timeline") ?? "",
      ]
    for line in texts.joined(separator: "\n").split(separator: "\n") {
      #expect(line.count <= 72 || line.hasPrefix("  weir "), "\(line)")
    }
    #expect(TerminalStyle(width: StandardStreams.width(-1)).width == 72)
    setenv("COLUMNS", "many", 1)
    #expect(StandardStreams.width(-1) == 100)
  }

  @Test("The help of `help` as a whole")
  func snapshot() {
    #expect(
      HelpText.command(.help) == """
        Usage: weir help [COMMAND] [OPTION…]

        Explains Weir or one command.

        Options:
          -h, --help     Print this help and exit.
              --version  Print the version and exit.

        """)
  }

  @Test("Long texts are wrapped under their own column")
  func wrapping() {
    let about = Array(repeating: "word", count: 40).joined(separator: " ")
    let lines = HelpText.table([("name", about)])
    #expect(lines.count > 1)
    #expect(lines.allSatisfy { $0.count <= 100 })
    #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("        word") })
  }

  @Test("Every metric, finding, verdict and exit code is explained")
  func explanations() {
    let explanations = Explanations(tool: tool)
    let names =
      MetricCatalogue.builtIn.map(\.name) + FindingCatalogue.builtIn.map(\.name)
      + Verdict.allCases.map(\.rawValue) + ExitCode.allCases.map { "\($0.rawValue)" } + ["exit-codes"]
    for name in names { #expect(explanations.text(for: name) != nil, "\(name)") }
    #expect(explanations.text(for: "latency.iteration.p99")?.contains("latency.iteration (metric)") == true)
    #expect(explanations.text(for: "77") == nil)
  }

  @Test("Every word of summaries and reports is explained")
  func words() {
    let explanations = Explanations(tool: tool)
    for entry in ReportWords.all {
      #expect(explanations.text(for: entry.name)?.contains(entry.name) == true, "\(entry.name)")
    }
    #expect(explanations.text(for: "p99.9")?.contains("1000 samples") == true)
  }

  @Test(
    "What cannot be explained is answered with the nearest name",
    arguments: [
      ("latency.iteratoin", "latency.iteration"), ("orphand-task", "orphaned-task"),
      ("inconclusiv", "inconclusive"), ("exit-code", "exit-codes"),
    ])
  func nearest(name: String, expected: String) {
    let explanations = Explanations(tool: tool)
    #expect(explanations.text(for: name) == nil)
    #expect(explanations.nearest(to: name) == expected)
  }

  @Test("Several words are one name together, or a name each")
  func severalNames() throws {
    let explanations = Explanations(tool: tool)
    let both = try explanations.text(forAll: ["hops", "inconclusive"])
    #expect(
      try both == explanations.text(forAll: ["hops"]) + "\n" + explanations.text(forAll: ["inconclusive"]))
    #expect(
      try explanations.text(forAll: ["start", "lateness", "p99"])
        == explanations.text(for: "start lateness p99"))
    #expect(throws: UsageError.self) { try explanations.text(forAll: ["hops", "hopps"]) }
    #expect(throws: UsageError.self) { try explanations.text(forAll: ["no", "such"]) }
  }
}
