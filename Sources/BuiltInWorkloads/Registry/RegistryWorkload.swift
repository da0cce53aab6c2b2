internal import FlawedStories
internal import ProviderScripts
public import WorkloadInterface

/// The pure comparison of ways to keep candidates: workers drain a name stage each into one registry, made for
/// that iteration (with `shared` once for the cell), and nothing but their stores calls it.
///
/// Readers look meanwhile. By default they look at what is *published*, the number of elements that stores
/// have made visible so far, which is kept beside the registry, so that a look is no hop onto its actor and
/// `hops{role=registry} / elements.stored` counts stores alone. With `through: registry` each look is a call
/// of the registry, and a hop where that is an actor; of a shared one all iterations' elements are counted then.
///
/// Its flaws are those of a registry that keeps a journal: they waste an actor, or the threads beside it, and what
/// the probe sees of waits and stays names them. Real clock only.
public struct RegistryWorkload: Workload {
  /// The workload has no state.
  public init() {}

  /// What can be set.
  public var declaration: WorkloadDeclaration {
    WorkloadDeclaration(
      name: "registry",
      about: "Workers drain a name stage each into one registry while readers read; nothing else calls it.",
      strategies: RegistryStrategies.declared + [JournalStrategy.declared],
      providers: [
        ProviderDeclaration(
          name: "names", about: "Makes one name for each call.",
          defaultScript: ProviderScript(latency: Defaults.exponential(mean: 20_000_000)))
      ],
      behaviour: RegistryBehaviour.declared,
      stages: ["names"],
      flaws: RegistryFlaw.allCases.map {
        FlawDeclaration(
          name: $0.rawValue, about: $0.about, finding: JournalStrategy.finding(naming: $0), clocks: [.real])
      },
      metrics: [
        MetricDeclaration(
          "reads", .counter, .count, .neutral, about: "Looks of the readers at what the registry holds."),
        MetricDeclaration(
          "reads.behind", .distribution, .count, .lower, window: .measured,
          about: "Elements that were made and not yet visible when a reader looked."),
      ],
      roles: RegistryStrategies.roles
    )
  }

  /// Prepares one cell.
  public func makeSession(_ cell: CellContext) throws -> any WorkloadSession {
    let parts = try JournalStrategy.parts(cell)
    try BlockingLimits.check(cell)
    guard let names = ScriptedProvider("names", in: cell) else {
      throw WorkloadError("the names provider has no script", key: "providers.names")
    }
    return RegistrySession(
      cell: cell, parts: parts, behaviour: RegistryBehaviour(cell.behaviour), names: names)
  }
}
