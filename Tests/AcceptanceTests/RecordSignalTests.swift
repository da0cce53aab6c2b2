import Foundation
import Glibc
import Testing

/// Signals to `weir record` and its program: each reaches the program once, whoever sent it.
@Suite("Signals of a recording", .serialized)
struct RecordSignalTests {
  enum Sender: String, CaseIterable, CustomTestStringConvertible {
    /// To weir alone, by a member of its process group, as a script's `kill $!` or a supervisor's child handle is.
    case member
    /// To weir alone, from another group.
    case stranger
    /// To the whole group.
    case group
    /// The terminal's interrupt key.
    case terminal
    /// timeout(1), which sends to its command and to its group.
    case timeout

    var testDescription: String { rawValue }
    var signal: Int32 { self == .terminal || self == .member ? SIGINT : SIGTERM }
  }

  @Test("A program that handles it has it exactly once", arguments: Sender.allCases)
  func once(sender: Sender) throws {
    // It exits with 40 and the number of signals that came within half a second.
    #expect(try send(sender, to: "signals") == 41)
  }

  @Test("A program that does not is ended by it", arguments: Sender.allCases)
  func ends(sender: Sender) throws {
    #expect(try send(sender, to: "wait") == 128 + sender.signal)
  }

  @Test("A script of one group ends the program by `kill $!`")
  func script() throws {
    try BuiltTool.withDirectory { directory in
      let script = """
        '\(BuiltTool.debugPath)' record --quiet --out '\(directory)/run' -- \\
          '\(RecordTests.program)' wait 10 >'\(directory)/out' &
        while [ ! -s '\(directory)/out' ]; do sleep 0.05; done
        kill -TERM $!
        wait $!
        """
      let shell = try Child(["/bin/sh", "-c", script], out: "/dev/null", flags: POSIX_SPAWN_SETPGROUP)
      #expect(shell.waitForEnd() == 143)
    }
  }

  /// A pseudo-terminal: the side that keys are written to, and the other's path.
  private static func makeTerminal() throws -> (master: Int32, path: String) {
    // TIOCSPTLCK and TIOCGPTN, which the module map of the C library leaves out.
    let (unlock, number): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
    let master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var (no, index): (Int32, UInt32) = (0, 0)
    try #require(master >= 0 && ioctl(master, unlock, &no) == 0 && ioctl(master, number, &index) == 0)
    return (master, "/dev/pts/\(index)")
  }

  /// Has the sender send its signal once the program is ready, and returns how weir ended.
  private func send(_ sender: Sender, to shape: String) throws -> Int32 {
    try BuiltTool.withDirectory { directory in
      let out = directory + "/out"
      let record = [
        BuiltTool.debugPath, "record", "--quiet", "--out", directory + "/run", "--", RecordTests.program,
        shape, "10",
      ]
      let child: Child
      var master: Int32 = -1
      defer { if master >= 0 { close(master) } }
      switch sender {
      case .member: child = try Child(record, out: out, flags: 0)
      case .stranger, .group: child = try Child(record, out: out, flags: POSIX_SPAWN_SETPGROUP)
      case .timeout:
        child = try Child(
          ["/usr/bin/timeout", "--preserve-status", "3"] + record, out: out, flags: POSIX_SPAWN_SETPGROUP)
      case .terminal:
        let terminal: String
        (master, terminal) = try Self.makeTerminal()
        // The first terminal that the leader of a session opens is its own.
        child = try Child(record, input: terminal, out: out, flags: Child.ownSession)
      }
      let end = Date() + 20
      func isSilent() -> Bool { (try? Data(contentsOf: URL(fileURLWithPath: out)).isEmpty) != false }
      while isSilent(), Date() < end { usleep(5_000) }
      usleep(200_000)
      switch sender {
      case .member, .stranger: kill(child.process, sender.signal)
      case .group: kill(-child.process, sender.signal)
      case .terminal: #expect(write(master, "\u{3}", 1) == 1)
      case .timeout: break
      }
      return child.waitForEnd()
    }
  }
}

/// A process started with flags that Foundation's has not.
private final class Child {
  /// POSIX_SPAWN_SETSID, which the module map leaves out.
  static let ownSession: Int32 = 0x80

  let process: pid_t
  private let leadsGroup: Bool
  private var hasEnded = false

  init(_ command: [String], input: String = "/dev/null", out: String, flags: Int32) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, input, O_RDWR, 0)
    posix_spawn_file_actions_addopen(&actions, 1, out, O_WRONLY | O_CREAT, 0o644)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var usual = sigset_t()
    sigemptyset(&usual)
    for number in [SIGINT, SIGTERM] { sigaddset(&usual, number) }
    posix_spawnattr_setsigdefault(&attributes, &usual)
    posix_spawnattr_setflags(&attributes, Int16(flags) | Int16(POSIX_SPAWN_SETSIGDEF))
    let words = command.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let problem = posix_spawn(&process, command[0], &actions, &attributes, words, environ)
    try #require(problem == 0)
    self.process = process
    leadsGroup = flags != 0
  }

  /// Its exit status, 128 and the number where a signal ended it; -1: it did not end in 30 s.
  func waitForEnd() -> Int32 {
    var status: Int32 = 0
    let end = Date() + 30
    while Date() < end {
      if waitpid(process, &status, WNOHANG) == process {
        hasEnded = true
        return status & 0x7F != 0 ? 128 + status & 0x7F : (status >> 8) & 0xFF
      }
      usleep(5_000)
    }
    return -1
  }

  deinit {
    if hasEnded { return }
    kill(leadsGroup ? -process : process, SIGKILL)
    waitpid(process, nil, 0)
  }
}
