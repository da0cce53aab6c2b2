import Foundation
import Glibc
import Reports
import RunRecords
import Testing

extension AcceptanceTests {
  @Suite("Timelines", .enabled(if: BuiltTool.isThere), .serialized) final class Timelines {
    private let directory = NSTemporaryDirectory() + "weir-timeline-\(UUID().uuidString)"

    init() throws {
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }
    deinit { try? FileManager.default.removeItem(atPath: directory) }

    private static let real = "Scenarios/registry/strategies-real.yaml"
    private static let virtual = "Scenarios/registry/strategies.yaml"

    private func run(_ scenario: String, _ options: String...) throws -> BuiltTool.Outcome {
      try BuiltTool.run(["run", scenario, "--out", directory + "/run"] + options)
    }

    private func record() throws -> RunRecord {
      let path = directory + "/run/run.json"
      return try RunJSON.decode(try Data(contentsOf: URL(fileURLWithPath: path)), path: path)
    }

    /// Whether these texts stand in a file as they are.
    private func holds(_ file: String, _ texts: String...) throws -> Bool {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: directory + "/" + file))
      return texts.allSatisfy { bytes.firstRange(of: Data($0.utf8)) != nil }
    }

    @Test("One cell is traced, the one that was asked for, and the run says so")
    func oneCell() throws {
      let outcome = try run(
        Self.virtual, "--trace", directory + "/a", "--pprof", directory + "/b", "--trace-cell", "batched-5")
      #expect(outcome.code == 0)
      #expect(outcome.errors.contains("traced strategies · batched-5,virtual: "))
      #expect(outcome.output.contains("batched-5 was traced, "))
      let traced = try record().cells.filter { $0.trace != nil }
      #expect(traced.map(\.strategy) == ["batched-5"])
      #expect(traced.first?.trace?.lost == 0)
      #expect((traced.first?.trace?.events ?? 0) > 10_000)
      #expect(try holds("a", "BatchRegistry #1", ".store(", "virtual time: ", "Swift Actors"))
      #expect(try holds("b", "BatchRegistry", "from no actor", "nanoseconds", "role registry"))
      #expect(!FileManager.default.fileExists(atPath: directory + "/run/cells/002.trace"))
    }

    @Test(
      "What cannot be traced is a usage error, and nothing is run",
      arguments: [
        (["--trace-cell", "batched-5"], "needs `--trace FILE`"),
        (["--trace", "/nowhere/at/all"], "is no directory"),
        (["--trace", "/"], "is a directory"), (["--trace", "x", "--pprof", "x"], "the same file"),
        (
          ["--trace", "x", "--trace-cell", "batched-6"],
          "there is no cell `batched-6`; there are per-element,virtual"
        ),
        (["--trace", "x", "--trace-events", "255"], "from 256 to"),
        (["--trace", "x", Timelines.real], "one scenario"),
      ])
    func refusals(options: [String], words: String) throws {
      let outcome = try BuiltTool.run(["run", Self.virtual, "--out", directory + "/run"] + options)
      #expect(outcome.code == 64)
      #expect(outcome.errors.contains(words))
      #expect(!FileManager.default.fileExists(atPath: directory + "/run"))
    }

    @Test("Lost events are told on the terminal, in the record and in the trace")
    func losses() throws {
      let outcome = try run(
        Self.virtual, "--quiet", "--strategy", "per-element", "--trace", directory + "/a", "--trace-events",
        "1000")
      let lost = try #require(try record().cells.first?.trace?.lost)
      #expect(lost > 1_000)
      #expect(outcome.errors.contains("\(lost) events found no room"))
      #expect(outcome.output.contains("later"))
      #expect(try holds("a", "buffer full: \(lost) later events are missing"))
    }

    @Test("A cell that is killed leaves its timeline until then")
    func killed() throws {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: try #require(BuiltTool.path))
      process.currentDirectoryURL = URL(fileURLWithPath: BuiltTool.root)
      process.arguments = [
        "run", Self.real, "--quiet", "--out", directory + "/run", "--strategy", "per-element", "--trace",
        directory + "/a", "--set", "load.stages.0.for=60s",
      ]
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
      let cell = try #require(child(of: process))
      kill(cell, SIGKILL)
      process.waitUntilExit()
      #expect(process.terminationStatus == ExitCode.invalid.rawValue)
      let trace = try #require(try record().cells.first?.trace)
      #expect(trace.events > 0 && trace.note == "the process ended without ending its trace")
      #expect(try holds("a", "PerElementRegistry #1", "the process ended without ending the trace"))
    }

    /// The cell of a run, once events have been entered into its first chunk.
    private func child(of process: Process) -> pid_t? {
      let trace = directory + "/run/cells/001.trace"
      while process.isRunning {
        usleep(20_000)
        guard let file = FileHandle(forReadingAtPath: trace), let start = Self.chunksOffset(file) else {
          continue
        }
        // The second chunk has been taken.
        try? file.seek(toOffset: start + 256 * 32)
        guard let bytes = try? file.read(upToCount: 32), bytes.contains(where: { $0 != 0 }) else { continue }
        let list = "/proc/\(process.processIdentifier)/task/\(process.processIdentifier)/children"
        let children = (try? String(contentsOfFile: list, encoding: .utf8)) ?? ""
        if let child = children.split(separator: " ").first { return pid_t(child) }
      }
      return nil
    }

    private static func chunksOffset(_ file: FileHandle) -> UInt64? {
      guard let head = try? file.read(upToCount: 56), head.count == 56,
        head.starts(with: Data("WEIRTRC1".utf8))
      else {
        return nil
      }
      return head.suffix(from: 40).prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
  }
}
