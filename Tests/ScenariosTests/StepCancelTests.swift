import Testing

@testable import Scenarios

@Suite("Cancels at scheduling steps")
struct StepCancelTests {
  private func scenario(_ lines: String) throws -> Scenario {
    try Story.reader.read(text: Story.least + lines, file: "steps.yaml").get()
  }

  @Test("of one step alone no gate on the whole sweep is judged")
  func gates() throws {
    let gates = "gates: [steps.run > 20, elements.lost == 0, steps.cancelled / steps.asked > 0.5]\n"
    let one = try scenario(gates + "cancel: { at-step: 3 }\n")
    #expect(one.gates == ["elements.lost == 0"])
    #expect(one.gatesLeftOut == ["steps.run > 20", "steps.cancelled / steps.asked > 0.5"])
    let each = try scenario(gates + "cancel: { at-step: each }\n")
    #expect(each.gates.count == 3 && each.gatesLeftOut.isEmpty)
  }

  @Test("each step, one step, orders of jobs; and the resolved text reads as the same")
  func reading() throws {
    for (lines, cancel, cells) in [
      ("", nil, 1), ("cancel: { at-step: each }\n", Scenario.StepCancel(step: nil), 1),
      ("cancel: { at-step: 0 }\n", Scenario.StepCancel(step: 0), 1),
      (
        "schedule: every-hop\ncancel: { at-step: each, orders: 3 }\n",
        Scenario.StepCancel(step: nil, orders: 1...3), 3
      ),
      (
        "schedule: every-hop\ncancel: { at-step: 17, orders: 3, order: 2 }\n",
        Scenario.StepCancel(step: 17, orders: 2...2), 1
      ),
    ] as [(String, Scenario.StepCancel?, Int)] {
      let scenario = try scenario(lines)
      #expect(scenario.cancel == cancel)
      #expect(scenario.cells().count == cells)
      #expect(scenario.cells().map(\.repetition) == (cancel.map { Array($0.orders) } ?? [1]))
      let again = try Story.reader.read(text: scenario.resolvedText, file: "again.yaml").get()
      #expect(again.cancel == cancel)
      #expect(again.resolvedText == scenario.resolvedText)
    }
  }

  @Test(
    "what cannot be is refused where it stands",
    arguments: [
      BadCase.added("no step", "cancel: { }", 1, 9, "lacks `at-step`"),
      .added("a word", "cancel: { at-step: every }", 1, 20, "`at-step` cannot be"),
      .added("below 0", "cancel: { at-step: -1 }", 1, 20, "`at-step` cannot be"),
      .added("the user's", "cancel: { at-step: each, share: 5% }", 1, 26, "`share` does not stand here"),
      .added(
        "no order", "schedule: every-hop\ncancel: { at-step: each, orders: 0 }", 2, 34, "`orders` cannot be"),
      .added(
        "fifo has one order", "cancel: { at-step: each, orders: 2 }", 1, 34,
        "of the orders that `every-hop` draws"),
      .added("real clock", "clock: real\ncancel: { at-step: each }", 2, 9, "which virtual time alone has"),
      .added("repeated", "repetitions: 2\ncancel: { at-step: each }", 2, 9, "to the same end"),
    ])
  func faults(bad: BadCase) throws {
    guard case .failure(let errors) = Story.reader.read(text: bad.text, file: "bad.yaml") else {
      Issue.record("it was read")
      return
    }
    let fault = try #require(errors.diagnostics.first)
    #expect(errors.diagnostics.count == 1)
    #expect(fault.message.contains(bad.message), "\(fault.message)")
    #expect(fault.line == bad.line && fault.column == bad.column, "\(fault.line):\(fault.column)")
  }

  @Test("overrides are kept as they are typed")
  func overrides() throws {
    let scenario = try Story.reader.read(
      text: Story.least, file: "a.yaml",
      overrides: [.seed("9"), .set("objective=2s"), .set("about=it's small")]
    ).get()
    #expect(scenario.overrides == ["--seed 9", "--set objective=2s", #"--set 'about=it'\''s small'"#])
  }

  @Test("the choice of one strategy among several belongs to what is typed again")
  func choice() throws {
    let text = Story.least + "strategies:\n  - per-element\n  - batched: { size: 5 }\n"
    func overrides(_ strategies: [String]) throws -> [String] {
      try Story.reader.read(text: text, file: "a.yaml", strategies: strategies).get().overrides
    }
    #expect(try overrides(["batched-5"]) == ["--strategy batched-5"])
    #expect(try overrides([]).isEmpty)
    #expect(try overrides(["batched-5", "per-element"]).isEmpty)
  }
}
