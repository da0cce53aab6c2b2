internal import RunRecords
internal import Scenarios

extension CommandDeclaration {
  /// `weir validate`.
  static let validate = CommandDeclaration(
    name: "validate", operands: "PATH…", count: 1...Int.max,
    about: "Checks scenarios, files or directories of them, and runs nothing.",
    details: ["Prints a line for each valid scenario; all faults of all files otherwise, and exits with 64."],
    options: [.seed, .set, .strategy]
  ) { invocation, tool in
    for scenario in try ScenarioLoading(tool: tool).load(invocation) {
      let cells = scenario.cells().count
      StandardStreams.print(
        "\(scenario.file): valid (\(scenario.name), \(cells) \(cells == 1 ? "cell" : "cells"))\n")
    }
    return ExitCode.passed.rawValue
  }
}
