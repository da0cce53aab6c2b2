internal import RunEngine
internal import RunRecords
internal import VirtualTime

extension CommandDeclaration {
  /// What the driver starts for each cell; people have no use for it.
  static let cell = CommandDeclaration(
    name: "cell", operands: "DIRECTORY NUMBER", count: 2...2,
    about: "Runs one cell; started by `weir run`.", isHidden: true
  ) { invocation, tool in
    // A driver that was killed leaves no cell behind; its main thread starts them and lives as long as it does.
    if let driver = environment(CellEnvironment.driver).flatMap(Int32.init) {
      ProcessLife.end(withParent: driver)
    }
    guard let number = Int(invocation.operands[1]), number > 0 else {
      throw UsageError("`\(invocation.operands[1])` is no number of a cell", command: "cell")
    }
    return CellProcess.run(
      files: CellFiles(directory: invocation.operands[0], number: number), workloads: tool.workloads)
  }
}
