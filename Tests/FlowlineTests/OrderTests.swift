import Flowline
import Testing

@Suite("Order of a flow")
struct OrderTests {
  private static func permutations(_ items: [Int]) -> [[Int]] {
    guard let first = items.first else { return [[]] }
    return permutations(Array(items.dropFirst())).flatMap { rest in
      (0...rest.count).map { Array(rest[..<$0]) + [first] + Array(rest[$0...]) }
    }
  }

  @Test(
    "Execution is in configuration order under every completion order of up to six steps", arguments: 1...6)
  func everyCompletionOrder(count: Int) async throws {
    for order in Self.permutations(Array(0..<count)) {
      let record = Record()
      let latches = (0..<count).map { _ in Latch() }
      let flow = try FlowProcessor(
        operations: (0..<count).map { Step.step("s\($0)", in: record, when: latches[$0]) },
        execute: { id, value in
          record.note(value)
          return id == value ? .proceed : .cancel
        })
      let run = Task { try await flow.run() }
      for place in order {
        latches[place].open()
        await until { record.index(of: "-s\(place)") != nil }
      }
      let outcome = try await run.value
      #expect(outcome.ending == .completed)
      #expect(outcome.executed == (0..<count).map { "s\($0)" })
      #expect(record.executed == (0..<count).map { "s\($0)" }, "\(order)")
    }
  }

  @Test("A dependent starts when its prerequisite is prepared, before that one is executed")
  func earlyDependent() async throws {
    let record = Record()
    let (first, dependent) = (Latch(), Latch())
    let flow = try FlowProcessor(
      operations: [
        .step("a", in: record, when: first), .step("b", in: record),
        .step("c", after: ["b"], in: record, when: dependent),
      ],
      execute: { id, _ in
        record.note(id)
        return .proceed
      })
    let run = Task { try await flow.run() }
    await until { record.index(of: "+c") != nil }
    #expect(record.executed.isEmpty)
    first.open()
    dependent.open()
    _ = try await run.value
    #expect(record.executed == ["a", "b", "c"])
  }

  @Test("At most eight are prepared at once, or as many as are allowed", arguments: [nil, 1, 4, 20])
  func limit(_ limit: Int?) async throws {
    let record = Record()
    let latch = Latch()
    let steps = (0..<20).map { Step.step("s\($0)", in: record, when: latch) }
    let execute: FlowHandlers<String, String>.Execute = { id, _ in
      record.note(id)
      return .proceed
    }
    let flow =
      if let limit {
        try FlowProcessor(operations: steps, execute: execute, maximumConcurrentPreparations: limit)
      } else {
        try FlowProcessor(operations: steps, execute: execute)
      }
    let run = Task { try await flow.run() }
    await until { record.lines.count == limit ?? 8 }
    for _ in 0..<50 { await Task.yield() }
    #expect(record.lines.count == limit ?? 8)
    latch.open()
    _ = try await run.value
    #expect(record.most == limit ?? 8)
    #expect(record.executed.count == 20)
  }

  @Test("One is executed at a time")
  func oneAtATime() async throws {
    let open = Record()
    let flow = try FlowProcessor(
      operations: (0..<30).map { Step.step("s\($0)", in: Record()) },
      execute: { id, _ in
        open.began(id)
        for _ in 0..<5 { await Task.yield() }
        open.ended(id)
        return .proceed
      })
    _ = try await flow.run()
    #expect(open.most == 1)
  }

  @Test("A preparation is given what its declared prerequisites made, and nothing else")
  func inputs() async throws {
    let seen = Record()
    let flow = try FlowProcessor(
      operations: [
        Step.step("a", in: Record()), .step("b", in: Record(), skips: true), .step("c", in: Record()),
        Step(id: "d", preparationDependencies: ["b", "a", "a"]) { inputs in
          seen.note(inputs.identifiers.sorted().joined())
          #expect(inputs["a"] == .ready("a"))
          #expect(inputs["b"] == .skip)
          #expect(inputs["c"] == nil)
          return .ready("d")
        },
      ], execute: { _, _ in .proceed })
    let outcome = try await flow.run()
    #expect(seen.lines == ["ab"])
    #expect(outcome.executed == ["a", "c", "d"])
    #expect(outcome.skipped == ["b"])
  }

  @Test("An empty flow is complete at once")
  func empty() async throws {
    let flow = try FlowProcessor<String, String>(operations: [], execute: { _, _ in .proceed })
    let outcome = try await flow.run()
    #expect(outcome.ending == .completed)
  }

  @Test("Two thousand steps in a chain of prerequisites run to the end")
  func long() async throws {
    let flow = try FlowProcessor<Int, Int>(
      operations: (0..<2000).map { place in
        FlowOperation(id: place, preparationDependencies: place > 0 ? [place - 1] : []) { .ready(place) }
      }, execute: { _, _ in .proceed })
    #expect(try await flow.run().executed == Array(0..<2000))
  }
}
