import SeededDraws
import WorkloadInterface

@testable import Scenarios

/// A declaration in the shape of a story pipeline's, so that these tests need no pipeline.
enum Story {
  static let declaration = WorkloadDeclaration(
    name: "story", about: "A whole story.",
    strategies: [
      StrategyDeclaration(name: "per-element", about: "An actor stores each element."),
      StrategyDeclaration(
        name: "batched", about: "Batches by size, age or both.",
        parameters: [
          ParameterDeclaration("size", .integer(1...10_000), about: "Elements in a batch."),
          ParameterDeclaration("every", .duration(atLeast: 1_000_000), about: "Age of a batch."),
        ], needsOneOf: ["size", "every"]),
    ],
    providers: [
      ProviderDeclaration(
        name: "names", about: "Names.", defaultScript: ProviderScript(latency: constant(100_000_000))),
      ProviderDeclaration(
        name: "prose", about: "Prose.", isStreaming: true,
        defaultScript: ProviderScript(
          latency: constant(300_000_000), firstToken: constant(250_000_000),
          betweenTokens: constant(20_000_000), tokens: 40)),
    ],
    behaviour: [
      ParameterDeclaration(
        "select-names",
        .record([
          ParameterDeclaration("count", .integer(1...10), default: .integer(1), about: "Names chosen."),
          ParameterDeclaration(
            "after", .distribution, default: .distribution(constant(1_000_000_000)), about: "Time to choose."),
        ]), default: .record(ParameterValues([:])), about: "Choosing names."),
      ParameterDeclaration(
        "regenerate",
        .record([ParameterDeclaration("share", .share, default: .share(0), about: "Stories that regenerate.")]
        ),
        about: "Regenerating."),
      ParameterDeclaration(
        "on-failure", .choice(["retry", "skip", "abort"]), default: .choice("skip"), about: "On failure."),
      ParameterDeclaration(
        "cancel",
        .record([
          ParameterDeclaration("share", .share, about: "Stories cancelled."),
          ParameterDeclaration("after", .distribution, about: "Time to the cancel."),
        ]), about: "Cancelling."),
      ParameterDeclaration("reads-aloud", .boolean, default: .boolean(false), about: "Reading."),
      ParameterDeclaration("pause", .duration(atLeast: 0), about: "A pause."),
    ],
    stages: ["names", "titles", "plot", "prose"],
    flaws: [
      FlawDeclaration(name: "last-batch-lost", about: "Lost.", finding: "last-batch-lost"),
      FlawDeclaration(name: "late-tick", about: "Late.", finding: "late-tick", clocks: [.virtual]),
    ],
    findings: [FindingDeclaration(name: "last-batch-lost", about: "Lost.", advice: "Flush.")],
    metrics: [MetricDeclaration("overlap", .gauge, .ratio, .higher, about: "Overlap.")],
    roles: ["BatchRegistry": "registry"])

  static let empty = WorkloadDeclaration(name: "empty", about: "Nothing.", strategies: [], providers: [])

  static let reader = ScenarioReader(workloads: [declaration, empty])

  static func constant(_ nanoseconds: Int64) -> Distribution {
    (try? Distribution(.constant(nanoseconds))) ?? .zero
  }

  /// The least that is a scenario; five lines.
  static let least = """
    name: least
    pipeline: story
    load:
      model: open
      stages: [{ for: 10s, rate: 20/s }]

    """

  /// The scenario of the design.
  static let rapid = """
    name: rapid-regeneration
    about: Users regenerate names quickly; does the registry become the bottleneck?
    pipeline: story
    variant: sound                 # or one of the pipeline's flaws
    clock: virtual                 # virtual | real | [virtual, real]
    seed: 7
    load:
      model: open                  # open (arrivals) | closed (users)
      arrivals: poisson            # constant | poisson
      stages:
        - { for: 10s, rate: 20/s }
        - { for: 20s, rate: 20/s, to: 80/s }
      max-in-flight: 2000
      at-limit: drop               # drop | queue
      warm-up: 5s
    behaviour:                     # the scripted user of one iteration
      select-names: { count: 2, after: { lognormal: { median: 1s, p99: 6s } } }
      regenerate: { share: 20% }
      on-failure: retry            # retry | skip | abort
      cancel: { share: 10%, after: { uniform: { from: 0s, to: 4s } } }
    providers:
      names:
        latency: { lognormal: { median: 120ms, p99: 900ms } }
        cpu: { constant: 200us }   # work done on the pool, real clock
        failures:
          - { kind: timeout, share: 1%, after: 2s }
          - { kind: malformed, calls: [3, 5] }
      prose:
        first-token: { constant: 250ms }
        between-tokens: { exponential: { mean: 18ms } }
    sink: { update: 50us, per-element: 2us }   # each update costs more as the text grows
    strategies:
      - per-element                # name: per-element
      - batched: { size: 5 }       # name: batched-5
      - batched: { size: 5, every: 50ms }      # name: batched-5-50ms; name: sets another; two alike are an error
    gates:
      - tasks.orphaned == 0
      - latency.iteration.p99 < 8s
      - flush.count / elements.stored <= 0.25 for batched-5
    expect: []                     # findings that must occur, e.g. { finding: orphaned-task, count: 1 }; unexpected ones fail

    """

  /// The faults of a text.
  static func faults(
    _ text: String, overrides: [ScenarioOverride] = [], strategies: [String] = []
  ) -> [ScenarioDiagnostic] {
    if case .failure(let errors) = reader.read(
      text: text, file: "t.yaml", overrides: overrides, strategies: strategies)
    {
      return errors.diagnostics
    }
    return []
  }
}
