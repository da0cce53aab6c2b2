import Foundation
import Glibc
import RunRecords
import Testing

@testable import WeirCLI

/// Records that somebody has written in: `weir report` believes none of them.
@Suite(
  "Records that were altered, cut off, or are not whole", .enabled(if: BuiltTool.path != nil), .serialized)
struct AlteredRecordTests {
  private static let scenario = """
    name: kept
    pipeline: registry
    clock: virtual
    load: { model: open, stages: [ { for: 1s, rate: 20/s } ] }
    strategies:
      - per-element
      - batched: { size: 5 }
    gates:
      - hops{role=registry} / elements.stored <= 0.2 for batched-5
      - elements.lost == 0
      - latency.iteration.p50 < 10ns
    """

  private typealias Tree = [String: Any]

  /// Runs the scenario once and gives its run directory and its record to `body`.
  private func withRun(_ text: String = scenario, _ body: (String, Tree) throws -> Void) throws {
    try BuiltTool.withScenario(text) { directory in
      _ = try BuiltTool.run(["run", "scenario.yaml", "--out", "out", "--quiet"], in: directory)
      let data = Data(try FileSystem.bytes(directory + "/out/run.json"))
      try body(directory + "/out", try #require(try JSONSerialization.jsonObject(with: data) as? Tree))
    }
  }

  private func report(_ record: Any, in directory: String) throws -> BuiltTool.Outcome {
    let data = try JSONSerialization.data(withJSONObject: record, options: [.fragmentsAllowed])
    try FileSystem.write(Array(data), to: directory + "/run.json")
    return try BuiltTool.run(["report", directory])
  }

  /// Changes the value at a path of keys and indices.
  private func edit(_ value: Any, _ path: [Any], _ change: (Any?) -> Any?) -> Any? {
    guard let first = path.first else { return change(value) }
    let rest = Array(path.dropFirst())
    if let key = first as? String, var tree = value as? Tree {
      tree[key] = tree[key].map { edit($0, rest, change) } ?? change(nil)
      return tree
    }
    if let index = first as? Int, var list = value as? [Any], list.indices.contains(index) {
      if let new = edit(list[index], rest, change) { list[index] = new } else { list.remove(at: index) }
      return list
    }
    return value
  }

  @Test("A record as the run left it is believed, whichever verdict it has")
  func untouched() throws {
    try withRun { directory, record in
      let outcome = try report(record, in: directory)
      #expect(outcome.code == ExitCode.failed.rawValue, "\(outcome.output)")
      #expect(!outcome.output.contains("altered"))
    }
  }

  @Test("What was cut out or written over by hand is no pass, and is named")
  func altered() throws {
    let passed = { (_: Any?) -> Any? in "passed" }
    let edits: [(String, [([Any], (Any?) -> Any?)])] = [
      ("the verdict", [(["verdict"], passed)]),
      ("verdict and gates", [(["verdict"], passed), (["gates"], { _ in [Any]() })]),
      (
        "a gate's verdict",
        [(["verdict"], passed), (["gates", 3, "verdict"], passed), (["gates", 4, "verdict"], passed)]
      ),
      ("a gate's figure", [(["gates", 1, "actual"], { _ in 5 })]),
      ("a cell", [(["cells", 1], { _ in nil })]),
      ("a cell and its number", [(["cells", 1], { _ in nil }), (["cellsPlanned"], { _ in 1 })]),
      ("all cells", [(["cells"], { _ in [Any]() }), (["gates"], { _ in [Any]() }), (["verdict"], passed)]),
      ("a cell twice", [(["cells"], { cells in (cells as? [Any]).map { $0 + [$0[0]] } })]),
      ("a cell's name", [(["cells", 1, "strategy"], { _ in "locked" })]),
      ("a figure", [(["cells", 0, "metrics", "latency.iteration.p99"], { _ in 5 })]),
      ("a count", [(["cells", 0, "metrics", "iterations.completed"], { _ in 7 })]),
      ("a figure taken out", [(["cells", 0, "metrics", "latency.iteration.p50"], { _ in nil })]),
      (
        "a finding put in",
        [
          (
            ["cells", 0, "findings"],
            { _ in
              [
                [
                  "name": "orphaned-task", "count": 1, "message": "", "evidence": Tree(),
                  "iterations": [Any](),
                  "isExpected": false,
                ] as Tree
              ]
            }
          )
        ]
      ),
      ("a graver verdict", [(["verdict"], { _ in "crashed" })]),
      ("the seed", [(["scenario", "seed"], { _ in 4 })]),
      ("the scenario", [(["scenario", "resolved"], { _ in "name: x" })]),
      ("that it was recorded", [(["scenario", "loadModel"], { _ in "recorded" }), (["verdict"], passed)]),
      (
        "that it was recorded, and the gates",
        [
          (["scenario", "loadModel"], { _ in "recorded" }), (["verdict"], passed),
          (["gates"], { _ in [Any]() }),
        ]
      ),
    ]
    try withRun { directory, record in
      for (name, changes) in edits {
        let altered = changes.reduce(record as Any) { tree, change in edit(tree, change.0, change.1) ?? tree }
        let outcome = try report(altered, in: directory)
        #expect(outcome.code == ExitCode.invalid.rawValue, "\(name): \(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("record altered or incomplete: "), "\(name)")
        #expect(outcome.output.hasSuffix("\nverdict: invalid\n"), "\(name)")
        #expect(try FileSystem.read(directory + "/verdict.txt") == "invalid\n", "\(name)")
      }
    }
  }

  @Test(
    "Runs of every shape are believed as they are: sweeps, steps, repetitions, flaws, left-out gates, a stop")
  func shapes() throws {
    let base = "name: a\npipeline: registry\nload: { model: closed, users: 1, iterations: 2 }\n"
    let gate = "strategies:\n  - per-element\n  - batched: { size: 5 }\ngates: [ hops > 0 for batched-5 ]\n"
    let cases: [(String, [String])] = [
      (base.replacing("users: 1, ", with: "users: [1, 2, 4], "), []),
      (base + gate, ["--strategy", "per-element"]), (base + gate + "repetitions: 3\n", []),
      (base + "cancel: { at-step: each }\ngates: [ steps.failed == 0, hops > 0 ]\n", []),
      (base + "cancel: { at-step: each }\ngates: [ steps.failed == 0 ]\n", ["--set", "cancel.at-step=3"]),
      // A rate that is a whole number comes back from JSON as one.
      (base + "clock: [real, virtual]\ngates: [ throughput > 0/s, goodput >= 0/s ]\nobjective: 1s\n", []),
    ]
    for (text, options) in cases {
      try BuiltTool.withScenario(text) { directory in
        let run = try BuiltTool.run(
          ["run", "scenario.yaml", "--out", "out", "--quiet"] + options, in: directory)
        guard run.code != ExitCode.usage.rawValue else { return }
        let report = try BuiltTool.run(["report", "out"], in: directory)
        #expect(report.code == run.code && !report.output.contains("altered"), "\(text): \(report.output)")
      }
    }
  }

  @Test("Whatever is done to a record, it is refused, invalid or told as it is: never a crash, never silence")
  func fuzzed() throws {
    try withRun { directory, record in
      var draws = Draws(state: 7)
      for number in 0..<150 {
        let path = draws.path(in: record)
        let odd = draws.oddity()
        let altered = edit(record, path, { old in odd(old) }) ?? record
        let outcome = try report(altered, in: directory)
        try check(outcome, "change \(number) at \(path)")
      }
    }
  }

  @Test("A record that is cut off, empty, a link in a circle or no record at all is refused with a sentence")
  func cutOff() throws {
    try withRun { directory, _ in
      let bytes = try FileSystem.bytes(directory + "/run.json")
      for count in stride(from: 0, to: bytes.count - 2, by: max(1, bytes.count / 40)) {
        try FileSystem.write(Array(bytes[..<count]), to: directory + "/run.json")
        let outcome = try BuiltTool.run(["report", directory])
        #expect(outcome.code == ExitCode.usage.rawValue, "cut at \(count): \(outcome.output)")
        #expect(outcome.errors.contains("run.json"))
      }
      let text = String(decoding: bytes, as: UTF8.self)
      let huge = text.replacing(
        "\"cellsPlanned\" : 2", with: "\"cellsPlanned\" : 2, \"cellsPlanned\" : 1e400")
      for other in ["[]", "null", "{}", String(repeating: "[", count: 100_000), "\u{0}\u{1}", huge] {
        try FileSystem.write(other, to: directory + "/run.json")
        try check(try BuiltTool.run(["report", directory]), String(other.prefix(20)))
      }
      unlink(directory + "/run.json")
      symlink("run.json", directory + "/run.json")
      #expect(try BuiltTool.run(["report", directory]).code == ExitCode.usage.rawValue)
      unlink(directory + "/run.json")
      symlink("/dev/zero", directory + "/run.json")
      #expect(try BuiltTool.run(["report", directory]).code == ExitCode.usage.rawValue)
    }
  }

  @Test("What a killed run left is read with the same care")
  func leftRun() throws {
    try withRun { directory, record in
      try FileSystem.makeDirectory(directory + "/cells")
      var draws = Draws(state: 11)
      let odd = ["{}", "[1,2", "null", "{\"record\":{}}", ""]
      for number in 0..<12 {
        for name in ["001.plan.json", "001.result.json", "002.plan.json", "999.plan.json", "001.probe"] {
          try FileSystem.write(odd[Int(draws.next() % UInt64(odd.count))], to: "\(directory)/cells/\(name)")
        }
        let outcome = try report(record, in: directory)
        try check(outcome, "left \(number)")
        #expect(outcome.code != 0)
        try FileSystem.makeDirectory(directory + "/cells")
      }
    }
  }

  private func check(_ outcome: BuiltTool.Outcome, _ what: String) throws {
    let codes: Set<Int32> = [0, 1, 2, 3, 4, 5, 6, 7, 8, 64, 130]
    #expect(codes.contains(outcome.code), "\(what): \(outcome.code) \(outcome.errors)")
    #expect(!(outcome.output + outcome.errors).isEmpty, "\(what)")
    // The record's own verdict is `failed`: nothing that is done to it makes it pass.
    #expect(outcome.code != 0, "\(what): \(outcome.output.suffix(300))")
  }
}

/// Draws that follow a seed alone.
private struct Draws {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state >> 33
  }

  /// A path to some value of a tree.
  mutating func path(in value: Any) -> [Any] {
    if let tree = value as? [String: Any], !tree.isEmpty, next() % 5 != 0 {
      let key = tree.keys.sorted()[Int(next() % UInt64(tree.count))]
      return [key] + path(in: tree[key] ?? 0)
    }
    if let list = value as? [Any], !list.isEmpty, next() % 5 != 0 {
      let index = Int(next() % UInt64(list.count))
      return [index] + path(in: list[index])
    }
    return []
  }

  /// What is put in the place of a value.
  mutating func oddity() -> (Any?) -> Any? {
    let odd: [Any?] = [
      nil, NSNull(), -1, 0, Int64.max, Int64.min, UInt64.max, 1e308, -1e308, 1e18, 0.5, true, "", "passed",
      "\u{0}\u{1B}[2J",
      String(repeating: "x", count: 5_000), [Any](), [String: Any](), [[1], [2, 3]], ["a": ["b": 1]],
    ]
    let pick = Int(next() % UInt64(odd.count + 1))
    if pick == odd.count { return { old in (old as? [Any]).map { $0 + $0 } ?? old } }
    return { _ in odd[pick] }
  }
}
