import Foundation
import Glibc
import Reports
import RunRecords
import Synchronization

/// The tool as `scripts/weir` builds it, run as people run it. Its path comes from `scripts/test` in
/// WEIR_BINARY; without it these tests are skipped.
enum BuiltTool {
  static let path = ProcessInfo.processInfo.environment["WEIR_BINARY"]
  static let isThere = path != nil

  /// The debug build beside the tests: dynamic standard library, probe interposed by definition.
  static let debugPath: String = {
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
    return URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent("weir").path
  }()

  /// The top of the repository.
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  struct Outcome {
    var code: Int32
    var output: String
    var errors: String
  }

  /// Runs the tool to its end, with a limit after which it is killed and the code is that of SIGKILL.
  static func run(_ arguments: [String], tool: String? = nil, limit: Double = 240) throws -> Outcome {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: tool ?? path ?? "/nonexistent")
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: root)
    process.standardInput = FileHandle.nullDevice
    // Files, not pipes: a pipe that nobody drains would stop it.
    let stem = NSTemporaryDirectory() + "weir-acceptance-\(UUID().uuidString)"
    defer { for suffix in [".out", ".err"] { unlink(stem + suffix) } }
    for suffix in [".out", ".err"] { try Data().write(to: URL(fileURLWithPath: stem + suffix)) }
    process.standardOutput = FileHandle(forWritingAtPath: stem + ".out")
    process.standardError = FileHandle(forWritingAtPath: stem + ".err")
    try process.run()
    let end = Date() + limit
    while process.isRunning, Date() < end { usleep(5_000) }
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    let code =
      process.terminationReason == .uncaughtSignal
      ? 128 + process.terminationStatus : process.terminationStatus
    return Outcome(
      code: code, output: try String(contentsOfFile: stem + ".out", encoding: .utf8),
      errors: try String(contentsOfFile: stem + ".err", encoding: .utf8))
  }

  private static let known = Mutex<[String: (code: Int32, run: RunRecord)]>([:])

  /// Runs one scenario and returns what it left, the exit code beside it. A run that another test has made
  /// already is not made again.
  static func record(
    _ scenario: String, _ options: [String] = [], tool: String? = nil
  ) throws -> (code: Int32, run: RunRecord) {
    let key = ([tool ?? "", scenario] + options).joined(separator: "\n")
    if let record = known.withLock({ $0[key] }) { return record }
    let record = try freshRecord(scenario, options, tool: tool)
    known.withLock { $0[key] = record }
    return record
  }

  /// Runs one scenario, whether or not it was run before. A run that the tool itself calls invalid, since the
  /// machine was too busy to deliver the load, proves nothing either way: it is made again, three times at most.
  static func freshRecord(
    _ scenario: String, _ options: [String] = [], tool: String? = nil
  ) throws -> (code: Int32, run: RunRecord) {
    var last = try oneRecord(scenario, options, tool: tool)
    for _ in 0..<2 where last.code == ExitCode.invalid.rawValue {
      last = try oneRecord(scenario, options, tool: tool)
    }
    return last
  }

  private static func oneRecord(
    _ scenario: String, _ options: [String], tool: String?
  ) throws -> (code: Int32, run: RunRecord) {
    try withDirectory { directory in
      let out = directory + "/run"
      let outcome = try run(["run", scenario, "--quiet", "--out", out] + options, tool: tool)
      let path = out + "/run.json"
      guard let data = FileManager.default.contents(atPath: path) else {
        throw NoRecord(message: "\(scenario): exit \(outcome.code), no run.json\n\(outcome.errors)")
      }
      return (outcome.code, try RunJSON.decode(data, path: path))
    }
  }

  struct NoRecord: Error, CustomStringConvertible {
    let message: String
    var description: String { message }
  }

  /// A directory of its own, removed at the end.
  static func withDirectory<Value>(_ body: (String) throws -> Value) throws -> Value {
    let directory = NSTemporaryDirectory() + "weir-acceptance-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    return try body(directory)
  }

  /// The text of a committed scenario.
  static func text(_ scenario: String) throws -> String {
    try String(contentsOfFile: root + "/" + scenario, encoding: .utf8)
  }

  /// The committed scenarios below a folder of `Scenarios`, as paths from the top of the repository.
  static func scenarios(in folder: String = "") -> [String] {
    let base = root + "/Scenarios/" + folder
    let names = FileManager.default.enumerator(atPath: base)?.compactMap { $0 as? String } ?? []
    return names.filter { $0.hasSuffix(".yaml") }.sorted()
      .map { "Scenarios/" + (folder.isEmpty ? "" : folder + "/") + $0 }
  }
}

extension CellRecord {
  /// A whole-number figure; nil when it is absent.
  func integer(_ name: String) -> Int64? {
    if case .integer(let value)? = metrics[name] { value } else { nil }
  }
}

/// Threads that keep both cores busy while `body` runs.
func besideBusyThreads<Value>(_ body: () throws -> Value) rethrows -> Value {
  let isDone = SharedFlag()
  for _ in 0..<2 {
    Thread.detachNewThread {
      var value: UInt64 = 1
      while !isDone.isSet { for _ in 0..<100_000 { value = value &* 6_364_136_223_846_793_005 &+ 1 } }
      withExtendedLifetime(value) {}
    }
  }
  defer { isDone.set() }
  return try body()
}

/// A flag that any thread may set.
private final class SharedFlag: Sendable {
  private let value = Atomic(false)
  var isSet: Bool { value.load(ordering: .relaxed) }
  func set() { value.store(true, ordering: .relaxed) }
}
