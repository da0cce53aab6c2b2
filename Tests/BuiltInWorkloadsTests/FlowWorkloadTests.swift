import FlawedFlows
import Measurement
import SeededDraws
import Testing
import WorkloadInterface

@testable import BuiltInWorkloads

extension StrategySelection {
  static func ordered(_ limit: Int) -> StrategySelection {
    StrategySelection(
      name: "ordered-\(limit)", kind: "ordered", parameters: ParameterValues(["limit": .integer(limit)]))
  }

  static let flows: [StrategySelection] = [
    .ordered(3), StrategySelection(name: "all-at-once", kind: "all-at-once"),
    StrategySelection(name: "sequential", kind: "sequential"),
  ]
}

@Suite("The flow workload")
struct FlowWorkloadTests {
  static func run(
    _ behaviour: [String: ParameterValue], _ strategy: StrategySelection = .ordered(4), flaw: FlowFlaw? = nil,
    prepare: [Int64] = [2], execute: Int64 = 1, failures: [FailureScript] = [], iterations: Int = 4
  ) async throws -> Harness.Result {
    let latency = try Distribution(.sequence(prepare.map { $0 * 1_000_000 }))
    return try await Harness(
      workload: FlowWorkload(), strategy: strategy, flaw: flaw?.rawValue, behaviour: behaviour,
      providers: [
        "prepare": ProviderScript(latency: latency, failures: failures),
        "execute": try Harness.script(milliseconds: execute),
      ],
      iterations: iterations
    ).run()
  }

  static func record(_ values: [String: ParameterValue]) -> ParameterValue {
    .record(ParameterValues(values))
  }

  @Test(
    "Every strategy completes the flow, in order, with all elements accounted for",
    arguments: StrategySelection.flows)
  func complete(_ strategy: StrategySelection) async throws {
    let result = try await Self.run(
      ["operations": .integer(9), "dependencies": .choice("tree"), "skip": .share(0.2)], strategy)
    #expect(result.outcomes == Array(repeating: .completed, count: 4))
    #expect(result.findings.isEmpty, "\(result.findings)")
    #expect(result["flow.order-violations"] == 0)
    #expect(result["elements.made"] + result["flow.skipped"] == 36)
    #expect(result["elements.lost"] == 0)
    #expect(result.books.made == result.books.accounted)
    #expect(result.histograms["flow.above-bound"]?.count == 4)
    #expect((result.histograms["flow.above-bound"]?.minimum ?? -1) >= 0)
  }

  @Test(
    "Failures are answered as the owner is minded",
    arguments: ["retry", "skip", "skip-and-pause", "cancel", "none"])
  func failures(_ answer: String) async throws {
    let result = try await Self.run(
      [
        "operations": .integer(5), "on-failure": .choice(answer),
        "confirm": Self.record(["after": try Harness.constant(milliseconds: 3)]),
      ], failures: [FailureScript(kind: .reset, selector: .calls([3]))])
    let outcome: IterationOutcome =
      switch answer {
      case "cancel": .cancelled
      case "none": .failed(reason: "preparation-failed")
      default: .completed
      }
    #expect(result.outcomes == Array(repeating: outcome, count: 4))
    #expect(result["retries"] == (answer == "retry" ? 4 : 0))
    #expect(result.findings.isEmpty, "\(result.findings)")
    #expect(result.books.made == result.books.accounted)
  }

  @Test("Pauses are timed and cancels are counted")
  func pausesAndCancels() async throws {
    let paused = try await Self.run([
      "operations": .integer(6),
      "pause": Self.record([
        "share": .share(1), "after": try Harness.constant(milliseconds: 1),
        "for": try Harness.constant(milliseconds: 10),
      ]),
    ])
    #expect(paused.outcomes == Array(repeating: .completed, count: 4))
    #expect((paused.histograms["flow.paused"]?.minimum ?? 0) >= 10_000_000)
    let cancelled = try await Self.run(
      [
        "operations": .integer(6),
        "cancel": Self.record(["share": .share(1), "after": try Harness.constant(milliseconds: 5)]),
      ], prepare: [2000])
    #expect(cancelled.outcomes == Array(repeating: .cancelled, count: 4))
    #expect(cancelled["cancel.requested"] == 4)
    #expect(cancelled.findings.isEmpty)
  }

  @Test("What only an ordered flow can do is refused for the others")
  func limits() async throws {
    let pause = ["pause": Self.record(["share": .share(1)])]
    await #expect(throws: WorkloadError.self) {
      _ = try await Self.run(pause, StrategySelection(name: "sequential", kind: "sequential"))
    }
    await #expect(throws: WorkloadError.self) {
      _ = try await Self.run(
        [:], StrategySelection(name: "sequential", kind: "sequential"), flaw: .limitIgnored)
    }
  }

  @Test("The critical path takes prerequisites, order and executions into account")
  func bound() {
    let fan = FlowShape(prerequisites: [[], [0], [0]], limit: 8)
    #expect(fan.bound(preparing: [1000, 2000, 500], executing: [100, 100, 100]) == 3200)
    #expect(fan.bound(preparing: [1000, 500, 2000], executing: [100, 100, 100]) == 3100)
    let free = FlowShape(prerequisites: [[], [], []], limit: 8)
    #expect(free.bound(preparing: [5, 1, 1], executing: [10, 10, 10]) == 35)
    #expect(FlowShape(prerequisites: [], limit: 1).bound(preparing: [], executing: []) == 0)
  }
}

/// The smallest load that shows a flaw, and what its oracle finds in it.
struct FlowFlawCase: Sendable, CustomTestStringConvertible {
  let flaw: FlowFlaw
  let findings: [String]
  var behaviour: [String: ParameterValue]
  var prepare: [Int64] = [5]
  var execute: Int64 = 1
  var failures: [FailureScript] = []
  var strategy = StrategySelection.ordered(4)
  var testDescription: String { flaw.rawValue }

  static let all: [FlowFlawCase] = {
    func steps(_ count: Int, _ shape: String, _ more: [String: ParameterValue] = [:]) -> [String:
      ParameterValue]
    {
      ["operations": .integer(count), "dependencies": .choice(shape)].merging(more) { _, new in new }
    }
    func after(_ milliseconds: Int64) -> ParameterValue {
      do { return try Harness.constant(milliseconds: milliseconds) } catch { fatalError("\(error)") }
    }
    let patience = ["patience": ParameterValue.duration(150_000_000)]
    let lateCancel = ["cancel": FlowWorkloadTests.record(["share": .share(1), "after": after(120)])]
    let cancel = ["cancel": FlowWorkloadTests.record(["share": .share(1), "after": after(12)])]
    func pause(_ length: Int64) -> [String: ParameterValue] {
      ["pause": FlowWorkloadTests.record(["share": .share(1), "after": after(3), "for": after(length)])]
    }
    func confirm(_ more: [String: ParameterValue]) -> [String: ParameterValue] {
      ["confirm": FlowWorkloadTests.record(["share": .share(1)].merging(more) { _, new in new })].merging(
        patience
      ) {
        _, new in new
      }
    }
    return [
      FlowFlawCase(
        flaw: .executionByCompletion, findings: ["execution-out-of-order"], behaviour: steps(4, "none"),
        prepare: [40, 5]),
      FlowFlawCase(
        flaw: .taskPerExecution, findings: ["overlapping-executions"], behaviour: steps(5, "chain"),
        prepare: [10], execute: 25),
      FlowFlawCase(
        flaw: .dependentsWaitForExecution, findings: ["dependent-held-back"], behaviour: steps(7, "tree"),
        prepare: [5, 60, 5, 5, 5, 5, 5], execute: 5),
      FlowFlawCase(
        flaw: .prerequisitesByLuck, findings: ["started-before-prerequisite"], behaviour: steps(4, "chain")),
      FlowFlawCase(
        flaw: .skipBlocksDependents, findings: ["skip-not-satisfied"],
        behaviour: steps(3, "chain", patience.merging(["skip": .share(1)]) { _, new in new })),
      FlowFlawCase(
        flaw: .oneDependentWoken, findings: ["dependent-never-started"], behaviour: steps(4, "fan", patience)),
      FlowFlawCase(flaw: .limitIgnored, findings: ["too-many-preparations"], behaviour: steps(12, "none")),
      FlowFlawCase(flaw: .sharedInputs, findings: ["undeclared-input"], behaviour: steps(7, "tree")),
      FlowFlawCase(
        flaw: .failureNotHeld, findings: ["failure-out-of-turn"],
        behaviour: steps(8, "chain", ["on-failure": .choice("skip"), "dependencies": .choice("none")]),
        failures: [FailureScript(kind: .reset, selector: .calls([4]), after: 0)]),
      FlowFlawCase(
        flaw: .preparesInPause, findings: ["started-while-paused"], behaviour: steps(10, "none", pause(100)),
        strategy: .ordered(2)),
      FlowFlawCase(
        flaw: .pauseDiscardsPreparations, findings: ["preparation-repeated"],
        behaviour: steps(4, "none", pause(10)), prepare: [60]),
      FlowFlawCase(
        flaw: .earlyResumeLost, findings: ["lost-resume"],
        behaviour: steps(6, "none", confirm(["early": .boolean(true)]))),
      FlowFlawCase(
        flaw: .lockedExecution, findings: ["pause-never-returned"],
        behaviour: steps(4, "none", confirm(["by": .choice("call"), "after": after(20)]))),
      FlowFlawCase(
        flaw: .deafPause, findings: ["cancel-never-answered"],
        behaviour: steps(
          10, "none", pause(5000).merging(lateCancel) { _, new in new }.merging(patience) { _, new in new }),
        prepare: [60], strategy: .ordered(2)),
      FlowFlawCase(
        flaw: .detachedRun, findings: ["cancel-unheard", "work-after-cancel"],
        behaviour: steps(20, "none", cancel), strategy: .ordered(2)),
      FlowFlawCase(
        flaw: .deafPreparations, findings: ["cancel-unheard"], behaviour: steps(4, "none", cancel),
        prepare: [80]),
      FlowFlawCase(
        flaw: .outcomeLost, findings: ["outcome-lost"], behaviour: steps(20, "chain", cancel), prepare: [10]),
      FlowFlawCase(
        flaw: .emptyFlowWaits, findings: ["flow-never-ended"], behaviour: steps(0, "none", patience)),
      FlowFlawCase(
        flaw: .runsAgain, findings: ["ran-twice"], behaviour: steps(3, "chain", ["run-again": .share(1)])),
      FlowFlawCase(
        flaw: .definitionUnchecked, findings: ["malformed-flow-accepted"],
        behaviour: steps(3, "chain", ["malformed": .share(1)])),
      FlowFlawCase(flaw: .keptByItself, findings: ["flow-kept-alive"], behaviour: steps(3, "chain")),
    ]
  }()
}

@Suite("Flawed flows")
struct FlawedFlowTests {
  private func run(_ flaw: FlowFlawCase, isFlawed: Bool) async throws -> Harness.Result {
    try await FlowWorkloadTests.run(
      flaw.behaviour, flaw.strategy, flaw: isFlawed ? flaw.flaw : nil, prepare: flaw.prepare,
      execute: flaw.execute,
      failures: flaw.failures, iterations: 6)
  }

  @Test("Each flaw is found under its own name and no other, with figures", arguments: FlowFlawCase.all)
  func flawed(_ flaw: FlowFlawCase) async throws {
    var result = try await run(flaw, isFlawed: true)
    // On the real clock a starved pool can let the moment of a flaw go by.
    for _ in 0..<3 where result.findings.map(\.name) != flaw.findings {
      result = try await run(flaw, isFlawed: true)
    }
    #expect(result.findings.map(\.name) == flaw.findings)
    for finding in result.findings { #expect(finding.evidence.values.contains { $0 > 0 }) }
    #expect(result.books.made == result.books.accounted)
  }

  @Test("The sound twin under the same load has no finding", arguments: FlowFlawCase.all)
  func sound(_ flaw: FlowFlawCase) async throws {
    let result = try await run(flaw, isFlawed: false)
    #expect(result.findings.isEmpty, "\(result.findings)")
    #expect(result["elements.lost"] == 0)
    #expect(result.books.made == result.books.accounted)
  }

  @Test("Every flaw is declared with the finding that names it, one for each")
  func declarations() {
    let declared = FlowWorkload().declaration
    #expect(declared.flaws.map(\.name) == FlowFlaw.allCases.map(\.rawValue))
    #expect(Set(declared.flaws.map(\.finding)).count == declared.flaws.count)
    let known = Set(declared.findings.map(\.name))
    for flaw in declared.flaws { #expect(known.contains(flaw.finding) || flaw.finding == "hung") }
    for flaw in FlowFlawCase.all {
      #expect(flaw.findings.contains(declared.flaws.first { $0.name == flaw.flaw.rawValue }?.finding ?? ""))
    }
  }
}
