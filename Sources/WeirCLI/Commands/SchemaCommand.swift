internal import RunRecords
internal import Scenarios
internal import WorkloadInterface

extension CommandDeclaration {
  /// `weir schema`.
  static let schema = CommandDeclaration(
    name: "schema", operands: "", count: 0...0,
    about: "Prints the JSON Schema of scenario files, for editors.",
    details: [
      "  weir schema > weir-scenario.json",
      "and, as the first line of a scenario:",
      "  # yaml-language-server: $schema=weir-scenario.json",
    ]
  ) { _, tool in
    let schema = ScenarioSchema.json(workloads: tool.workloads.map(\.declaration))
    StandardStreams.print(schema.hasSuffix("\n") ? schema : schema + "\n")
    return ExitCode.passed.rawValue
  }
}
