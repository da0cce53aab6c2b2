internal import FlawedStories
internal import SeededDraws
internal import StoryPipeline
public import WorkloadInterface

/// A whole story by a scripted user: names, a choice, titles, a choice, outline, prose.
///
/// The user works through the story coordinator and a view model on the main actor, or, with `view: false`,
/// reads the coordinator's streams with its own loop. The strategies are those of `registry`; the flaws each
/// replace one part of the pipeline. Findings come from oracles that look at what the providers, the observer
/// and the user saw, in every cell alike.
public struct StoryWorkload: Workload {
  /// The workload has no state.
  public init() {}

  /// What can be set.
  public var declaration: WorkloadDeclaration {
    WorkloadDeclaration(
      name: "story",
      about: "A scripted user writes a whole story: names, titles, outline, prose.",
      strategies: RegistryStrategies.declared,
      providers: StoryDeclarations.providers,
      behaviour: StoryBehaviour.declared,
      stages: ProviderKind.allCases.map(\.rawValue),
      flaws: StoryFlaw.allCases.map {
        FlawDeclaration(name: $0.rawValue, about: $0.about, finding: StoryDeclarations.finding(naming: $0))
      },
      findings: StoryOracles.declarations,
      metrics: StoryDeclarations.metrics,
      roles: RegistryStrategies.roles.merging(StoryDeclarations.roles) { mine, _ in mine }
    )
  }

  /// Prepares one cell.
  public func makeSession(_ cell: CellContext) throws -> any WorkloadSession {
    let strategy = try RegistryStrategies.strategy(cell.strategy, clock: cell.clock)
    let behaviour = StoryBehaviour(cell.behaviour)
    try behaviour.check()
    var components = StoryComponents(strategy: strategy)
    var flaw: StoryFlaw?
    if let name = cell.flaw {
      guard let named = StoryFlaw(rawValue: name) else {
        throw WorkloadError("no flaw of `story` is called `\(name)`", key: "variant")
      }
      try StoryDeclarations.check(named, with: strategy)
      components = named.components(in: components)
      flaw = named
    }
    return StorySession(
      cell: cell, components: components, flaw: flaw, behaviour: behaviour, providers: try StoryFakes(cell))
  }
}
