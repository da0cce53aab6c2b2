/// What a pipeline is called and what a scenario may set of it. Scenario checks, help texts and the editor
/// schema are all made from this one value.
public struct WorkloadDeclaration: Sendable {
  /// The name in `pipeline:`.
  public var name: String
  /// One sentence for people.
  public var about: String
  /// The ways of doing the same work; the first is the default.
  public var strategies: [StrategyDeclaration]
  /// What the pipeline calls out to.
  public var providers: [ProviderDeclaration]
  /// The keys of `behaviour:`.
  public var behaviour: [ParameterDeclaration]
  /// The stages that `latency.stage{stage=…}` knows.
  public var stages: [String]
  /// The named flaws that `variant:` accepts beside `sound`.
  public var flaws: [FlawDeclaration]
  /// The findings that this workload can report by itself.
  public var findings: [FindingDeclaration]
  /// Metrics of the workload's own, beside the catalogue.
  public var metrics: [MetricDeclaration]
  /// The role an actor plays, by its unqualified type name: `["BatchRegistry": "registry"]`.
  public var roles: [String: String]

  /// Makes a declaration.
  public init(
    name: String, about: String, strategies: [StrategyDeclaration], providers: [ProviderDeclaration],
    behaviour: [ParameterDeclaration] = [], stages: [String] = [], flaws: [FlawDeclaration] = [],
    findings: [FindingDeclaration] = [], metrics: [MetricDeclaration] = [], roles: [String: String] = [:]
  ) {
    self.name = name
    self.about = about
    self.strategies = strategies
    self.providers = providers
    self.behaviour = behaviour
    self.stages = stages
    self.flaws = flaws
    self.findings = findings
    self.metrics = metrics
    self.roles = roles
  }
}

/// One way of doing the same work.
public struct StrategyDeclaration: Sendable {
  /// The name in `strategies:`.
  public var name: String
  /// One sentence for people.
  public var about: String
  /// What can be set: `batched: { size: 5 }`. The values given become part of the strategy's default name.
  public var parameters: [ParameterDeclaration]
  /// Of these parameters at least one must be given; empty when none is needed.
  public var needsOneOf: [String]

  /// Makes a declaration.
  public init(
    name: String, about: String, parameters: [ParameterDeclaration] = [], needsOneOf: [String] = []
  ) {
    self.name = name
    self.about = about
    self.parameters = parameters
    self.needsOneOf = needsOneOf
  }
}

/// A strategy as a scenario chose it.
public struct StrategySelection: Sendable, Codable, Hashable {
  /// The name in results: given by `name:`, else made from the kind and its settings (`batched-5-50ms`).
  public var name: String
  /// The declared strategy.
  public var kind: String
  /// Its settings.
  public var parameters: ParameterValues

  /// Makes a selection.
  public init(name: String, kind: String, parameters: ParameterValues = ParameterValues([:])) {
    self.name = name
    self.kind = kind
    self.parameters = parameters
  }
}

/// A provider that the pipeline calls.
public struct ProviderDeclaration: Sendable {
  /// The name in `providers:` and in `provider.calls{provider=…}`.
  public var name: String
  /// One sentence for people.
  public var about: String
  /// Whether one call answers with many elements (`first-token`, `between-tokens`).
  public var isStreaming: Bool
  /// The script when a scenario sets none.
  public var defaultScript: ProviderScript

  /// Makes a declaration.
  public init(name: String, about: String, isStreaming: Bool = false, defaultScript: ProviderScript) {
    self.name = name
    self.about = about
    self.isStreaming = isStreaming
    self.defaultScript = defaultScript
  }
}

/// A fault that can be built into the pipeline on purpose, and what catches it.
public struct FlawDeclaration: Sendable {
  /// The name in `variant:`.
  public var name: String
  /// One sentence: what is wrong.
  public var about: String
  /// The finding that must name it.
  public var finding: String
  /// The clocks it exists on.
  public var clocks: [ClockKind]
  /// The address of a public report of such a fault; nil where there is none.
  public var report: String?

  /// Makes a declaration.
  public init(
    name: String, about: String, finding: String, clocks: [ClockKind] = ClockKind.allCases,
    report: String? = nil
  ) {
    self.name = name
    self.about = about
    self.finding = finding
    self.clocks = clocks
    self.report = report
  }
}

/// A named fault that a run can report.
public struct FindingDeclaration: Sendable {
  /// Kebab-case name.
  public var name: String
  /// What it means.
  public var about: String
  /// What to do about it.
  public var advice: String
  /// Whether it only advises: it depends on the machine and its load, and fails no scenario unless expected there.
  public var isAdvisory: Bool

  /// Makes a declaration.
  public init(name: String, about: String, advice: String, isAdvisory: Bool = false) {
    self.name = name
    self.about = about
    self.advice = advice
    self.isAdvisory = isAdvisory
  }
}
