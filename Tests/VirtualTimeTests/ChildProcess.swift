// Starts the fixture and never waits for it without a limit.

import CDeterminism
import Glibc
import Testing

/// A child process whose output is collected. Ended by its own number where it takes too long.
struct ChildProcess {
  /// What a child left behind.
  struct Result: Equatable {
    var output: String
    /// The exit code; 128 and more for a signal.
    var status: Int32
    var timedOut: Bool
  }

  enum Failure: Error {
    case cannotStart(path: String, code: Int32)
  }

  /// Runs the fixture in the directory of this test bundle.
  static func fixture(
    _ workload: String, seed: UInt64 = 7, schedule: String = "production", count: Int? = nil,
    withoutAddressRandomisation: Bool = false, limit: UInt64 = 30_000_000_000
  ) throws -> Result {
    let arguments = [workload, "\(seed)", schedule] + (count.map { ["\($0)"] } ?? [])
    let former = withoutAddressRandomisation ? cdt_disable_aslr_for_exec() : -1
    defer { cdt_restore_personality(former) }
    return try run(siblingOfTestBundle("virtual-time-fixture"), arguments, limit: limit)
  }

  /// The program of that name beside the running test bundle.
  static func siblingOfTestBundle(_ name: String) -> String {
    var buffer = [CChar](repeating: 0, count: 4096)
    let length = max(readlink("/proc/self/exe", &buffer, buffer.count - 1), 0)
    let own = String(decoding: buffer[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
    let directory = own.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return (directory + [Substring(name)]).joined(separator: "/")
  }

  private static func run(_ path: String, _ arguments: [String], limit: UInt64) throws -> Result {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Failure.cannotStart(path: path, code: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    let child: pid_t
    do {
      defer { close(ends[1]) }
      child = try spawn(path, arguments, output: ends[1])
    }
    let (output, timedOut) = collect(from: ends[0], limit: limit)
    if timedOut { kill(child, SIGKILL) }
    var status: Int32 = 0
    while waitpid(child, &status, 0) == -1 && errno == EINTR {}
    let signal = status & 0x7F
    return Result(
      output: output, status: signal == 0 ? (status >> 8) & 0xFF : 128 + signal, timedOut: timedOut)
  }

  private static func spawn(_ path: String, _ arguments: [String], output: Int32) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)
    // Threads of the concurrency pool block signals, and children inherit that.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var noSignals = sigset_t()
    sigemptyset(&noSignals)
    posix_spawnattr_setsigmask(&attributes, &noSignals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    var environment = [strdup("SWIFT_DETERMINISTIC_HASHING=1"), strdup("PATH=/usr/bin:/bin")] + [nil]
    if let libraries = getenv("LD_LIBRARY_PATH") {
      environment.insert(strdup("LD_LIBRARY_PATH=" + String(cString: libraries)), at: 0)
    }
    defer { (words + environment).forEach { free($0) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, path, &actions, &attributes, &words, &environment)
    guard code == 0 else { throw Failure.cannotStart(path: path, code: code) }
    return child
  }

  /// Everything up to the end of the output, or what came within the limit.
  private static func collect(from descriptor: Int32, limit: UInt64) -> (output: String, timedOut: Bool) {
    let start = cdt_raw_monotonic_ns()
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let elapsed = cdt_raw_monotonic_ns() - start
      guard elapsed < limit else { return (String(decoding: bytes, as: UTF8.self), true) }
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, Int32((limit - elapsed) / 1_000_000 + 1)) > 0 else { continue }
      let count = read(descriptor, &chunk, chunk.count)
      if count <= 0 { return (String(decoding: bytes, as: UTF8.self), false) }
      bytes += chunk[..<count]
    }
  }
}

/// The suites that start children: one child at a time, for busy neighbours of one test would slow another's.
@Suite("Programs in virtual time", .serialized)
enum ProgramTests {}
