internal import RunRecords

extension CommandDeclaration {
  /// `weir help`.
  static let help = CommandDeclaration(
    name: "help", operands: "[COMMAND]", count: 0...1, about: "Explains Weir or one command."
  ) { invocation, tool in
    guard let name = invocation.operands.first else {
      StandardStreams.print(HelpText.overview(tool.visibleCommands))
      return ExitCode.passed.rawValue
    }
    guard let command = tool.visibleCommands.first(where: { $0.name == name }) else {
      throw UsageError(
        "there is no command `\(name)`",
        nearest: NearestName.of(name, among: tool.visibleCommands.map(\.name)))
    }
    StandardStreams.print(HelpText.command(command))
    return ExitCode.passed.rawValue
  }
}
