import Foundation
import Glibc
import RuntimeProbe
import Testing

@testable import WeirCLI

@Suite("Progress")
struct ProgressDisplayTests {
  @Test("A cell that has told nothing is starting; later it is where it says")
  func place() {
    var progress = ProgressBlock()
    #expect(ProgressText.place(progress) == "starting 0.0 s")
    progress.phase = "load"
    progress.cellTime = 1_240_000_000
    #expect(ProgressText.place(progress) == "load 1.2 s")
    progress.plannedEnd = 2_000_000_000
    #expect(ProgressText.place(progress) == "load 1.2 s of 2.0 s")
    progress.cellTime = 2_500_000_000
    #expect(ProgressText.place(progress) == "draining for 0.5 s")
  }

  @Test(
    "On a terminal each cell is told as starting, before and after its process is there",
    .enabled(if: BuiltTool.path != nil))
  func starting() throws {
    let text = """
      name: small
      pipeline: registry
      clock: virtual
      repetitions: 5
      load: { model: closed, users: 1, iterations: 2 }
      """
    try BuiltTool.withScenario(text) { directory in
      let lines = try onTerminal(["run", "scenario.yaml", "--out", "out", "--jobs", "1"], in: directory)
        .split(whereSeparator: \.isNewline)
      for number in 1...5 {
        let title = "small: run \(number) of 5 · per-element · virtual · #\(number)"
        let begun = lines.firstIndex { $0.hasSuffix(title) }
        #expect(begun.map { lines[$0 + 1] } == "starting", "\(lines)")
      }
      // A look at one whose process has not come so far as to tell anything.
      #expect(lines.contains { $0.hasSuffix(" · starting 0.0 s") }, "\(lines)")
    }
  }

  /// What the tool writes to a terminal behind its standard error.
  private func onTerminal(_ arguments: [String], in directory: String) throws -> String {
    let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var (locked, number): (Int32, Int32) = (0, 0)
    // TIOCSPTLCK and TIOCGPTN, which are macros that Swift does not see.
    #expect(ioctl(terminal, 0x4004_5431, &locked) == 0 && ioctl(terminal, 0x8004_5430, &number) == 0)
    let name = "/dev/pts/\(number)"
    let end = open(name, O_RDWR | O_NOCTTY)
    try #require(end >= 0)
    var size = winsize(ws_row: 24, ws_col: 120, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(end, UInt(TIOCSWINSZ), &size)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: BuiltTool.path ?? "/nonexistent")
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: directory)
    process.environment = ProcessInfo.processInfo.environment.merging(["TERM": "xterm"]) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle(fileDescriptor: end, closeOnDealloc: false)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    close(end)
    // Read while it runs: a terminal that nobody reads from stops who writes to it. At its end nobody holds the other
    // side, and reading fails.
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while case let count = read(terminal, &buffer, buffer.count), count > 0 || (count < 0 && errno == EINTR) {
      bytes += buffer[..<max(0, count)]
    }
    close(terminal)
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
  }
}
