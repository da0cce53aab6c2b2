import Foundation
import RunRecords
import Testing
import WorkloadInterface

@testable import Scenarios

/// Pipelines under every failure and latency that providers know, cancelled at each scheduling step.
///
/// `scripts/check-steps` sets WEIR_ALL_STEPS and runs the same with more iterations, orders and seeds.
enum StepMatrix {
  static let isWhole = ProcessInfo.processInfo.environment["WEIR_ALL_STEPS"] != nil

  /// A pipeline's providers, by whether they answer in elements.
  static let providers: [String: [(name: String, isStreaming: Bool)]] = [
    "story": [("names", false), ("titles", false), ("plot", false), ("prose", true)],
    "registry": [("names", false)],
    "tokens": [("engine", true)],
    "flow": [("prepare", false), ("execute", false)],
    "feed": [("prices", true)],
    "pages": [("pages", false)],
    "timeout": [("work", false)],
    "handover": [],
  ]

  /// How each kind of failure is scripted here.
  static let failures: [FailureScript.Kind: String] = [
    .timeout: "{ kind: timeout, calls: [1, 3], after: 7ms }",
    .malformed: "{ kind: malformed, calls: [1, 3] }",
    .rateLimited: "{ kind: rate-limited, calls: [1, 3] }",
    .reset: "{ kind: reset, every: 2 }",
    .hang: "{ kind: hang, calls: [1] }",
    .midStream: "{ kind: mid-stream, calls: [1], after-tokens: 2 }",
  ]

  /// How each kind of latency is.
  static let latencies: [String: String] = [
    "constant": "{ constant: 0ms }",
    "uniform": "{ uniform: { from: 0ms, to: 6ms } }",
    "exponential": "{ exponential: { mean: 3ms } }",
    "lognormal": "{ lognormal: { median: 2ms, p99: 20ms } }",
    "pareto": "{ pareto: { minimum: 1ms, p99: 30ms } }",
    "sequence": "{ sequence: [4ms, 0ms, 2ms] }",
  ]

  /// One kind of trouble in one pipeline.
  struct Case: Sendable, CustomTestStringConvertible {
    var pipeline: String
    var kind: String
    var settings: [String]
    var schedule = "fifo"
    var testDescription: String { "\(pipeline): \(kind), \(schedule)" }
  }

  static let cases: [Case] = providers.keys.sorted().flatMap(cases)

  private static func cases(of pipeline: String) -> [Case] {
    // Without providers there is one kind of trouble: the cancel.
    if providers[pipeline]?.isEmpty == true {
      return onBoth(Case(pipeline: pipeline, kind: "as it is", settings: []))
    }
    return failures.flatMap { failing($0.key, pipeline) }.sorted { $0.kind < $1.kind }.flatMap(onBoth)
      + (latencies.sorted { $0.key < $1.key }.map { late($0.key, $0.value, pipeline) } + others(pipeline))
      .enumerated().flatMap { isWhole ? onBoth($0.element) : [on(schedules[$0.offset % 2], $0.element)] }
  }

  /// The orders of ready jobs. Where time is short, latencies take turns with them.
  private static let schedules = ["every-hop", "fifo"]

  private static func onBoth(_ item: Case) -> [Case] { schedules.map { on($0, item) } }

  private static func on(_ schedule: String, _ item: Case) -> Case {
    var item = item
    item.schedule = schedule
    return item
  }

  /// Each provider by itself, so that none hides what the next would do.
  private static func failing(_ kind: FailureScript.Kind, _ pipeline: String) -> [Case] {
    (providers[pipeline] ?? []).filter { kind != .midStream || $0.isStreaming }.map { provider in
      Case(
        pipeline: pipeline, kind: "\(kind.rawValue) at \(provider.name)",
        settings: ["providers.\(provider.name).failures=[\(failures[kind] ?? "")]"])
    }
  }

  private static func late(_ kind: String, _ latency: String, _ pipeline: String) -> Case {
    Case(
      pipeline: pipeline, kind: "latency \(kind)",
      settings: (providers[pipeline] ?? []).flatMap { provider in
        let keys = provider.isStreaming ? ["latency", "first-token", "between-tokens"] : ["latency"]
        return keys.map { "providers.\(provider.name).\($0)=\(latency)" }
      })
  }

  /// What is neither a failure nor a distribution.
  private static func others(_ pipeline: String) -> [Case] {
    func all(_ kind: String, _ setting: String, _ more: [String] = []) -> Case {
      Case(
        pipeline: pipeline, kind: kind,
        settings: (providers[pipeline] ?? []).map { "providers.\($0.name).\(setting)" } + more)
    }
    return [
      all("stalls", "latency={ constant: 3ms, stalls: [{ at: 4ms, for: 9ms }] }"),
      all("capacity", "capacity=1"),
      // What is deaf ends when its call does: it may outlive its iteration by that.
      all("deaf", "ignores-cancellation=true", ["grace=500ms"]),
    ]
  }

  /// The command line of one case. A hang brings every iteration to a stand, and the sweep cancels but one.
  static func options(_ item: Case) -> [String] {
    let isSingle = !isWhole || item.kind.hasPrefix("hang")
    var settings = [
      "schedule=\(item.schedule)", "load.users=1", "load.iterations=\(isSingle ? 1 : 2)",
      "gates=[steps.run > 2, steps.failed == 0, steps.lost == 0, steps.cancelled > 0]",
    ]
    if item.schedule == "every-hop" { settings.append("cancel.orders=\(isWhole ? 5 : 1)") }
    return (settings + item.settings).flatMap { ["--set", $0] }
  }
}

extension AcceptanceTests {
  @Suite("Sweeps over scheduling steps") struct StepSweepTests {
    @Test("every kind of failure and latency that a script can have is in the table")
    func complete() {
      #expect(Set(StepMatrix.failures.keys) == Set(FailureScript.Kind.allCases))
      #expect(Set(StepMatrix.latencies.keys) == Set(DistributionReader.kinds.map(\.name)))
      let pipelines = BuiltTool.scenarios(in: "steps").map { $0.split(separator: "/").last?.dropLast(5) }
      #expect(Set(pipelines.compactMap { $0.map(String.init) }) == Set(StepMatrix.providers.keys))
    }

    @Test(
      "cancelled at each step, under each failure and latency: all adds up, nothing is left, nothing hangs or dies",
      arguments: StepMatrix.cases)
    func everywhere(item: StepMatrix.Case) throws {
      for seed in StepMatrix.isWhole ? ["3", "4", "5"] : ["3"] {
        let (code, run) = try BuiltTool.freshRecord(
          "Scenarios/steps/\(item.pipeline).yaml",
          StepMatrix.options(item) + ["--seed", seed])
        #expect(code == 0, "\(run.reasons)")
        for cell in run.cells {
          for finding in cell.findings { Issue.record("\(finding.name): \(finding.details ?? [])") }
        }
      }
    }

    /// A flaw that shows at a few steps alone, and those steps.
    private static let flawed = "Scenarios/flaws/timeout-cancel-before-entry-lost.yaml"

    @Test(
      "a flaw that shows at some steps alone is caught at exactly those, and the command given shows it again"
    )
    func flawAtSteps() throws {
      let (code, run) = try BuiltTool.record(Self.flawed)
      #expect(code == 0)
      let cell = try #require(run.cells.first { $0.variant != "sound" })
      let finding = try #require(cell.findings.first { $0.name == "orphaned-task" })
      #expect(finding.place?.contains("TimeoutSession") == true)
      let steps = try #require(cell.integer("steps.run"))
      let failing = try #require(finding.evidence["runs"])
      #expect(failing > 0 && failing < steps / 2)
      #expect(cell.integer("steps.failed") == failing)
      let first = try #require(finding.evidence["first-step"])
      let last = try #require(finding.evidence["last-step"])
      let command = try #require(finding.details?.first?.split(separator: "again: weir ").last)
      #expect(command.hasSuffix("--set cancel.at-step=\(first)"))
      // The run without its expectation, as a pipeline of one's own would meet it.
      let again =
        command.split(separator: " ").dropFirst(2).map(String.init) + [
          "--set", "expect=[]", "--set", "gates=[]",
        ]
      let single = try BuiltTool.record(Self.flawed, again)
      #expect(single.code == ExitCode.failed.rawValue)
      #expect(single.run.cells[0].findings.map(\.name) == ["orphaned-task"])
      #expect(single.run.cells[0].findings.map(\.place) == [finding.place])
      #expect(try atStep(last).code == ExitCode.failed.rawValue)
      for step in [first + 3, last + 3] { #expect(try atStep(step).code == 0) }
    }

    private func atStep(_ step: Int64) throws -> (code: Int32, run: RunRecord) {
      try BuiltTool.record(
        Self.flawed,
        [
          "variant=cancel-before-entry-lost", "cancel.at-step=\(step)", "expect=[]", "gates=[]",
        ].flatMap { ["--set", $0] })
    }

    @Test("a run made in a copy of the process finds what a process of its own finds, step by step")
    func copies() throws {
      let flaw = [
        "variant=no-termination-handler", "gates=[]", "load.users=1", "load.iterations=1",
        "behaviour.prompts=1",
        "providers.engine.tokens=1",
      ].flatMap { ["--set", $0] }
      let sweep = try BuiltTool.record("Scenarios/steps/tokens.yaml", flaw)
      let cell = try #require(sweep.run.cells.first)
      #expect(sweep.code == ExitCode.failed.rawValue)
      let run = try #require(cell.integer("steps.run"))
      var failing: [String: Int] = [:]
      for step in 0...run {
        let single = try BuiltTool.record(
          "Scenarios/steps/tokens.yaml", flaw + ["--set", "cancel.at-step=\(step)"])
        for name in Set(single.run.cells[0].findings.map(\.name)) { failing[name, default: 0] += 1 }
      }
      for finding in cell.findings { #expect(failing[finding.name] == finding.count, "\(finding.name)") }
      #expect(Set(failing.keys) == Set(cell.findings.map(\.name)))
    }

    @Test("a step that comes after the end proves nothing")
    func beyondTheEnd() throws {
      let (code, run) = try BuiltTool.record(
        "Scenarios/steps/registry.yaml", ["--set", "cancel.at-step=100000", "--set", "gates=[]"])
      #expect(code == ExitCode.invalid.rawValue)
      #expect(run.reasons.joined().contains("step 100000 was never reached"))
    }

    @Test("a run that comes to a stand is named, with what its tasks wait for")
    func stuck() throws {
      // Nothing but a cancel ends the hang, and the flaw keeps the cancel from it.
      let (code, run) = try BuiltTool.record(
        "Scenarios/steps/flow.yaml",
        [
          "variant=detached-run", "providers.prepare.failures=[{ kind: hang, calls: [3] }]", "gates=[]",
          "load.iterations=1",
        ].flatMap { ["--set", $0] })
      #expect(code == ExitCode.failed.rawValue)
      let cell = try #require(run.cells.first)
      let finding = try #require(cell.findings.first { $0.name == "stuck-when-cancelled" })
      #expect(finding.details?.contains { $0.contains("suspended") } == true)
      #expect(cell.integer("steps.failed") == cell.integer("steps.run"))
    }

    @Test("a sweep is the same bytes again, and leaves the run without a cancel as it is")
    func repeats() throws {
      let options = ["--set", "schedule=every-hop", "--set", "cancel.orders=3"]
      let first = try BuiltTool.record("Scenarios/steps/tokens.yaml", options)
      let second = try besideBusyThreads { try BuiltTool.freshRecord("Scenarios/steps/tokens.yaml", options) }
      #expect(first.run.cells == second.run.cells)
      #expect(first.run.cells.count == 3)
      #expect(first.run.cells[0].metrics["steps.run"] != nil)
      // Another order of jobs is another run.
      #expect(first.run.cells.contains { $0.metrics != first.run.cells[0].metrics })
    }
  }
}
