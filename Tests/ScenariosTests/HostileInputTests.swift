import Foundation
import Testing

@testable import Scenarios

@Suite("Input that is no scenario")
struct HostileInputTests {
  private func faults(_ bytes: [UInt8]) -> [ScenarioDiagnostic] {
    if case .failure(let errors) = Story.reader.read(bytes: bytes, file: "t.yaml") {
      return errors.diagnostics
    }
    return []
  }

  @Test(
    "a text that is no YAML mapping is refused where it goes wrong",
    arguments: [
      ("", "1:1", "is empty"), ("# nothing\n", "1:1", "is empty"),
      ("just words\n", "1:1", "must be a mapping"),
      ("- a\n", "1:1", "must be a mapping"), ("name: a\n---\nname: b\n", "2:1", "a second document"),
      ("name: [a, b\n", "2:1", "not readable as YAML"), ("name: \"a\n", "1:8", "not readable as YAML"),
      ("a:\n\tb: 1\n", "2:1", "a tab cannot indent"), ("a:\n  - b\n  \tc: 1\n", "3:3", "a tab cannot"),
      ("a: &x 1\nb: *x\n", "1:7", "anchors and aliases"),
      ("a: !!str 1\n", "1:10", "tags"), ("%YAML 1.2\n---\na: 1\n", "1:1", "directives"),
      ("? [a, b]\n: 1\n", "1:3", "a list is no key"), ("*x\n", "1:1", "anchors"),
      ("a: 1\u{0}\n", "1:5", "control character"),
    ])
  func texts(_ text: String, _ place: String, _ message: String) throws {
    let fault = try #require(faults(Array(text.utf8)).first)
    #expect(fault.message.contains(message), "\(fault)")
    #expect("\(fault.line):\(fault.column)" == place, "\(fault)")
  }

  @Test("bytes that are no text are refused with their place")
  func bytes() throws {
    let invalid = try #require(faults(Array("name: é".utf8) + [0xFF, 0x41]).first)
    #expect(invalid.line == 1)
    #expect(invalid.column == 8)
    var state: UInt64 = 1
    for _ in 0..<200 {
      let junk = (0..<512).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 56)
      }
      #expect(!faults(junk).isEmpty)
    }
  }

  @Test("random texts of YAML's own signs neither crash nor hang")
  func signs() {
    let signs = Array("[]{}:,-?&*!|>'\"%@`#~ \n\ta1".utf8)
    var state: UInt64 = 7
    for _ in 0..<2_000 {
      let junk = (0..<64).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return signs[Int(state >> 33) % signs.count]
      }
      #expect(!faults(junk).isEmpty)
    }
  }

  @Test("a scenario with bytes changed or cut out is refused with places in the file, or reads back the same")
  func mutations() throws {
    let original = Array(Story.rapid.utf8)
    var state: UInt64 = 3
    func draw(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    for _ in 0..<300 {
      var bytes = original
      if draw(2) == 0 {
        bytes[draw(bytes.count)] = UInt8(32 + draw(95))
      } else {
        let start = draw(bytes.count)
        bytes.removeSubrange(start..<min(bytes.count, start + 1 + draw(20)))
      }
      switch Story.reader.read(bytes: bytes, file: "m.yaml") {
      case .success(let scenario):
        let again = try Story.reader.read(text: scenario.resolvedText, file: "r.yaml").get()
        #expect(again.resolvedText == scenario.resolvedText)
      case .failure(let errors):
        let lines = bytes.count { $0 == 10 } + 1
        for fault in errors.diagnostics {
          #expect(fault.file == "m.yaml" && (1...lines).contains(fault.line) && fault.column >= 1, "\(fault)")
        }
      }
    }
  }

  @Test("ten megabytes are refused by their size", arguments: ["[", "- ", "{a: ", "? ", "a: ", "%", "x"])
  func tooLarge(_ unit: String) throws {
    let text = String(repeating: unit, count: 10_000_000 / unit.utf8.count)
    let start = ContinuousClock.now
    let fault = try #require(faults(Array(text.utf8)).first)
    #expect(fault.message.contains("too large"))
    #expect(ContinuousClock.now - start < .seconds(5))
  }

  @Test(
    "the largest text that is read is bounded in depth and time",
    arguments: [
      "[", "- ", "{a: ", "? ", "[a,", "!", "\"\\\n", "&a ", "a: b\n", "- a\n", "|\n", "'", "a", "a ", "\n",
      "#%", "]", "'a',", "x, ", "- {", "- ''\n", "gates: [", "a: [1]\n",
    ])
  func deep(_ unit: String) throws {
    let text = String(repeating: unit, count: TextScreening.largest / unit.utf8.count)
    let start = ContinuousClock.now
    let all = faults(Array(text.utf8))
    #expect(!all.isEmpty)
    #expect(all.count <= DiagnosticLog.most)
    #expect(ContinuousClock.now - start < .seconds(20))
    if ["[", "- ", "{a: ", "? "].contains(unit) {
      #expect(all.first?.message.contains("nested too deeply") == true)
    }
    for fault in all { #expect(fault.description.utf8.count < 4_000) }
  }

  @Test("64 levels are read, 65 are not")
  func depth() {
    let open = String(repeating: "[", count: 63), close = String(repeating: "]", count: 63)
    #expect(faults(Array("a: \(open)\(close)".utf8)).first?.message.contains("unknown key") == true)
    #expect(faults(Array("a: [\(open)\(close)]".utf8)).first?.message.contains("nested too deeply") == true)
  }

  @Test("a terminal cannot be driven by a message")
  func escapes() {
    for fault in faults(Array("\u{9B}31m\u{202E}x: 1\n".utf8)) {
      let hasControl = fault.description.unicodeScalars.contains { $0.value == 0x9B || $0.value == 0x202E }
      #expect(!hasControl)
    }
  }

  @Test("files that cannot be read are told by name")
  func files() throws {
    try Scratch.use { scratch in
      func message(_ path: String) -> String {
        if case .failure(let errors) = Story.reader.read(file: path) { return errors.diagnostics[0].message }
        return ""
      }
      #expect(message(scratch.path + "/none.yaml") == "there is no such file")
      #expect(message(scratch.path) == "this is a directory")
      #expect(message("/dev/zero") == "this is no regular file")
      #expect(mkfifo(scratch.path + "/pipe", 0o600) == 0)
      #expect(message(scratch.path + "/pipe") == "this is no regular file")
      #expect(message("") == "there is no such file")
    }
  }
}

@Suite("Finding scenario files")
struct ScenarioFilesTests {
  @Test("directories are searched in order; hidden files, other files and loops of links are passed by")
  func find() throws {
    try Scratch.use { scratch in
      for name in ["b.yaml", "a.yml", "sub/c.yaml", ".hidden.yaml", ".git/x.yaml", "notes.txt"] {
        _ = try scratch.write(name, "")
      }
      try FileManager.default.createSymbolicLink(
        atPath: scratch.path + "/sub/loop", withDestinationPath: scratch.path)
      let found = try ScenarioFiles.find([
        scratch.path, scratch.path + "/b.yaml", scratch.path + "/notes.txt",
      ]).get()
      #expect(
        found.map { String($0.dropFirst(scratch.path.count + 1)) } == [
          "a.yml", "b.yaml", "sub/c.yaml", "notes.txt",
        ])
    }
  }

  @Test("a missing path and a directory without scenarios are faults, told together")
  func faults() throws {
    try Scratch.use { scratch in
      _ = try scratch.write("empty/notes.txt", "")
      guard case .failure(let errors) = ScenarioFiles.find([scratch.path + "/none", scratch.path + "/empty"])
      else {
        Issue.record("this must fail")
        return
      }
      #expect(
        errors.diagnostics.map(\.message) == [
          "there is no such file", "there is no scenario in this directory",
        ])
      #expect(errors.diagnostics.allSatisfy { $0.line == 1 && $0.column == 1 })
    }
  }
}
