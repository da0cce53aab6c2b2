internal import Scenarios
internal import WorkloadInterface

/// Finds and reads the scenarios that a command line names.
struct ScenarioLoading {
  private let reader: ScenarioReader

  /// Knows the tool's pipelines.
  init(tool: Tool) { reader = ScenarioReader(workloads: tool.workloads.map(\.declaration)) }

  /// All scenarios of the command line's paths, with its overrides.
  ///
  /// - Throws: `ScenarioErrors` with every fault of every file.
  func load(_ invocation: Invocation) throws(ScenarioErrors) -> [Scenario] {
    try reader.read(
      files: try files(invocation.operands), overrides: Self.overrides(invocation),
      strategies: invocation.all(.strategy)
    ).get()
  }

  /// One file as it is.
  func load(file: String) throws(ScenarioErrors) -> Scenario { try reader.read(file: file).get() }

  /// The scenario files that some paths mean.
  func files(_ paths: [String]) throws(ScenarioErrors) -> [String] { try ScenarioFiles.find(paths).get() }

  private static func overrides(_ invocation: Invocation) -> [ScenarioOverride] {
    invocation.all(.set).map { .set($0) } + invocation.all(.seed).map { .seed($0) }
  }
}
