import Foundation
import Glibc
import Reports
import RunRecords
import Testing

/// `weir record` with real programs: the debug build beside the tests, the probe preloaded.
@Suite("Recording a program", .serialized)
struct RecordTests {
  struct Recorded {
    var code: Int32
    var output: String
    var errors: String
    var run: RunRecord?
    var cell: CellRecord? { run?.cells.first }
    var reasons: String { run?.reasons.joined(separator: "\n") ?? "" }

    func hops(_ actor: String) -> Int64? { cell?.integer("hops{actor=\(actor)}") }
  }

  static let directory = URL(fileURLWithPath: BuiltTool.debugPath).deletingLastPathComponent().path
  static let program = directory + "/recorded-program"

  /// Records a command line and reads what it left.
  func record(
    _ command: [String], _ options: [String] = [], whileItRuns: ((Process) throws -> Void)? = nil
  ) throws -> Recorded {
    try BuiltTool.withDirectory { directory in
      let process = Process()
      process.executableURL = URL(fileURLWithPath: BuiltTool.debugPath)
      process.arguments = ["record", "--out", directory + "/run"] + options + ["--"] + command
      process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) {
        $1
      }
      process.standardInput = FileHandle.nullDevice
      let files = ["out", "err"].map { directory + "/" + $0 }
      for file in files { try Data().write(to: URL(fileURLWithPath: file)) }
      process.standardOutput = FileHandle(forWritingAtPath: files[0])
      process.standardError = FileHandle(forWritingAtPath: files[1])
      try process.run()
      let end = Date() + 60
      if let whileItRuns {
        while try String(contentsOfFile: files[0], encoding: .utf8).isEmpty, Date() < end { usleep(2_000) }
        try whileItRuns(process)
      }
      while process.isRunning, Date() < end { usleep(2_000) }
      if process.isRunning { kill(process.processIdentifier, SIGKILL) }
      process.waitUntilExit()
      let data = FileManager.default.contents(atPath: directory + "/run/run.json")
      return Recorded(
        code: process.terminationStatus, output: try String(contentsOfFile: files[0], encoding: .utf8),
        errors: try String(contentsOfFile: files[1], encoding: .utf8),
        run: try data.map { try RunJSON.decode($0, path: "run.json") })
    }
  }

  @Test("Hops of a program as it is are exact, and its output is its own", arguments: [1, 500, 20_000])
  func hops(number: Int) throws {
    let recorded = try record([Self.program, "hops", "\(number)"])
    #expect(recorded.code == 0)
    #expect(recorded.output == "counted \(number)\n")
    #expect(recorded.hops("Counter") == Int64(number))
    #expect(recorded.cell?.coverage == .userCode)
    #expect(recorded.run?.verdict == .passed)
    #expect(recorded.reasons.contains("nothing was judged"))
    #expect(recorded.cell?.integer("tasks.created") == 2)
    #expect(recorded.cell?.findings.isEmpty == true)
    #expect(recorded.cell?.integer("actor.wait{actor=Counter}.count") == Int64(number))
    #expect(recorded.errors.hasSuffix("/run\n"))
    #expect(recorded.errors.contains("verdict: passed"))
  }

  @Test(
    "A program's timeline has its actors and functions, whichever way it ends",
    arguments: [("hops", 0, nil), ("killed", 137, "its trace"), ("exec", 0, nil), ("fork", 0, nil)]
      as [(
        String, Int32, String?
      )])
  func timeline(shape: String, code: Int32, note: String?) throws {
    try BuiltTool.withDirectory { directory in
      let trace = directory + "/trace"
      let recorded = try record([Self.program, shape, "200"], ["--trace", trace, "--pprof", trace + ".pb"])
      #expect(recorded.code == code)
      let came = try #require(recorded.cell?.trace)
      // Of each call a departure and an arrival, there and back.
      #expect(came.events >= 800 && came.lost == 0)
      #expect(note.map { came.note?.contains($0) == true } ?? (came.note == nil))
      for (file, texts) in [
        (trace, ["Counter #1", "count(_:)", "real time"]), (trace + ".pb", ["Counter", "hops"]),
      ] {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        for text in texts { #expect(bytes.firstRange(of: Data(text.utf8)) != nil, "\(text)") }
      }
    }
  }

  @Test("What is alive at the end is named with its place of creation")
  func alive() throws {
    let recorded = try record([Self.program, "leak", "10"], ["--quiet"])
    let findings = recorded.cell?.findings ?? []
    #expect(findings.map(\.count).sorted() == [1, 2])
    #expect(findings.allSatisfy { $0.name == "alive-at-end" })
    let places = findings.map { $0.place ?? "" }.sorted()
    #expect(places.first?.hasPrefix("forget() (") == true, "\(places)")
    #expect(places.first?.contains("/Program.swift:") == true, "\(places)")
    #expect(places.last?.hasPrefix("leak() (") == true, "\(places)")
    #expect(findings.first { $0.count == 1 }?.evidence["cancelled"] == 1)
  }

  @Test("Of a killed program the last look is told, and how old it is; of one that ended, its end")
  func age() throws {
    let killed = try record([Self.program, "leak-killed", "10"], ["--quiet"])
    #expect(killed.code == 137)
    let findings = killed.cell?.findings ?? []
    #expect(findings.map(\.count).sorted() == [1, 2], "\(findings)")
    for finding in findings {
      let age = try #require(finding.evidence["seen-before-end-ns"])
      #expect(age >= 0)
      #expect(finding.message.contains("before the program was seen to be gone"))
    }
    let ended = try record([Self.program, "leak", "10"], ["--quiet"])
    for finding in ended.cell?.findings ?? [] {
      #expect(finding.evidence["seen-before-end-ns"] == nil)
      #expect(finding.message.contains("alive when the program ended"))
    }
  }

  @Test(
    "A program's end is passed on, and what was counted is kept",
    arguments: [
      ("status", Int32(10), "exited with 10", Verdict.passed), ("at-once", 3, "exited with 3", .passed),
      ("trap", 132, "SIGILL", .crashed), ("abort", 134, "SIGABRT", .crashed),
      ("killed", 137, "SIGKILL", .crashed),
      ("limited", 153, "SIGXFSZ (25): a file would have grown beyond its limit", .crashed),
      ("ended", 143, "SIGTERM", .passed), ("closed", 4, "exited with 4", .passed),
      ("deaf", 0, "nothing was judged", .passed), ("own-signal", 0, "nothing was judged", .passed),
    ])
  func ends(shape: String, code: Int32, reason: String, verdict: Verdict) throws {
    let recorded = try record([Self.program, shape, "10"], ["--quiet"])
    #expect(recorded.code == code)
    #expect(recorded.reasons.contains(reason), "\(recorded.reasons)")
    #expect(recorded.run?.verdict == verdict)
    #expect((recorded.hops("Counter") ?? 0) >= 10)
  }

  @Test("Children run without the probe; an exec is followed, or its end is named")
  func children() throws {
    let forked = try record([Self.program, "fork", "10"], ["--quiet"])
    #expect(forked.output == "child: no preload\nparent\n")
    #expect(forked.reasons.contains("forked once"))
    #expect(forked.hops("Counter") == 10)
    #expect(
      try record([Self.program, "spawn", "10"], ["--quiet"]).output == "child: no preload no request\n")
    let followed = try record([Self.program, "exec", "10"], ["--quiet"])
    #expect(followed.hops("Counter") == 20)
    #expect(followed.reasons.contains("turned itself into recorded-program"))
    let lost = try record([Self.program, "exec-other", "10"], ["--quiet"])
    #expect(lost.code == 9)
    #expect(lost.output == " gone\n")
    #expect(lost.hops("Counter") == 10)
    #expect(lost.reasons.contains("turned itself into sh"))
    #expect(lost.reasons.contains("what came after it was not counted"))
    let failed = try record([Self.program, "exec-missing", "10"], ["--quiet"])
    #expect(failed.output == "still here\n")
    #expect(!failed.reasons.contains("turned itself"))
  }

  @Test("A window leaves out what lies before and after it")
  func windows() throws {
    let own = try record([Self.program, "windows", "10"], ["--quiet"])
    #expect(own.hops("Counter") == 77)
    #expect(own.reasons.contains("one window"))
    // Waits, holds and routes likewise; more calls came before and after.
    #expect(own.cell?.integer("actor.wait{actor=Counter}.count") == 77)
    #expect(own.cell?.integer("hops.from{route=generic->Counter}") == 77)
    let wait = try #require(own.cell?.metrics["actor.busy{actor=Counter}"])
    #expect(wait.double >= 0 && wait.double < 1)
    let two = try record([Self.program, "two-windows", "10"], ["--quiet"])
    #expect(two.reasons.contains("2 windows"), "\(two.reasons)")
    #expect(two.hops("Counter") == 110)
    #expect(two.cell?.integer("actor.wait{actor=Counter}.count") == 110)
    // Only the second has a hold of 20 ms, the one outside of 60 ms is not there.
    let longest = try #require(two.cell?.integer("actor.hold{actor=Slow}.max"))
    #expect(two.cell?.integer("actor.wait{actor=Slow}.count") == 1)
    #expect(longest >= 20_000_000 && longest < 60_000_000)
    let open = try record([Self.program, "open-window", "10"], ["--quiet"])
    #expect(open.reasons.contains("never closed"), "\(open.reasons)")
    #expect(open.cell?.integer("actor.wait{actor=Counter}.count") == open.hops("Counter"))
    #expect(open.hops("Counter") == 43)
    let outside = try record([Self.program, "busy", "100"], ["--quiet"]) { process in
      for _ in 0..<2 {
        kill(process.processIdentifier, SIGUSR1)
        usleep(200_000)
      }
    }
    #expect(outside.reasons.contains("one window of"), "\(outside.reasons)")
    #expect((10..<900).contains(outside.hops("Counter") ?? 0))
  }

  @Test("Recording stops in time, the program does not")
  func limit() throws {
    let recorded = try record([Self.program, "busy", "60"], ["--quiet", "--for", "200ms"])
    #expect(recorded.code == 0)
    #expect(recorded.reasons.contains("recording was stopped after"), "\(recorded.reasons)")
    #expect((60 + 10..<60 + 590).contains(recorded.hops("Counter") ?? 0))
    #expect((recorded.cell?.integer("wall") ?? 0) > 600_000_000)
  }

  @Test("A signal to weir alone is passed on, and what was alive then is named")
  func interrupted() throws {
    let recorded = try record([Self.program, "wait", "10"], ["--quiet"]) { process in
      usleep(300_000)
      kill(process.processIdentifier, SIGINT)
    }
    #expect(recorded.code == 130)
    #expect(recorded.reasons.contains("SIGINT"))
    #expect(recorded.cell?.findings.map(\.count).sorted() == [1, 2], "\(recorded.cell?.findings ?? [])")
  }

  @Test(
    "Programs that cannot be counted run as they would, and it is said why",
    arguments: [
      (["/bin/true"], Int32(0), "has not loaded the Swift concurrency runtime"),
      (["/bin/sh", "-c", "exit 5"], 5, "has not loaded the Swift concurrency runtime"),
    ])
  func others(command: [String], code: Int32, reason: String) throws {
    let recorded = try record(command, ["--quiet"])
    #expect(recorded.code == code)
    #expect(recorded.errors.isEmpty)
    #expect(recorded.reasons.contains(reason))
    #expect(recorded.run?.verdict == .invalid)
    #expect(recorded.cell?.coverage == .absent)
    #expect(recorded.cell?.absent["hops"] != nil)
    #expect(recorded.cell?.integer("rss.peak") != nil)
  }

  @Test("A script is followed into the program that it becomes")
  func script() throws {
    try BuiltTool.withDirectory { directory in
      let path = directory + "/script"
      try "#!/bin/sh\nexec '\(Self.program)' hops 30\n".write(toFile: path, atomically: true, encoding: .utf8)
      chmod(path, 0o755)
      let recorded = try record([path], ["--quiet"])
      #expect(recorded.output == "counted 30\n")
      #expect(recorded.hops("Counter") == 30)
    }
  }

  @Test("Files that are no program of this machine are told apart before anything starts")
  func files() throws {
    try BuiltTool.withDirectory { directory in
      let path = directory + "/foreign"
      var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "/bin/true")).prefix(4096))
      bytes[18] = 0xB7
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      chmod(path, 0o755)
      let foreign = try record([path], ["--quiet"])
      #expect(foreign.code == 126)
      chmod(path, 0o644)
      #expect(try record([path], ["--quiet"]).code == 126)
      #expect(try record([directory], ["--quiet"]).code == 126)
      #expect(try record([directory + "/nothing"], ["--quiet"]).code == 127)
      #expect(try record(["/bin/true"], ["--probe", "/nothing"]).code == 125)
      #expect(try record(["/bin/true"], ["--what"]).code == 125)
    }
  }

  @Test(
    "A time to record for that is none, or more than there can be, is refused, and nothing is started",
    arguments: [
      "3", "0s", "-1s", "1e3s", "2562048h", "5124096h", "2562047.9h", "9223372037s",
      "99999999999999999999999ns",
    ])
  func times(text: String) throws {
    let recorded = try record(["/bin/echo", "started"], ["--for", text])
    #expect(recorded.code == 125)
    #expect(recorded.errors.contains("`--for` takes a time above 0 with its unit"), "\(recorded.errors)")
    #expect(recorded.errors.contains("not `\(text)`"))
    #expect(recorded.output.isEmpty && recorded.run == nil)
  }

  @Test("The longest time that there is to record for never comes")
  func longestTime() throws {
    let recorded = try record([Self.program, "hops", "10"], ["--quiet", "--for", "2562047h"])
    #expect(recorded.code == 0)
    #expect(recorded.hops("Counter") == 10)
    #expect(!recorded.reasons.contains("stopped after"), "\(recorded.reasons)")
  }

  @Test("The library loads where no Swift is, also when everything is bound at once")
  func bareLibrary() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/true")
    process.environment = ["LD_PRELOAD": Self.directory + "/libweir-probe.so", "LD_BIND_NOW": "1"]
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(errors.fileHandleForReading.readDataToEndOfFile().isEmpty)
  }
}
