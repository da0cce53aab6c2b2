internal import RunRecords
internal import WorkloadInterface

/// A command of the tool: what it takes, how it is explained, what it does.
struct CommandDeclaration: Sendable {
  /// The word on the command line.
  var name: String
  /// What stands for its operands in help texts; empty when it takes none.
  var operands: String
  /// How many operands it takes.
  var count: ClosedRange<Int>
  /// One sentence for people.
  var about: String
  /// More for its own help; lines as printed.
  var details: [String] = []
  /// Its options beside those that every command takes.
  var options: [OptionDeclaration] = []
  /// Whether help texts leave it out.
  var isHidden = false
  /// Does the work and returns the process's exit code.
  var body: @Sendable (Invocation, Tool) throws -> Int32

  /// The options that every command takes.
  static let commonOptions: [OptionDeclaration] = [.help, .version]

  /// All options it takes.
  var allOptions: [OptionDeclaration] { options + Self.commonOptions }
}

/// The tool as a whole: what all commands share.
struct Tool: Sendable {
  /// The pipelines that can be run.
  let workloads: [any Workload]
  /// The commands, in the order of the help text.
  let commands: [CommandDeclaration]

  /// The tool with all its commands.
  init(workloads: [any Workload]) {
    self.workloads = workloads
    commands = [.run, .record, .validate, .list, .report, .explain, .schema, .help, .cell]
  }

  /// The commands that people see.
  var visibleCommands: [CommandDeclaration] { commands.filter { !$0.isHidden } }

  /// The declaration of a pipeline.
  ///
  /// - Throws: `UsageError` when this program has no such pipeline.
  func workload(_ name: String) throws(UsageError) -> WorkloadDeclaration {
    let declarations = workloads.map(\.declaration)
    guard let found = declarations.first(where: { $0.name == name }) else {
      throw UsageError(
        "this program has no pipeline `\(name)`",
        nearest: NearestName.of(name, among: declarations.map(\.name)))
    }
    return found
  }
}
