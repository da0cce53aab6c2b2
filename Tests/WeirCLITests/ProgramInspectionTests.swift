import Foundation
import Testing

@testable import WeirCLI

@Suite("Programs to be recorded, before they start")
struct ProgramInspectionTests {
  @Test("The flags that a static program is told are those of the sources")
  func flags() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let path = root.appendingPathComponent("Sources/CRuntimeProbe/wrapped-symbols.txt").path
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
    #expect(ProgramInspection.wrapped.sorted() == lines.filter { !$0.hasPrefix("#") }.sorted())
  }

  @Test("The preload library holds every source of the probe")
  func sources() {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().path
    let library = FileSystem.names(in: root + "/Sources/CProbePreload")
    for (folder, prefix) in [("CRuntimeProbe", "probe_"), ("CProbeRecording", "recorder_")] {
      // The recorder's own process has the witness, not the program.
      for name in FileSystem.names(in: "\(root)/Sources/\(folder)")
      where name.hasSuffix(".c") && name != "group_witness.c" {
        #expect(library.contains(prefix + name), "Sources/CProbePreload/\(prefix)\(name) is missing")
      }
    }
  }

  @Test("Files are told apart by what they hold")
  func files() throws {
    let path = NSTemporaryDirectory() + "weir-inspection-\(UUID().uuidString)"
    defer { unlink(path) }
    func way(_ bytes: [UInt8]) throws -> ProgramInspection {
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      chmod(path, 0o755)
      return try ProgramInspection(program: path)
    }
    let program = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "/bin/true")))
    #expect(try way(program).way == .preload)
    #expect(try way(Array("#!/bin/sh\n".utf8)).way == .preload)
    #expect(try way(Array("echo\n".utf8)).mayBeShellScript)
    for cut in [0, 3, 63, 64, 200, 1000, program.count / 2] {
      let inspection = try way(Array(program.prefix(cut)))
      if case .builtIn = inspection.way { Issue.record("\(cut) bytes of a program carry no runtime") }
    }
    var damaged = program
    for index in 32..<64 { damaged[index] = 0xFF }
    guard case .none = try way(damaged).way else {
      Issue.record("a damaged header was taken for a program's")
      return
    }
  }
}
