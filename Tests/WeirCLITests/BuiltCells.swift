import Foundation
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

  /// The processes that work in `directory`.
  static func processes(in directory: String) -> [pid_t] {
    FileSystem.names(in: "/proc").compactMap(pid_t.init).filter { process in
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/cwd")) == directory
    }
  }
}
