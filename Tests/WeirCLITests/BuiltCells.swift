import Foundation
import Testing

@testable import WeirCLI

extension BuiltTool {
  /// Waits until so many cells of a run that goes to `out` have begun, five seconds at most.
  static func waitForCells(_ count: Int = 1, in directory: String) throws {
    for _ in 0..<500 {
      if FileSystem.names(in: directory + "/out/cells").count(where: { $0.hasSuffix(".probe") }) >= count {
        usleep(200_000)
        return
      }
      usleep(10_000)
    }
    Issue.record("no \(count) cells began within 5 s")
  }

  /// The processes that work in `directory`.
  static func processes(in directory: String) -> [pid_t] {
    FileSystem.names(in: "/proc").compactMap(pid_t.init).filter { process in
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/cwd")) == directory
    }
  }
}
