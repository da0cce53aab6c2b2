internal import Glibc
internal import RunRecords
internal import Synchronization

/// The process's standard output and error, written without buffering, so that nothing is lost at any exit.
///
/// A reader that went away (`weir list | head -1`) or a stream that was closed is no failure of the run; a full
/// disk behind the standard output is.
enum StandardStreams {
  private static let outputFailure = Atomic<Int32>(0)

  /// Once, first thing: a broken pipe shall be an error and no death, and files opened later must not land on
  /// the numbers of closed standard streams.
  static func prepare() {
    // So is a file that may not grow any more.
    for number in changedSignals {
      var action = sigaction()
      sigaction(number, nil, &action)
      let isIgnored = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
      if isIgnored { givenAtStart.bitwiseOr(1 << Int(8 + number), ordering: .relaxed) }
      signal(number, SIG_IGN)
    }
    for number in 0...2 where fcntl(Int32(number), F_GETFD) < 0 {
      givenAtStart.bitwiseOr(1 << number, ordering: .relaxed)
      _ = open("/dev/null", O_RDWR)
    }
  }

  private static let changedSignals = [SIGPIPE, SIGXFSZ]

  /// What `prepare` changed, for a program that is to be started with what this one was given: bits 0 to 2 for
  /// closed streams, from bit 8 on for signals that were ignored.
  private static let givenAtStart = Atomic<Int>(0)

  /// The standard streams that were closed when this process began.
  static var closedAtStart: [Int32] {
    let given = givenAtStart.load(ordering: .relaxed)
    return (0...2).filter { given & (1 << $0) != 0 }.map(Int32.init)
  }

  /// The signals that this process ignores and its program shall not.
  static var usualAtStart: [Int32] {
    let given = givenAtStart.load(ordering: .relaxed)
    return changedSignals.filter { given & (1 << Int(8 + $0)) == 0 }
  }

  /// Writes to the standard output.
  static func print(_ text: String) {
    let problem = write(text, to: STDOUT_FILENO)
    if problem != 0, problem != EPIPE, problem != EBADF { outputFailure.store(problem, ordering: .relaxed) }
  }

  /// Writes to the standard error; nobody is left to tell when that fails.
  static func error(_ text: String) { _ = write(text, to: STDERR_FILENO) }

  /// The exit code, turned into an internal error when the standard output could not take all of it.
  static func exitCode(_ code: Int32) -> Int32 {
    let problem = outputFailure.load(ordering: .relaxed)
    guard problem != 0 else { return code }
    error("weir: cannot write to the standard output: \(SystemError.text(problem))\n")
    return code == ExitCode.passed.rawValue ? ExitCode.internalError.rawValue : code
  }

  /// Whether people see the stream on a terminal that can redraw a line.
  static func isTerminal(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1 && environment("TERM") != "dumb"
  }

  /// Columns of the terminal behind the stream; 80 where it is not known.
  static func columns(_ descriptor: Int32) -> Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Columns that texts for people are wrapped at: those of the terminal; elsewhere what COLUMNS says, or 100.
  static func width(_ descriptor: Int32) -> Int {
    if isTerminal(descriptor) { return columns(descriptor) }
    return environment("COLUMNS").flatMap(Int.init).map { max(40, $0) } ?? 100
  }

  private static func write(_ text: String, to descriptor: Int32) -> Int32 {
    var text = text
    return text.withUTF8 { bytes in
      var done = 0
      while done < bytes.count {
        let count = Glibc.write(descriptor, bytes.baseAddress! + done, bytes.count - done)
        if count < 0, errno == EINTR { continue }
        if count < 0, errno == EAGAIN {
          var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          _ = poll(&waiting, 1, 1_000)
          continue
        }
        if count <= 0 { return count < 0 ? errno : EIO }
        done += count
      }
      return 0
    }
  }
}

/// The operating system's word for an error number.
enum SystemError {
  /// E.g. `No space left on device`.
  static func text(_ number: Int32) -> String {
    strerror(number).map { String(cString: $0) } ?? "error \(number)"
  }
}

/// A variable of the environment; nil where it is not set.
func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
