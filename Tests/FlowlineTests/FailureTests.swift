import Flowline
import Synchronization
import Testing

@Suite("Failures in a flow")
struct FailureTests {
  /// Steps a, b, c, of which b fails so many times.
  private func steps(_ record: Record, failures: Int, first: Latch? = nil) -> [Step] {
    let left = Mutex(failures)
    let failing = Step(id: "b") {
      record.began("b")
      defer { record.ended("b") }
      let fails = left.withLock { left in
        left -= 1
        return left >= 0
      }
      if fails { throw Broken() }
      return .ready("b")
    }
    return [.step("a", in: record, when: first), failing, .step("c", after: ["b"], in: record)]
  }

  private func run(
    _ steps: [Step], _ record: Record, _ answers: [FailureDecision]?,
    strategy: FlowStrategy = .ordered(limit: 8)
  ) async throws -> FlowOutcome<String> {
    let left = Mutex(answers ?? [])
    var handlers = FlowHandlers<String, String>(execute: { id, _ in
      record.note(id)
      return .proceed
    })
    if answers != nil {
      handlers.resolvePreparationFailure = { failure in
        record.note("?\(failure.operationID)\(failure.attempt)")
        return left.withLock { $0.isEmpty ? .cancel : $0.removeFirst() }
      }
    }
    return try await strategy.makeFlow(FlowDefinition(steps), handlers: handlers).run()
  }

  private static let strategies = [FlowStrategy.sequential, .allAtOnce, .ordered(limit: 8)]

  @Test("A failure is held until its turn")
  func held() async throws {
    let record = Record()
    let latch = Latch()
    let task = Task { try await run(steps(record, failures: 1, first: latch), record, [.skip]) }
    await until { record.index(of: "-b") != nil }
    for _ in 0..<50 { await Task.yield() }
    #expect(record.executed.isEmpty)
    latch.open()
    #expect(try await task.value.skipped == ["b"])
    #expect(record.executed == ["a", "?b1", "c"])
  }

  @Test("Retry prepares the step again, as often as it is said", arguments: strategies)
  func retry(_ strategy: FlowStrategy) async throws {
    let record = Record()
    let outcome = try await run(
      steps(record, failures: 3), record, [.retry, .retry, .retry], strategy: strategy)
    #expect(record.executed == ["a", "?b1", "?b2", "?b3", "b", "c"])
    #expect(outcome.executed == ["a", "b", "c"])
  }

  @Test("A step that is skipped after its failure satisfies its dependents", arguments: strategies)
  func skip(_ strategy: FlowStrategy) async throws {
    let record = Record()
    let outcome = try await run(steps(record, failures: 1), record, [.skip], strategy: strategy)
    #expect(outcome.executed == ["a", "c"])
    #expect(outcome.skipped == ["b"])
  }

  @Test("The handler may end the flow", arguments: strategies)
  func cancel(_ strategy: FlowStrategy) async throws {
    let record = Record()
    let outcome = try await run(steps(record, failures: 1), record, [.cancel], strategy: strategy)
    #expect(outcome.ending == .cancelled(by: .failure("b")))
    #expect(outcome.executed == ["a"])
  }

  @Test("Without a handler the failure is thrown in its turn", arguments: strategies)
  func noHandler(_ strategy: FlowStrategy) async throws {
    let record = Record()
    do {
      _ = try await run(steps(record, failures: 1), record, nil, strategy: strategy)
      Issue.record("nothing was thrown")
    } catch FlowError<String>.preparationFailed(let failure) {
      #expect(failure.operationID == "b")
      #expect(failure.attempt == 1)
      #expect(failure.underlyingError is Broken)
    }
    #expect(record.executed == ["a"])
  }

  @Test("What execution throws ends the flow")
  func execution() async throws {
    let flow = try FlowProcessor(
      operations: [Step.step("a", in: Record()), .step("b", in: Record())],
      execute: { id, _ in
        if id == "b" { throw Broken() }
        return .proceed
      })
    do {
      _ = try await flow.run()
      Issue.record("nothing was thrown")
    } catch .executionFailed(let id, let error) {
      #expect(id == "b")
      #expect(error is Broken)
    }
  }

  @Test("Skip and pause leaves the step out and waits for a resume")
  func skipAndPause() async throws {
    let record = Record()
    let flow = try FlowProcessor(
      operations: steps(record, failures: 1),
      execute: { id, _ in
        record.note(id)
        return .proceed
      },
      resolvePreparationFailure: { _ in
        record.note("?")
        return .skipAndPause
      })
    let task = Task { try await flow.run() }
    await until { record.index(of: "?") != nil }
    for _ in 0..<50 { await Task.yield() }
    #expect(record.executed == ["a", "?"])
    #expect(record.index(of: "+c") == nil)
    // Before or after the pause has taken hold: either way it is answered.
    flow.resume()
    #expect(try await task.value.executed == ["a", "c"])
  }
}
