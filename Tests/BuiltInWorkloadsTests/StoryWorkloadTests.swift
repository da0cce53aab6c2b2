import BuiltInWorkloads
import Measurement
import SeededDraws
import Testing
import WorkloadInterface

@Suite("The story workload")
struct StoryWorkloadTests {
  /// Users who think for a few milliseconds.
  static func behaviour(_ more: [String: ParameterValue] = [:]) throws -> [String: ParameterValue] {
    let quick = try Harness.constant(milliseconds: 3)
    let base: [String: ParameterValue] = [
      "select-names": .record(ParameterValues(["count": .integer(2), "after": quick])),
      "select-title": .record(ParameterValues(["after": quick])),
      "paragraphs": .integer(5), "plot-points": .integer(3),
    ]
    return base.merging(more) { _, new in new }
  }

  static func cancel(after milliseconds: Int64, from stage: String = "names", by exit: String = "cancel")
    throws -> ParameterValue
  {
    .record(
      ParameterValues([
        "share": .share(1), "after": try Harness.constant(milliseconds: milliseconds), "from": .choice(stage),
        "by": .choice(exit),
      ]))
  }

  @Test(
    "Every strategy tells whole stories and loses nothing, with a view and without",
    arguments: StrategySelection.all,
    [true, false])
  func wholeStories(strategy: StrategySelection, hasView: Bool) async throws {
    let result = try await Harness(
      workload: StoryWorkload(), strategy: strategy,
      behaviour: try Self.behaviour([
        "view": .boolean(hasView), "regenerate": .record(ParameterValues(["share": .share(0.5)])),
      ])
    ).run()
    #expect(result.outcomes == Array(repeating: .completed, count: 4))
    #expect(result["selections.made"] == 12)
    #expect(result["selections.lost"] == 0)
    #expect(result["provider.elements{provider=prose}"] == 20)
    #expect(result.histograms["inter-element"]?.count == 16)
    #expect(result.histograms["time-to-first-element"]?.count == 4)
    for stage in ["names", "titles", "plot", "prose"] {
      #expect(result.histograms["latency.stage{stage=\(stage)}"]?.count == 4)
    }
    #expect(result["elements.lost"] == 0)
    #expect(result.books.made == result.books.accounted)
    #expect(result.findings.isEmpty, "\(result.findings)")
  }

  @Test(
    "Failures, a deaf provider, retries, second starts and cancels at any time lose nothing and raise no finding",
    arguments: StrategySelection.all, [true, false])
  func trouble(strategy: StrategySelection, hasView: Bool) async throws {
    let share = FailureScript(kind: .reset, selector: .share(0.1))
    let numbered = FailureScript(kind: .timeout, selector: .calls([3, 5]))
    let result = try await Harness(
      workload: StoryWorkload(), strategy: strategy,
      behaviour: try Self.behaviour([
        "view": .boolean(hasView), "on-failure": .choice("retry"),
        "regenerate": .record(ParameterValues(["share": .share(0.5)])),
        "restart": .record(
          ParameterValues(["share": .share(0.3), "after": try Harness.constant(milliseconds: 2)])),
        "cancel": .record(
          ParameterValues([
            "share": .share(0.6),
            "after": .distribution(try .init(.uniform(from: 0, to: 50_000_000))),
          ])),
      ]),
      providers: [
        "names": try Harness.script(milliseconds: 1, failures: [numbered], isDeaf: true),
        "titles": try Harness.script(milliseconds: 1, failures: [share], isDeaf: true),
        "plot": try Harness.script(milliseconds: 1, failures: [share]),
        "prose": try Harness.script(milliseconds: 1, isStreaming: true, failures: [share], isDeaf: true),
      ], iterations: 20
    ).run()
    #expect(result.outcomes.contains(.cancelled))
    #expect(result["cancel.requested"] > 0)
    #expect(result["retries"] > 0)
    #expect(result["elements.lost"] == 0)
    #expect(result.books.made == result.books.accounted)
    #expect(result.findings.isEmpty, "\(result.findings)")
  }

  @Test("Users who skip take what there is; users who abort give up")
  func reactions() async throws {
    for (reaction, outcome) in [
      ("skip", IterationOutcome.completed), ("abort", .failed(reason: "failed-slot")),
    ] {
      let result = try await Harness(
        workload: StoryWorkload(),
        behaviour: try Self.behaviour([
          "on-failure": .choice(reaction),
          "select-names": .record(
            ParameterValues(["count": .integer(8), "after": try Harness.constant(milliseconds: 1)])),
        ]),
        providers: [
          "names": try Harness.script(
            milliseconds: 1, failures: [FailureScript(kind: .malformed, selector: .calls([3, 5]))])
        ]
      ).run()
      #expect(result.outcomes == Array(repeating: outcome, count: 4))
      #expect(result.findings.isEmpty, "\(result.findings)")
    }
  }

  @Test("A cancel is timed by the stage it hits")
  func cancelLatency() async throws {
    let result = try await Harness(
      workload: StoryWorkload(), behaviour: try Self.behaviour(["cancel": try Self.cancel(after: 5)]),
      providers: ["names": try Harness.script(milliseconds: 2_000)]
    ).run()
    #expect(result.outcomes == Array(repeating: .cancelled, count: 4))
    #expect(result.histograms["cancel.latency{stage=names}"]?.count == 4)
    #expect((result.histograms["cancel.latency{stage=names}"]?.maximum ?? .max) < 1_500_000_000)
  }

  @Test("A user who reads and a user who cancels a regeneration need their own loop")
  func viewLimits() async throws {
    for more in [
      ["reading": try Harness.constant(milliseconds: 1)],
      ["regenerate": .record(ParameterValues(["share": .share(1), "cancel": .share(1)]))],
    ] {
      let harness = Harness(workload: StoryWorkload(), behaviour: try Self.behaviour(more))
      await #expect(throws: WorkloadError.self) { _ = try await harness.run() }
    }
  }
}
