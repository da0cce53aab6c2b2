internal import Glibc
internal import RunEngine
internal import VirtualTime
internal import WorkloadInterface

/// Starts the process of one cell: this program again, in a process group of its own.
enum CellLauncher {
  /// Starts the cell and returns its process, which is also its group.
  ///
  /// - Parameter notice: Where it tells of files that it cannot write.
  /// - Throws: `WorkFailure` when its log or no process can be made.
  static func start(
    number: Int, in directory: String, log: String, clock: ClockKind, notice: CellNotice
  ) throws(WorkFailure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    let words = try FileSystem.open(forWriting: log)
    defer { close(words) }
    posix_spawn_file_actions_adddup2(&actions, words, STDERR_FILENO)
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, notice.end, UnwrittenNotice.descriptor)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    posix_spawnattr_setpgroup(&attributes, 0)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var usual = sigset_t()
    sigemptyset(&usual)
    for number in [SIGINT, SIGTERM, SIGPIPE, SIGCHLD] { sigaddset(&usual, number) }
    posix_spawnattr_setsigdefault(&attributes, &usual)

    let arguments = [CommandLine.arguments.first ?? "weir", "cell", directory, "\(number)"]
    var process: pid_t = 0
    let spawn = {
      withCStrings(arguments) { argv in
        withCStrings(CellEnvironment.make(clock: clock)) { envp in
          posix_spawn(&process, "/proc/self/exe", &actions, &attributes, argv, envp)
        }
      }
    }
    let problem = clock == .virtual ? ProcessLife.withoutAddressRandomisation(spawn) : spawn()
    guard problem == 0 else {
      throw WorkFailure("cannot start a cell's process: \(SystemError.text(problem))")
    }
    return process
  }

  private static func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = strings.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return body(copies)
  }
}

/// The environment of a cell's process.
enum CellEnvironment {
  /// The variable by which the driver tells its process number.
  static let driver = "WEIR_DRIVER"

  /// This process's environment, without what a preloaded probe would add, with what the clock needs.
  static func make(clock: ClockKind) -> [String] {
    var variables: [String] = []
    var next = environ
    while let entry = next.pointee {
      let text = String(cString: entry)
      if !dropped.contains(where: text.hasPrefix) { variables.append(text) }
      next += 1
    }
    if clock == .virtual { variables.append("SWIFT_DETERMINISTIC_HASHING=1") }
    variables.append("SWIFT_BACKTRACE=" + backtrace)
    variables.append("\(CellEnvironment.driver)=\(getpid())")
    variables.append("\(UnwrittenNotice.variable)=1")
    return variables
  }

  private static let dropped = [
    "LD_PRELOAD=", "SWIFT_BACKTRACE=", "SWIFT_DETERMINISTIC_HASHING=", CellEnvironment.driver + "=",
    UnwrittenNotice.variable + "=",
  ]

  /// A crash leaves the stack of the crashed thread in the log, where the toolchain's tool for it is found;
  /// without the tool the runtime would only complain.
  private static var backtrace: String {
    guard let tool = backtraceTool else { return "enable=no" }
    return "enable=yes,color=no,interactive=no,threads=crashed,limit=40,top=4,registers=none,images=none,"
      + "symbolicate=fast,timeout=10s,output-to=stderr,swift-backtrace=\(tool)"
  }

  /// `swift-backtrace` of the toolchain on the PATH.
  private static var backtraceTool: String? {
    for directory in (environment("PATH") ?? "").split(separator: ":") {
      guard let swift = realpath("\(directory)/swift", nil) else { continue }
      defer { free(swift) }
      let root = String(cString: swift).split(separator: "/").dropLast(2).joined(separator: "/")
      let tool = "/\(root)/libexec/swift/linux/swift-backtrace"
      if access(tool, X_OK) == 0 { return tool }
    }
    return nil
  }
}
