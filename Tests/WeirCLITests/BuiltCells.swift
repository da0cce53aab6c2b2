import Foundation
import Glibc
import RuntimeProbe
import Testing

@testable import WeirCLI

extension BuiltTool {
  /// Waits until so many cells of a run that goes to `out` are under load, half a minute at most.
  static func waitForCells(_ count: Int = 1, in directory: String) throws {
    let cells = directory + "/out/cells"
    let end = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < end {
      let probes = FileSystem.names(in: cells).filter { $0.hasSuffix(".probe") }
      if probes.count(where: { (try? ProbeFile.readProgress("\(cells)/\($0)"))?.started ?? 0 > 0 }) >= count {
        return
      }
      usleep(10_000)
    }
    Issue.record("no \(count) cells began within 30 s")
  }

  /// The process of a cell of a run that goes to `out`, waited for, ten seconds at most.
  static func cell(_ number: Int, in directory: String) throws -> pid_t {
    for _ in 0..<1_000 {
      let found = processes(in: directory).first { process in
        (try? FileSystem.read("/proc/\(process)/cmdline"))?.hasSuffix("\0cell\0out/cells\0\(number)\0")
          == true
      }
      if let found { return found }
      usleep(10_000)
    }
    throw WorkFailure("cell \(number) did not begin within 10 s")
  }

  /// Starts a process, a child of this one, in the process group of another.
  static func other(inGroup group: pid_t) throws -> pid_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    posix_spawnattr_setpgroup(&attributes, group)
    let words: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("60"), nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let problem = posix_spawn(&process, "/bin/sleep", nil, &attributes, words, environ)
    guard problem == 0 else { throw WorkFailure("cannot start sleep: \(SystemError.text(problem))") }
    return process
  }

  /// Whether a child of this process was killed, or is within five seconds.
  static func hasEnded(_ process: pid_t) -> Bool {
    var status: Int32 = 0
    for _ in 0..<500 {
      if waitpid(process, &status, WNOHANG) == process { return status & 0x7f == SIGKILL }
      usleep(10_000)
    }
    return false
  }

  /// The processes that work in `directory`.
  static func processes(in directory: String) -> [pid_t] {
    FileSystem.names(in: "/proc").compactMap(pid_t.init).filter { process in
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/cwd")) == directory
    }
  }
}
