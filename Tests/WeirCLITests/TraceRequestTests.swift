import Scenarios
import Testing
import WorkloadInterface

@testable import WeirCLI

@Suite("Which cell is traced")
struct TraceRequestTests {
  private static let workload = WorkloadDeclaration(
    name: "pipe", about: "",
    strategies: [
      StrategyDeclaration(name: "per-element", about: ""), StrategyDeclaration(name: "batched", about: ""),
    ], providers: [])

  private func cells(_ more: String) throws -> [CellPlan] {
    let text = "name: a\npipeline: pipe\nstrategies: [per-element, batched]\n\(more)\n"
    return try ScenarioReader(workloads: [Self.workload]).read(text: text, file: "a.yaml").get().cells()
  }

  private static let sweep =
    "clock: [virtual, real]\nrepetitions: 2\nload: { model: closed, users: [1, 4, 16], for: 10s }"

  private func name(_ text: String?, _ cells: [CellPlan]) throws -> String {
    try TraceRequest.cell(text, among: cells).traceName
  }

  @Test("a sweep's cells go by their users, in any order of words")
  func sweep() throws {
    let cells = try cells(Self.sweep)
    #expect(cells.count == 24)
    for text in [
      "batched,real,16,#1", "batched,real,16", "batched,real,users=16", "16, real ,batched",
      "users=16,#1,real,batched",
    ] {
      #expect(try name(text, cells) == "batched,real,users=16,#1")
    }
    #expect(try name("batched", cells) == "batched,virtual,users=1,#1")
    #expect(try name(nil, cells) == "per-element,real,users=1,#1")
  }

  @Test("every cell has a name of its own, by which it is found")
  func names() throws {
    let plain = "clock: [virtual, real]\nload: { model: closed, users: 4, for: 10s }"
    let orders =
      "clock: virtual\nschedule: every-hop\nload: { model: closed, users: 1, iterations: 1 }\ncancel: { at-step: each, orders: 3 }"
    for text in [Self.sweep, plain, orders] {
      let cells = try cells(text)
      #expect(Set(cells.map(\.traceName)).count == cells.count)
      for cell in cells { #expect(try TraceRequest.cell(cell.traceName, among: cells).number == cell.number) }
    }
  }

  @Test("room for events is refused below a block, and told where it is rounded up")
  func events() throws {
    func events(_ text: String) throws -> (Int, String?) {
      let invocation = try CommandLineParser.parse(
        ["run", "a.yaml", "--trace", "t", "--trace-events", text], commands: Tool(workloads: []).commands)
      let events = try TraceRequest.events(invocation, command: "run")
      return (events, TraceRequest.roundingNote(invocation, events))
    }
    for text in ["0", "1", "255", "-1", "1e3", "67108865", "99999999999999999999", "256.0"] {
      let error = #expect(throws: UsageError.self) { try events(text) }
      #expect(error?.message.contains("from 256 to 67108864, not `\(text)`") == true)
    }
    #expect(try events("256") == (256, nil))
    #expect(try events("67108864") == (67_108_864, nil))
    #expect(
      try events("257") == (512, "--trace-events 257: room for 512 was taken, in blocks of 256"))
  }

  @Test(
    "what is said twice, or fits no cell, is refused",
    arguments: [
      ("real,real", "`real` twice"), ("16,users=16", "`users=16` twice"), ("batched,real,5", "no cell"),
      ("real,virtual", "no cell"), ("", "no cell"), ("batched,,real", "no cell"), ("4,16", "no cell"),
    ])
  func refused(text: String, words: String) throws {
    let cells = try cells(Self.sweep)
    let error = #expect(throws: UsageError.self) { try TraceRequest.cell(text, among: cells) }
    #expect(error?.message.contains(words) == true)
  }
}
