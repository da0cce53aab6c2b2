import Foundation
import Glibc
import RunRecords
import Testing

@testable import WeirCLI

@Suite("Baseline files are checked before anything is run")
struct BaselineFileTests {
  private static let sound = """
    {"build":"debug","cells":[{"clock":"virtual","coverage":"whole-runtime","figures":{"hops":[1]},
    "strategy":"a","variant":"sound"}],"conditions":"","format":"weir-baseline/2","made":"","processor":"",
    "scenario":"small","toolchain":""}
    """

  private func inside(_ body: (String) throws -> Void) throws {
    let directory = FileManager.default.temporaryDirectory.path + "/baseline-\(UUID().uuidString)"
    try FileSystem.makeDirectory(directory)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try body(directory)
  }

  /// What is said of a text in a baseline's place.
  private func message(_ text: String) throws -> String {
    do {
      _ = try BaselineFile.decode(Array(text.utf8), "kept/small.json")
      return ""
    } catch {
      #expect(error.message.contains("kept/small.json") && error.message.contains("--save-baseline"))
      for word in ["Error", "codingPath", "Swift", "Foundation"] { #expect(!error.message.contains(word)) }
      return error.message
    }
  }

  @Test("A sound one is read")
  func reads() throws {
    #expect(try BaselineFile.decode(Array(Self.sound.utf8), "x").cells.count == 1)
  }

  @Test(
    "A broken one is told in a plain sentence",
    arguments: [
      ("", "is empty"), (" \n", "is empty"), ("{", "not JSON"), ("\u{1}\u{7F}random", "not JSON"),
      ("{}", "no `format`"), ("[]", "no `format`"), ("null", "no `format`"), ("7", "no `format`"),
      ("{\"format\":3}", "no `format`"), ("{\"format\":\"weir-run/1\"}", "its format is `weir-run/1`"),
      ("{\"format\":\"weir-baseline/99\"}", "`weir-baseline/99`; this weir reads"),
      ("{\"format\":\"weir-baseline/2\"}", "is damaged"),
    ])
  func broken(text: String, fault: String) throws {
    #expect(try message(text).contains(fault), "\(text)")
  }

  @Test("So is one with a part missing, emptied or of another kind")
  func damaged() throws {
    for (part, other, fault) in [
      ("[1]", "[null]", "figures.hops"), ("[1]", "null", "figures.hops"),
      ("[1]", "[]", "hops of a has no figure"),
      ("[1]", "[\"1\"]", "figures.hops"), ("{\"hops\":[1]}", "{}", "a has no figures"),
      ("\"strategy\":\"a\",", "", "strategy"), ("\"small\"", "7", "scenario"),
    ] {
      let text = try message(Self.sound.replacing(part, with: other))
      #expect(text.contains("is damaged") && text.contains(fault), "\(other): \(text)")
    }
    for length in stride(from: 1, to: Self.sound.count - 1, by: 7) {
      #expect(try message(String(Self.sound.prefix(length))) != "", "\(length)")
    }
  }

  @Test("Nothing but a regular file is opened, and one of another scenario is refused")
  func kinds() throws {
    try inside { directory in
      let path = directory + "/small.json"
      #expect(try BaselineFile.read(path, of: "small") == nil)
      #expect(mkfifo(path, 0o600) == 0)
      #expect(throws: UsageError.self) { try BaselineFile.read(path, of: "small") }
      FileSystem.remove(path)
      try FileSystem.makeDirectory(path)
      #expect(throws: UsageError.self) { try BaselineFile.read(path, of: "small") }
      #expect(throws: UsageError.self) { try BaselinePlace.check(directory, files: [path]) }
      rmdir(path)
      try FileSystem.write(Self.sound, to: path)
      #expect(try BaselineFile.read(path, of: "small")?.scenario == "small")
      #expect(throws: UsageError.self) { try BaselineFile.read(path, of: "other") }
      #expect(throws: UsageError.self) { try BaselineFile.read(path + "/below", of: "small") }
    }
  }

  @Test("A place that cannot be written is refused, and trying one leaves nothing")
  func places() throws {
    try inside { directory in
      try FileSystem.write("", to: directory + "/file")
      for place in ["/file", "/file/below", "/file/a/b"] {
        #expect(throws: UsageError.self) { try BaselinePlace.check(directory + place, files: []) }
      }
      #expect(throws: UsageError.self) { try BaselinePlace.check("/proc/kept", files: []) }
      try BaselinePlace.check(directory + "/a/b/", files: [])
      try BaselinePlace.check(directory, files: [directory + "/file"])
      #expect(FileSystem.names(in: directory) == ["file"])
    }
  }
}
