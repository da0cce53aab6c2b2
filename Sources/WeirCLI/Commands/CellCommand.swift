internal import Glibc
internal import RunEngine
internal import RunRecords

extension CommandDeclaration {
  /// What the driver starts for each cell; people have no use for it.
  static let cell = CommandDeclaration(
    name: "cell", operands: "DIRECTORY NUMBER", count: 2...2,
    about: "Runs one cell; started by `weir run`.", isHidden: true
  ) { invocation, tool in
    ParentWatch.dieWithParent()
    guard let number = Int(invocation.operands[1]), number > 0 else {
      throw UsageError("`\(invocation.operands[1])` is no number of a cell", command: "cell")
    }
    return CellProcess.run(
      files: CellFiles(directory: invocation.operands[0], number: number), workloads: tool.workloads)
  }
}

/// Ties this process to the one that started it.
enum ParentWatch {
  private typealias Prctl =
    @convention(c) (CInt, CUnsignedLong, CUnsignedLong, CUnsignedLong, CUnsignedLong) -> CInt
  private static let setParentDeathSignal: CInt = 1

  /// The variable by which the driver tells its process number.
  static let driverVariable = "WEIR_DRIVER"

  /// From now on the kernel ends this process when the driver's main thread, which started it, ends: a driver
  /// that was killed leaves no cell behind.
  static func dieWithParent() {
    // prctl(2) is variadic, which Swift cannot call by name; its five arguments are plain words.
    guard let symbol = dlsym(nil, "prctl") else { return }
    _ = unsafeBitCast(symbol, to: Prctl.self)(setParentDeathSignal, CUnsignedLong(SIGKILL), 0, 0, 0)
    // The driver may have died before: then this process has another parent by now.
    if let driver = environment(driverVariable).flatMap(pid_t.init), getppid() != driver {
      _exit(ExitCode.internalError.rawValue)
    }
  }
}
