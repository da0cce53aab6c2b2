internal import Glibc
internal import RuntimeProbe

/// Starts the program as the shell would have: with the descriptors, signals, terminal and process group that
/// this process was given, and with a request to the probe in its environment.
struct ProgramLaunch {
  /// The program and its arguments.
  let command: [String]
  /// The file that it is.
  let inspection: ProgramInspection
  /// The preload library; nil where it is not needed.
  let probe: String?
  /// Where the probe's files go, without number.
  let prefix: String
  /// The signal mask to give on.
  var mask: sigset_t

  /// Starts it.
  ///
  /// - Throws: `RecordFailure` with 126 or 127 where the system does not start the file.
  func start() throws(RecordFailure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for number in StandardStreams.closedAtStart { posix_spawn_file_actions_addclose(&actions, number) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var usual = sigset_t()
    sigemptyset(&usual)
    for number in StandardStreams.usualAtStart { sigaddset(&usual, number) }
    var mask = mask
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    posix_spawnattr_setsigmask(&attributes, &mask)
    posix_spawnattr_setsigdefault(&attributes, &usual)
    var process: pid_t = 0
    var problem = spawn(inspection.path, command, actions, attributes, &process)
    // As execvp does with a file that has no format.
    if problem == ENOEXEC, inspection.mayBeShellScript {
      problem = spawn(
        "/bin/sh", ["/bin/sh", inspection.path] + command.dropFirst(), actions, attributes, &process)
    }
    guard problem == 0 else {
      throw RecordFailure(
        problem == ENOENT ? 127 : 126, "cannot start \(command[0]): \(SystemError.text(problem))")
    }
    return process
  }

  private func spawn(
    _ path: String, _ arguments: [String], _ actions: posix_spawn_file_actions_t,
    _ attributes: posix_spawnattr_t, _ process: inout pid_t
  ) -> Int32 {
    let words = arguments.map { strdup($0) } + [nil]
    let variables = variables.map { strdup($0) } + [nil]
    defer { for word in words + variables { free(word) } }
    var actions = actions
    var attributes = attributes
    return posix_spawn(&process, path, &actions, &attributes, words, variables)
  }

  private var variables: [String] {
    var variables: [String] = []
    var next = environ
    while let entry = next.pointee {
      variables.append(String(cString: entry))
      next += 1
    }
    if case .none = inspection.way { return variables }
    typealias Variable = Recording.Variable
    variables += [
      "\(Variable.prefix)=\(prefix)", "\(Variable.parent)=\(getpid())", "\(Variable.number)=1",
    ]
    guard let probe else { return variables }
    let own = environment("LD_PRELOAD").flatMap { $0.isEmpty ? nil : $0 }
    variables.removeAll { $0.hasPrefix("LD_PRELOAD=") }
    variables.append("LD_PRELOAD=" + probe + (own.map { ":" + $0 } ?? ""))
    if let own { variables.append("\(Variable.preload)=\(own)") }
    return variables
  }
}
