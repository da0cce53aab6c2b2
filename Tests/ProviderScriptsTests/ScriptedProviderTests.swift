import Measurement
import SeededDraws
import Testing
import WorkloadInterface

@testable import ProviderScripts

private let millisecond: Int64 = 1_000_000

private func distribution(_ shape: Distribution.Shape) -> Distribution {
  do { return try Distribution(shape) } catch { fatalError("\(error)") }
}

private func provider(_ script: ProviderScript, clock: CellClock = CellClock()) -> ScriptedProvider {
  ScriptedProvider(
    name: "names", script: script, seed: 7, clockKind: .real, clock: clock, counts: ProviderCounts())
}

private func script(_ latency: Int64, failures: [FailureScript] = [], capacity: Int? = nil) -> ProviderScript
{
  ProviderScript(latency: distribution(.constant(latency)), failures: failures, capacity: capacity)
}

/// Waits, for at most five seconds, until the condition holds.
private func eventually(_ condition: () -> Bool) async -> Bool {
  for _ in 0..<5_000 {
    if condition() { return true }
    try? await Task.sleep(for: .milliseconds(1))
  }
  return condition()
}

/// Conservation at the fake.
private func isConserved(_ counts: ProviderCounts) -> Bool {
  counts.asked.value
    == counts.served.value + counts.failed.value + counts.cancelled.value + counts.inFlight.value
}

@Suite("Scripted provider")
struct ScriptedProviderTests {
  @Test("A call is answered at its scripted time and counted")
  func call() async throws {
    var script = script(2 * millisecond)
    script.values = ["Ada", "Ben"]
    let provider = provider(script)
    let served = try await provider.caller(iteration: 0).call(slot: 1)
    #expect(served.value == "Ben")
    #expect(served.ended - served.started == 2 * millisecond)
    #expect(served.sojourn == 2 * millisecond)
    #expect(provider.clock.now() >= served.ended)
    #expect(provider.counts.asked.value == 1 && provider.counts.served.value == 1)
    #expect(provider.counts.inFlight.value == 0 && provider.counts.inFlight.max == 1)
    #expect(isConserved(provider.counts))
  }

  @Test("Latencies are those of the address, whoever asks first")
  func paired() async throws {
    let script = ProviderScript(latency: distribution(.uniform(from: 0, to: 2 * millisecond)))
    func latencies(_ slots: [Int]) async throws -> [Int: Int64] {
      let caller = provider(script).caller(iteration: 3)
      var found: [Int: Int64] = [:]
      for slot in slots {
        let served = try await caller.call(slot: slot)
        found[slot] = served.ended - served.started
      }
      return found
    }
    #expect(try await latencies([0, 1, 2]) == latencies([2, 0, 1]))
  }

  @Test(
    "Scripted failures carry their kind and time",
    arguments: [FailureScript.Kind.timeout, .malformed, .reset, .rateLimited, .midStream])
  func failures(kind: FailureScript.Kind) async {
    let failure = FailureScript(kind: kind, selector: .calls([1]), after: millisecond)
    let provider = provider(script(0, failures: [failure]))
    let error = await #expect(throws: ProviderFailure.self) {
      try await provider.caller(iteration: 0).call(slot: 0)
    }
    #expect(error?.kind == kind && error?.provider == "names")
    #expect(error?.isRetryable == (kind != .malformed))
    #expect(error.map { $0.time >= millisecond } == true)
    #expect(provider.counts.failed.value == 1)
    #expect(provider.counts.failedByKind[kind]?.value == 1)
    #expect(isConserved(provider.counts))
  }

  @Test("A call that hangs ends when its caller is cancelled")
  func hang() async {
    let provider = provider(script(0, failures: [FailureScript(kind: .hang, selector: .every(1))]))
    let task = Task { try await provider.caller(iteration: 0).call(slot: 0) }
    #expect(await eventually { provider.counts.inFlight.value == 1 })
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(provider.counts.cancelled.value == 1 && isConserved(provider.counts))
  }

  @Test("A provider deaf to cancellation answers all the same, and counts that nobody waits")
  func deaf() async throws {
    var script = script(20 * millisecond)
    script.ignoresCancellation = true
    let provider = provider(script)
    let task = Task { try await provider.caller(iteration: 0).call(slot: 0) }
    #expect(await eventually { provider.counts.inFlight.value == 1 })
    task.cancel()
    let served = try await task.value
    #expect(provider.clock.now() >= served.ended)
    #expect(provider.counts.servedAfterLeft.value == 1)
    #expect(provider.counts.askedAfterLeft.value == 0)
  }

  @Test("What is asked after the consumer left is counted as late")
  func left() async throws {
    let provider = provider(script(0))
    let caller = provider.caller(iteration: 0)
    _ = try await caller.call(slot: 0)
    caller.left()
    _ = try await caller.call(slot: 1)
    #expect(provider.counts.askedAfterLeft.value == 1 && provider.counts.servedAfterLeft.value == 1)
  }

  @Test("With one place, each call starts exactly when the one before it ended")
  func capacity() async throws {
    let provider = provider(script(millisecond / 2, capacity: 1))
    let served = try await withThrowingTaskGroup(of: Served.self) { group in
      for iteration in 0..<10 {
        group.addTask { try await provider.caller(iteration: iteration).call(slot: 0) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }.sorted { $0.started < $1.started }
    for (one, next) in zip(served, served.dropFirst()) {
      #expect(next.started == max(next.asked, one.ended))
    }
    #expect(provider.counts.served.value == 10 && isConserved(provider.counts))
  }

  @Test("A full queue refuses, and a cancelled caller leaves it")
  func queueLimit() async throws {
    var script = script(0, failures: [FailureScript(kind: .hang, selector: .calls([1]))], capacity: 1)
    script.queueLimit = 1
    let provider = provider(script)
    let holder = Task { try await provider.caller(iteration: 0).call(slot: 0) }
    #expect(await eventually { provider.counts.inFlight.value == 1 })
    let waiter = Task { try await provider.caller(iteration: 1).call(slot: 1) }
    #expect(await eventually { provider.places?.waiting == 1 })
    let refused = await #expect(throws: ProviderFailure.self) {
      try await provider.caller(iteration: 2).call(slot: 1)
    }
    #expect(refused?.kind == .rateLimited)
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    holder.cancel()
    await #expect(throws: CancellationError.self) { try await holder.value }
    _ = try await provider.caller(iteration: 3).call(slot: 1)
    #expect(isConserved(provider.counts) && provider.counts.inFlight.value == 0)
  }

  @Test("A stream delivers its elements in order")
  func stream() async throws {
    let provider = provider(
      ProviderScript(
        latency: distribution(.constant(0)), firstToken: distribution(.constant(millisecond)),
        betweenTokens: distribution(.constant(100_000)), values: ["x", "y"]))
    var (seen, pauses): ([String], [Int64]) = ([], [])
    let served = try await provider.caller(iteration: 0).stream(slot: 0, count: 5) { element in
      seen.append("\(element.index)\(element.value ?? "")")
      pauses.append(element.next.map { $0 - element.due } ?? 0)
    }
    #expect(seen == ["0x", "1y", "2x", "3y", "4x"])
    #expect(pauses == [100_000, 100_000, 100_000, 100_000, 0])
    #expect(served.elements == 5)
    #expect(served.ended - served.started == millisecond + 400_000)
    #expect(provider.counts.elements.value == 5 && provider.counts.served.value == 1)
  }

  @Test("A stream breaks after the scripted number of elements")
  func midStream() async {
    let failure = FailureScript(kind: .midStream, selector: .calls([1]), afterTokens: 3)
    let provider = provider(script(0, failures: [failure], capacity: 1))
    var seen: [Int] = []
    let error = await #expect(throws: ProviderFailure.self) {
      try await provider.caller(iteration: 0).stream(slot: 0, count: 10) { seen.append($0.index) }
    }
    #expect(error?.kind == .midStream)
    #expect(seen == [0, 1, 2])
    #expect(provider.counts.elements.value == 3 && provider.counts.failed.value == 1)
    #expect(provider.counts.inFlight.value == 0)
  }

  @Test("A consumer that throws ends the stream and frees the place")
  func brokenConsumer() async throws {
    let provider = provider(script(0, capacity: 1))
    await #expect(throws: CancellationError.self) {
      try await provider.caller(iteration: 0).stream(slot: 0, count: 10) { element in
        if element.index == 2 { throw CancellationError() }
      }
    }
    _ = try await provider.caller(iteration: 1).call(slot: 0)
    #expect(isConserved(provider.counts))
  }

  @Test("A cell's provider counts in its recorder, under the catalogue's names")
  func recorder() async throws {
    let recorder = Recorder(clock: CellClock())
    let failing = script(0, failures: [FailureScript(kind: .reset, selector: .calls([2]))])
    let provider = ScriptedProvider(
      name: "names", script: failing, seed: 7, clockKind: .virtual, clock: recorder.clock,
      counts: ProviderCounts(recorder: recorder, provider: "names"))
    let caller = provider.caller(iteration: 0)
    _ = try await caller.call(slot: 0)
    _ = try? await caller.call(slot: 1)
    let values = recorder.counterValues()
    #expect(values["provider.calls{provider=names}"] == 2)
    #expect(values["provider.served{provider=names}"] == 1)
    #expect(values["provider.failures{kind=reset}"] == 1)
    #expect(recorder.gaugeMaxima()["provider.in-flight{provider=names}"] == 1)
  }

  @Test("Where places are limited the wait for one is measured, exactly; where they are not there is none")
  func waits() async throws {
    for capacity in [2, nil] {
      let recorder = Recorder(clock: CellClock())
      let cell = CellContext(
        strategy: StrategySelection(name: "s", kind: "s"), flaw: nil, clock: .real, seed: 7,
        providers: ["names": script(5 * millisecond, capacity: capacity)], behaviour: ParameterValues([:]),
        sink: SinkDescription(), recorder: recorder)
      let provider = try #require(ScriptedProvider("names", in: cell))
      let served = try await withThrowingTaskGroup(of: Served.self) { group in
        for iteration in 0..<6 {
          group.addTask { try await provider.caller(iteration: iteration).call(slot: 0) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      let waits = served.map { $0.started - $0.asked }
      let recorded = recorder.histograms()["provider.wait{provider=names}"]
      #expect((recorded == nil) == (capacity == nil))
      guard let recorded else { continue }
      #expect(recorded.count == 6)
      #expect(recorded.minimum == waits.min() && recorded.maximum == waits.max())
      #expect(recorded.sum == UInt64(waits.reduce(0, +)))
      #expect(waits.reduce(0, +) > 0)
    }
  }
}
