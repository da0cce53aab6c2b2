import Flowline
import Testing

@Suite("Building a flow")
struct DefinitionTests {
  private func build(_ steps: [Step], limit: Int = 8) throws -> FlowProcessor<String, String> {
    try FlowProcessor(operations: steps, execute: { _, _ in .proceed }, maximumConcurrentPreparations: limit)
  }

  private static let record = Record()

  @Test("What makes no flow is refused when it is built, with the steps named")
  func refusals() {
    let record = Self.record
    #expect(throws: FlowDefinitionError<String>.duplicateIdentifier("a", first: 0, second: 2)) {
      try build([.step("a", in: record), .step("b", in: record), .step("a", in: record)])
    }
    #expect(throws: FlowDefinitionError<String>.unknownPrerequisite("x", of: "a")) {
      try build([.step("a", after: ["x"], in: record)])
    }
    #expect(throws: FlowDefinitionError<String>.laterPrerequisite("b", of: "a")) {
      try build([.step("a", after: ["b"], in: record), .step("b", in: record)])
    }
    #expect(throws: FlowDefinitionError<String>.laterPrerequisite("a", of: "a")) {
      try build([.step("a", after: ["a"], in: record)])
    }
    #expect(throws: FlowDefinitionError<String>.limitBelowOne(0)) { try build([], limit: 0) }
    #expect(FlowDefinitionError<String>.unknownPrerequisite("x", of: "a").code == "flow.unknown-prerequisite")
    #expect("\(FlowDefinitionError<String>.laterPrerequisite("b", of: "a"))".contains("stands earlier"))
    #expect(record.lines.isEmpty)
  }

  @Test("A flow runs once, whether the first run has ended or not")
  func oneRun() async throws {
    let latch = Latch()
    let flow = try build([.step("a", in: Record(), when: latch)])
    let run = Task { try await flow.run() }
    // Whichever of the two came first, one of them is refused.
    latch.open()
    let other = Task { try await flow.run() }
    let results = [await run.result, await other.result, await Task { try await flow.run() }.result]
    #expect(results.count { (try? $0.get()) != nil } == 1)
    for case .failure(let error) in results {
      guard case .alreadyRun? = error as? FlowError<String> else {
        Issue.record("another error: \(error)")
        continue
      }
    }
  }

  @Test(
    "Every strategy executes the same steps in the same order",
    arguments: [FlowStrategy.sequential, .allAtOnce, .ordered(limit: 3)])
  func strategies(_ strategy: FlowStrategy) async throws {
    let record = Record()
    let definition = try FlowDefinition<String, String>([
      .step("a", in: record), .step("b", after: ["a"], in: record), .step("c", in: record, skips: true),
      .step("d", after: ["c", "b"], in: record),
    ])
    let flow = try strategy.makeFlow(
      definition,
      handlers: FlowHandlers(execute: { id, _ in
        record.note(id)
        return .proceed
      }))
    let outcome = try await flow.run()
    #expect(outcome.executed == ["a", "b", "d"])
    #expect(outcome.skipped == ["c"])
    #expect(record.executed == ["a", "b", "d"])
    await #expect(throws: FlowError<String>.self) { _ = try await flow.run() }
  }
}
