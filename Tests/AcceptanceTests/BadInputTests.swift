import Foundation
import RunRecords
import Testing

extension AcceptanceTests {
  @Suite("Bad input") struct BadInputTests {
    static let sound = """
      name: sound
      pipeline: registry
      load:
        model: open
        stages:
          - { for: 1s, rate: 1/s }

      """

    static let cases: [(what: String, text: String, places: [String])] = [
      ("unknown key", sound + "colour: red\n", [":7:1"]),
      ("wrong unit", sound.replacing("1/s", with: "1s"), [":6:24"]),
      ("duplicate key", sound + "name: again\n", [":7:1"]),
      ("batch size 0", sound + "strategies:\n  - batched: { size: 0 }\n", [":8:22"]),
      ("empty stages", "name: a\npipeline: registry\nload:\n  model: open\n  stages: []\n", [":5:11"]),
      ("a gate with a slip", sound + "gates:\n  - hopps == 1\n", [":8:5"]),
      ("two strategies of one name", sound + "strategies:\n  - locked\n  - locked\n", [":9:5"]),
      (
        "several at once",
        sound + "colour: red\nstrategies:\n  - batched: { size: 0 }\ngates:\n  - hopps == 1\n",
        [":7:1", ":9:22", ":11:5"]
      ),
    ]

    @Test("is refused with 64, each error with its place, and nothing is run", arguments: cases.indices)
    func refused(index: Int) throws {
      let (what, text, places) = Self.cases[index]
      try refuse(Data(text.utf8), what: what, places: places)
    }

    @Test("binary junk, 10 MB of nesting and an empty file are refused alike")
    func hostile() throws {
      var junk = Data(count: 100_000)
      for index in junk.indices { junk[index] = UInt8(truncatingIfNeeded: index &* 167 &+ index >> 8) }
      try refuse(junk, what: "junk", places: [":"])
      try refuse(Data(String(repeating: "[", count: 10_000_000).utf8), what: "brackets", places: [":1:"])
      try refuse(Data(String(repeating: "- ", count: 5_000_000).utf8), what: "dashes", places: [":1:"])
      try refuse(Data(), what: "empty", places: [":1:1"])
    }

    @Test("a missing file and a directory without YAML are refused")
    func nothingThere() throws {
      try BuiltTool.withDirectory { directory in
        for path in [directory + "/missing.yaml", directory] {
          let outcome = try BuiltTool.run(["run", path, "--out", directory + "/out"])
          #expect(outcome.code == ExitCode.usage.rawValue)
          #expect(outcome.errors.contains(path))
          #expect(!FileManager.default.fileExists(atPath: directory + "/out"))
        }
      }
    }

    private func refuse(_ content: Data, what: String, places: [String]) throws {
      try BuiltTool.withDirectory { directory in
        let file = directory + "/scenario.yaml"
        try content.write(to: URL(fileURLWithPath: file))
        let outcome = try BuiltTool.run(["run", file, "--out", directory + "/out"])
        #expect(outcome.code == ExitCode.usage.rawValue, "\(what): \(outcome.code)")
        for place in places {
          #expect(outcome.errors.contains("scenario.yaml" + place), "\(what): \(outcome.errors.prefix(2000))")
        }
        #expect(!FileManager.default.fileExists(atPath: directory + "/out"), "\(what)")
      }
    }
  }
}
