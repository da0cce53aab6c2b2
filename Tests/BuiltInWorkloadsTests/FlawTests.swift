import BuiltInWorkloads
import FlawedStories
import Testing
import WorkloadInterface

/// The smallest load that shows a flaw, and what its oracle finds in it.
struct FlawCase: Sendable, CustomTestStringConvertible {
  let flaw: StoryFlaw
  let finding: String
  let figure: String
  let behaviour: [String: ParameterValue]
  var providers: [String: ProviderScript] = [:]
  var strategy = StrategySelection.perElement
  var testDescription: String { flaw.rawValue }

  private static func all(_ make: () throws -> [FlawCase]) -> [FlawCase] {
    do { return try make() } catch { fatalError("\(error)") }
  }

  private static func choosing(_ count: Int, after milliseconds: Int64) throws -> ParameterValue {
    .record(
      ParameterValues([
        "count": .integer(count), "after": try Harness.constant(milliseconds: milliseconds),
      ]))
  }

  static let judgedHere: [FlawCase] = all {
    let slow = try Harness.script(milliseconds: 15)
    let deaf = try Harness.script(milliseconds: 15, isDeaf: true)
    // Nobody has chosen yet when the cancel comes.
    func behaviour(_ more: [String: ParameterValue]) throws -> [String: ParameterValue] {
      try StoryWorkloadTests.behaviour(
        ["select-names": try choosing(8, after: 1)].merging(more) { _, new in new })
    }
    let cancel = try StoryWorkloadTests.cancel(after: 50)
    let leave = try StoryWorkloadTests.cancel(after: 50, by: "leave")
    return [
      FlawCase(
        flaw: .lastBatchLost, finding: "lost-last-flush", figure: "elements-lost",
        behaviour: try behaviour(["cancel": cancel]), providers: ["names": slow],
        strategy: .batched(10, kind: "write-behind")),
      FlawCase(
        flaw: .deafProviderAskedOn, finding: "asked-after-cancel", figure: "calls-after-cancel",
        behaviour: try behaviour(["cancel": cancel]), providers: ["names": deaf]),
      FlawCase(
        flaw: .cancellationAsFailure, finding: "cancellation-reported-as-failure", figure: "slots-reported",
        behaviour: try behaviour(["cancel": cancel]), providers: ["names": slow]),
      FlawCase(
        flaw: .slotByCount, finding: "wrong-slot", figure: "failures-misplaced",
        behaviour: try behaviour(["on-failure": .choice("skip")]),
        providers: [
          "names": try Harness.script(
            milliseconds: 1, failures: [FailureScript(kind: .malformed, selector: .calls([3, 5]))])
        ]),
      FlawCase(
        flaw: .unboundedCoordinatorStream, finding: "unbounded-run-ahead", figure: "calls-ahead",
        behaviour: try behaviour([
          "view": .boolean(false), "reading": try Harness.constant(milliseconds: 30),
          "select-names": try choosing(2, after: 1),
        ])),
      FlawCase(
        flaw: .unflushedSelectionLost, finding: "lost-selection", figure: "selections-lost",
        behaviour: try behaviour(["select-names": try choosing(3, after: 1)]), providers: ["names": slow],
        strategy: .batched(10, kind: "write-behind")),
      FlawCase(
        flaw: .cancelBeforeRegistrationLost, finding: "lost-cancel", figure: "elements-after-cancel",
        behaviour: try behaviour([
          "view": .boolean(false),
          "regenerate": .record(ParameterValues(["share": .share(1), "cancel": .share(1)])),
        ])),
      FlawCase(
        flaw: .endedTasksKept, finding: "ended-task-kept", figure: "entries-kept",
        behaviour: try behaviour(["regenerate": .record(ParameterValues(["share": .share(1)]))])),
      FlawCase(
        flaw: .secondStartTwoProducers, finding: "two-producers", figure: "calls-by-replaced-producer",
        behaviour: try behaviour([
          "select-names": try choosing(2, after: 150),
          "restart": .record(
            ParameterValues(["share": .share(1), "after": try Harness.constant(milliseconds: 40)])),
        ]), providers: ["names": slow]),
      FlawCase(
        flaw: .viewModelKeptAlive, finding: "retained-view-model", figure: "updates-after-leaving",
        behaviour: try behaviour(["cancel": leave]), providers: ["names": slow]),
      FlawCase(
        flaw: .chosenInSetOrder, finding: "selection-reordered", figure: "choices-displaced",
        behaviour: try behaviour([:])),
      FlawCase(
        flaw: .earlierChoiceKept, finding: "earlier-choice-kept", figure: "choices-kept",
        behaviour: try behaviour([
          "select-names": .record(
            ParameterValues([
              "count": .integer(2), "again": .share(1), "after": try Harness.constant(milliseconds: 500),
            ]))
        ])),
      FlawCase(
        flaw: .failureSwallowed, finding: "failure-swallowed", figure: "failures-untold",
        behaviour: try behaviour(["select-names": try choosing(2, after: 60)]),
        providers: [
          "names": try Harness.script(
            milliseconds: 1, failures: [FailureScript(kind: .reset, selector: .share(0.4))])
        ]),
      FlawCase(
        flaw: .proseFailureAsEnd, finding: "failure-taken-for-end", figure: "stories",
        behaviour: try behaviour([:]),
        providers: [
          "prose": try Harness.script(
            milliseconds: 1, isStreaming: true,
            failures: [FailureScript(kind: .reset, selector: .calls([1]))])
        ]),
    ]
  }
}

@Suite("Flawed stories")
struct FlawTests {
  private func run(_ flaw: FlawCase, isFlawed: Bool) async throws -> Harness.Result {
    try await Harness(
      workload: StoryWorkload(), strategy: flaw.strategy, flaw: isFlawed ? flaw.flaw.rawValue : nil,
      behaviour: flaw.behaviour, providers: flaw.providers, iterations: 12
    ).run()
  }

  @Test("Each flaw is found under its own name and no other, with figures", arguments: FlawCase.judgedHere)
  func flawed(_ flaw: FlawCase) async throws {
    var result = try await run(flaw, isFlawed: true)
    // On the real clock a starved pool can let the moment of a flaw go by.
    for _ in 0..<3 where result.findings.isEmpty { result = try await run(flaw, isFlawed: true) }
    #expect(result.findings.map(\.name) == [flaw.finding])
    let finding = try #require(result.findings.first)
    #expect(finding.count > 0)
    #expect((finding.evidence[flaw.figure] ?? 0) > 0, "\(finding.evidence)")
    #expect(result.books.made == result.books.accounted)
  }

  @Test("The sound twin under the same load has no finding", arguments: FlawCase.judgedHere)
  func sound(_ flaw: FlawCase) async throws {
    let result = try await run(flaw, isFlawed: false)
    #expect(result.findings.isEmpty, "\(result.findings)")
    #expect(result["elements.lost"] == 0)
    #expect(result.books.made == result.books.accounted)
  }

  @Test("A prose task that nobody cancels writes on after its reader has left")
  func uncancelledProse() async throws {
    func served(_ flaw: StoryFlaw?) async throws -> Int64 {
      try await Harness(
        workload: StoryWorkload(), flaw: flaw?.rawValue,
        behaviour: try StoryWorkloadTests.behaviour([
          "paragraphs": .integer(200), "cancel": try StoryWorkloadTests.cancel(after: 20, from: "prose"),
        ]), grace: .milliseconds(150)
      ).run()["provider.after-consumer-left{provider=prose}"]
    }
    var flawed = try await served(.uncancelledProseTask)
    for _ in 0..<3 where flawed <= 20 { flawed = try await served(.uncancelledProseTask) }
    #expect(flawed > 20)
    // The paragraphs that come while the cancel makes its way to the writer.
    var sound = try await served(nil)
    for _ in 0..<3 where sound > 8 { sound = try await served(nil) }
    #expect(sound <= 8)
  }

  @Test("Every flaw is declared with the finding that names it, one for each")
  func declarations() {
    let declared = StoryWorkload().declaration
    #expect(declared.flaws.map(\.name) == StoryFlaw.allCases.map(\.rawValue))
    // Two are seen as tasks that nobody cancels; each other one has a name of its own.
    let shared = declared.flaws.filter { $0.finding == "orphaned-task" }
    #expect(shared.map(\.name) == ["uncancelled-prose-task", "uncancelled-stage-task"])
    #expect(Set(declared.flaws.map(\.finding)).count == declared.flaws.count - 1)
    let known = Set(declared.findings.map(\.name)).union(["orphaned-task", "crashed"])
    for flaw in declared.flaws { #expect(known.contains(flaw.finding)) }
    for flaw in FlawCase.judgedHere {
      #expect(declared.flaws.first { $0.name == flaw.flaw.rawValue }?.finding == flaw.finding)
    }
  }
}
