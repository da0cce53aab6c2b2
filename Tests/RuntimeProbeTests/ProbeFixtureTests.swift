import Foundation
import Testing

/// Programs of their own under the probe: nothing else runs in them, so their counts are exact to the last.
@Suite("Programs under the probe", .serialized)
struct ProbeFixtureTests {
  static let program: URL = {
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
    return URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent("probe-fixture")
  }()

  /// Runs the fixture; it is killed after a minute.
  private func run(
    _ arguments: [String], program: URL = Self.program
  ) async throws -> (code: Int32, output: String) {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    var environment = ProcessInfo.processInfo.environment
    environment["SWIFT_DETERMINISTIC_HASHING"] = "1"
    process.environment = environment
    let path = NSTemporaryDirectory() + "weir-probe-fixture-\(UUID().uuidString)"
    defer { unlink(path) }
    try Data().write(to: URL(fileURLWithPath: path))
    process.standardOutput = FileHandle(forWritingAtPath: path)
    process.standardError = FileHandle(forWritingAtPath: path)
    try process.run()
    let end = Date() + 60
    // The pool's threads are few, and other tests need them.
    while process.isRunning, Date() < end { try await Task.sleep(for: .milliseconds(5)) }
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    return (process.terminationStatus, try String(contentsOfFile: path, encoding: .utf8))
  }

  @Test("Known work is counted exactly on both clocks", arguments: ["virtual", "real"])
  func counts(clock: String) async throws {
    let (code, output) = try await run(["counts", clock])
    #expect(code == 0, "\(output)")
    #expect(output.split(separator: "\n").count { $0.hasPrefix("exact ") } == KnownWorkload.all.count + 1)
  }

  @Test(
    "Ten leak shapes are named rightly, three sound twins of each not at all", arguments: ["virtual", "real"])
  func shapes(clock: String) async throws {
    let rounds = clock == "virtual" ? 1_000 : 50
    let (code, output) = try await run(["shapes", clock, "\(rounds)", clock == "virtual" ? "1" : "50"])
    #expect(code == 0, "\(output)")
    #expect(output.contains("verdicts \(rounds * 40) wrong 0"))
    if clock == "virtual" { #expect(output.contains("settled after ")) }
  }

  @Test(
    "Callers that come at once wait 0, h, 2h, … within a tenth, whatever executor they or their actor have",
    arguments: Linking.allCases.filter { $0.program != nil })
  func times(linking: Linking) async throws {
    let program = try #require(linking.program)
    let (code, output) = try await run(["times"], program: program)
    #expect(code == 0, "\(output)")
    #expect(output.split(separator: "\n").count { $0.hasPrefix("exact ") } == 5)
  }

  @Test("A task that runs long before its maker has entered it is entered once, with its tag")
  func lateMaker() async throws {
    let (code, output) = try await run(["late-maker"])
    #expect(code == 0, "\(output)")
    #expect(output.contains("exact"))
  }

  @Test(
    "A hop, a value recorded and a draw allocate nothing",
    arguments: Linking.allCases.filter { $0.program != nil })
  func hotPaths(linking: Linking) async throws {
    let program = try #require(linking.program)
    let (code, output) = try await run(["hot-paths"], program: program)
    // Without jemalloc, as under a sanitizer, there is nothing to count with.
    if code == 3 && output.contains("absent: ") { return }
    #expect(code == 0, "\(output)")
    #expect(output.split(separator: "\n").count { $0.hasPrefix("exact ") } == 11)
  }

  /// The two ways in which the fixture is linked with the probe; the wrapped one is built by scripts/test.
  enum Linking: String, CaseIterable, Sendable {
    case interposed, wrapped

    var program: URL? {
      switch self {
      case .interposed: ProbeFixtureTests.program
      case .wrapped:
        ProcessInfo.processInfo.environment["WEIR_PROBE_FIXTURE"].map(URL.init(fileURLWithPath:))
      }
    }
  }

  @Test(
    "A million tasks alive at once and ten million in all are exact and flat",
    .enabled(if: ProcessInfo.processInfo.environment["WEIR_MILLION_TASKS"] != nil))
  func million() async throws {
    let (code, output) = try await run(["million"])
    #expect(code == 0, "\(output)")
  }
}
