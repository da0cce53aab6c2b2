import Flowline
import Synchronization
import Testing

@Suite("Pausing and cancelling a flow")
struct PauseAndCancelTests {
  private func settle() async { for _ in 0..<100 { await Task.yield() } }

  @Test("In a pause nothing starts; what runs ends and is kept; the pause is timed by the injected clock")
  func pause() async throws {
    let record = Record()
    let clock = HandClock()
    let latch = Latch()
    let flow = try FlowProcessor(
      operations: (0..<6).map { Step.step("s\($0)", in: record, when: latch) },
      execute: { id, _ in
        record.note(id)
        return .proceed
      }, maximumConcurrentPreparations: 2, clock: clock)
    let run = Task { try await flow.run() }
    await until { record.lines.count == 2 }
    flow.pause()
    latch.open()
    clock.advance(by: .seconds(3))
    await until { record.lines.count == 4 }
    await settle()
    #expect(Set(record.lines) == ["+s0", "+s1", "-s0", "-s1"])
    flow.resume()
    let outcome = try await run.value
    #expect(outcome.paused == .seconds(3))
    #expect(record.executed == (0..<6).map { "s\($0)" })
    #expect(record.lines.count { $0.hasPrefix("+") } == 6)
  }

  @Test("A flow that is paused before its run starts nothing until it is resumed")
  func pausedBefore() async throws {
    let record = Record()
    let flow = try FlowProcessor(operations: [Step.step("a", in: record)], execute: { _, _ in .proceed })
    flow.pause()
    let run = Task { try await flow.run() }
    await settle()
    #expect(record.lines.isEmpty)
    flow.resume()
    #expect(try await run.value.ending == .completed)
  }

  @Test("A step may ask for a pause, and be answered before or after it has")
  func confirmation() async throws {
    let record = Record()
    let early = try FlowBox()
    early.flow = try FlowProcessor(
      operations: ["a", "b", "c"].map { Step.step($0, in: record) },
      execute: { id, _ in
        record.note(id)
        if id == "b" { early.flow?.resume() }
        return id == "c" ? .proceed : .pause
      })
    let flow = try #require(early.flow)
    let run = Task { try await flow.run() }
    await until { record.executed == ["a"] }
    await settle()
    #expect(record.executed == ["a"])
    // Until the pause has taken hold a resume may come too early; it is kept then.
    flow.resume()
    #expect(try await run.value.executed == ["a", "b", "c"])
    early.flow = nil
  }

  @Test(
    "Cancelling the owner's task ends the flow, paused or not, with an outcome", arguments: [false, true])
  func cancel(isPaused: Bool) async throws {
    let record = Record()
    let latch = Latch()
    let flow = try FlowProcessor(
      operations: [.step("a", in: record), .step("b", in: record, when: latch), .step("c", in: record)],
      execute: { id, _ in
        record.note(id)
        return .proceed
      })
    let run = Task { try await flow.run() }
    await until { record.executed == ["a"] && record.index(of: "-c") != nil }
    if isPaused { flow.pause() }
    run.cancel()
    let outcome = try await run.value
    #expect(outcome.ending == .cancelled(by: .task))
    #expect(outcome.executed == ["a"])
    // Nothing is left: every preparation that began has ended.
    #expect(record.lines.count { $0.hasPrefix("+") } == record.lines.count { $0.hasPrefix("-") })
  }

  @Test("A cancel that reaches a step in execution is a cancel, not a failure of that step")
  func cancelInExecution() async throws {
    let (record, latch) = (Record(), Latch())
    let flow = try FlowProcessor(
      operations: [Step.step("a", in: record)],
      execute: { id, _ in
        record.note(id)
        try await latch.wait()
        return .proceed
      })
    let run = Task { try await flow.run() }
    await until { record.executed == ["a"] }
    run.cancel()
    #expect(try await run.value.ending == .cancelled(by: .task))
  }

  @Test("A flow whose owner is cancelled before the run starts nothing")
  func cancelledBefore() async throws {
    let record = Record()
    let flow = try FlowProcessor(operations: [Step.step("a", in: record)], execute: { _, _ in .proceed })
    let latch = Latch()
    let run = Task {
      try? await latch.wait()
      return try await flow.run()
    }
    run.cancel()
    #expect(try await run.value.ending == .cancelled(by: .task))
    #expect(record.lines.isEmpty)
  }

  @Test("A step that answers cancel ends the flow; preparations under way are cancelled and waited for")
  func decision() async throws {
    let record = Record()
    let flow = try FlowProcessor(
      operations: [.step("a", in: record), .step("b", in: record, when: Latch())],
      execute: { id, _ in
        await until { record.index(of: "+b") != nil }
        return .cancel
      })
    let outcome = try await flow.run()
    #expect(outcome.ending == .cancelled(by: .execution("a")))
    #expect(record.index(of: "-b") != nil)
  }

  @Test("Cancelled at any point, a flow ends, and nothing begins afterwards", arguments: 0..<120)
  func cancelAnywhere(steps: Int) async throws {
    let record = Record()
    let flow = try FlowProcessor(
      operations: (0..<8).map { Step.step("s\($0)", after: $0 > 0 ? ["s\(($0 - 1) / 2)"] : [], in: record) },
      execute: { id, _ in
        await Task.yield()
        record.note(id)
        return .proceed
      }, maximumConcurrentPreparations: 3)
    let run = Task { try await flow.run() }
    for _ in 0..<steps { await Task.yield() }
    run.cancel()
    let outcome = try await run.value
    #expect(outcome.executed == (0..<outcome.executed.count).map { "s\($0)" })
    let lines = record.lines.count
    await settle()
    #expect(record.lines.count == lines)
  }
}

/// A flow for its own steps to find.
final class FlowBox: Sendable {
  private let held = Mutex<FlowProcessor<String, String>?>(nil)
  init() throws {}
  var flow: FlowProcessor<String, String>? {
    get { held.withLock { $0 } }
    set { held.withLock { $0 = newValue } }
  }
}
