import BuiltInWorkloads
import Measurement
import Testing
import WorkloadInterface

@Suite("The registry workload")
struct RegistryWorkloadTests {
  private func harness(_ strategy: StrategySelection) -> Harness {
    Harness(
      workload: RegistryWorkload(), strategy: strategy,
      behaviour: ["workers": .integer(3), "elements": .integer(10)])
  }

  @Test("Every strategy makes, stores and shows each element once", arguments: StrategySelection.all)
  func conservation(strategy: StrategySelection) async throws {
    let result = try await harness(strategy).run()
    #expect(result.outcomes == Array(repeating: .completed, count: 4))
    #expect(result["elements.made"] == 120)
    #expect(result["elements.stored"] == 120)
    #expect(result["elements.delivered"] == 120)
    #expect(result.books.made == result.books.accounted)
    #expect(result.histograms["latency.stage{stage=names}"]?.count == 12)
    #expect(result.findings.isEmpty)
  }

  @Test("Batches of five take a flush for each five elements, and elements age in them")
  func batches() async throws {
    let result = try await harness(.batched(5)).run()
    #expect(result["flush.count"] == 24)
    #expect(result["flush.cause{cause=size}"] == 24)
    #expect(result["flush.cause{cause=end}"] == 0)
    #expect(result.histograms["flush.size"]?.maximum == 5)
    #expect((result.histograms["staleness{at=registry}"]?.maximum ?? 0) >= 4_000_000)
  }

  @Test("Write-behind shows elements long before it stores them")
  func writeBehind() async throws {
    let result = try await harness(.batched(10, kind: "write-behind")).run()
    let view = try #require(result.histograms["staleness{at=view}"]?.mean)
    let registry = try #require(result.histograms["staleness{at=registry}"]?.mean)
    #expect(view * 2 < registry)
  }

  @Test("The last partial batch is flushed at the end")
  func partialBatch() async throws {
    let result = try await harness(.batched(4)).run()
    #expect(result["elements.stored"] == 120)
    #expect(result["flush.cause{cause=size}"] == 24)
    #expect(result["flush.cause{cause=end}"] == 12)
  }

  @Test("Failed calls leave slots empty, and nothing else is missing")
  func failures() async throws {
    var harness = harness(.batched(5))
    harness.providers["names"] = try Harness.script(
      milliseconds: 1, failures: [FailureScript(kind: .malformed, selector: .calls([3, 5]))])
    let result = try await harness.run()
    #expect(result.outcomes == Array(repeating: .failed(reason: "empty-slots"), count: 4))
    #expect(result["elements.made"] == 112)
    #expect(result["elements.stored"] == 112)
    #expect(result["provider.failures{kind=malformed}"] == 8)
    #expect(result.books.made == result.books.accounted)
  }

  @Test("Readers look at what is published, or call the registry")
  func readers() async throws {
    for path in ["published", "registry"] {
      var harness = harness(.perElement)
      harness.behaviour["readers"] = .record(
        ParameterValues([
          "count": .integer(2), "every": try Harness.constant(milliseconds: 1), "through": .choice(path),
        ]))
      let result = try await harness.run()
      #expect(result["reads"] > 0)
      #expect(result["elements.stored"] == 120)
    }
  }

  @Test("A blocking registry stores all the same")
  func blocking() async throws {
    var harness = harness(.blocking)
    harness.iterations = 1
    harness.behaviour["elements"] = .integer(3)
    let result = try await harness.run()
    #expect(result["elements.stored"] == 9)
    #expect(result.books.made == result.books.accounted)
  }

  @Test("The main actor plays the registry only where the strategy says so")
  func roles() async throws {
    let main = try await harness(StrategySelection(name: "main-actor", kind: "main-actor")).run()
    let batched = try await harness(.batched(5)).run()
    #expect(main.roles?["MainActor"] == "registry")
    #expect(batched.roles?["MainActor"] == nil)
    #expect(batched.roles?["BatchRegistry"] == "registry")
  }

  @Test("A blocking registry is refused where it could never go on")
  func blockingLimits() throws {
    func cell(_ clock: ClockKind, capacity: Int?) throws -> CellContext {
      var script = try Harness.script(milliseconds: 1)
      script.capacity = capacity
      return CellContext(
        strategy: .blocking, flaw: nil, clock: clock, seed: 1, providers: ["names": script],
        behaviour: ParameterValues([:]), sink: SinkDescription(), recorder: Recorder(clock: CellClock()))
    }
    #expect(throws: WorkloadError.self) { try RegistryWorkload().makeSession(cell(.virtual, capacity: nil)) }
    #expect(throws: WorkloadError.self) { try RegistryWorkload().makeSession(cell(.real, capacity: 1)) }
    #expect(throws: Never.self) { try RegistryWorkload().makeSession(cell(.real, capacity: nil)) }
  }
}
