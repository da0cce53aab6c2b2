internal import FlawedTokens
internal import TokenStreaming
public import WorkloadInterface

/// A chat with a model that streams its answers: prompts, replies that grow on the main actor, a user who may have
/// enough before the end.
///
/// Strategies are the ways of showing tokens. The engine is a scripted fake which makes tokens, holds memory for
/// each until it is stopped, and can cut its text within characters. Each conversation has an engine to itself, or
/// all of a cell share one. Flaws each replace one part of the pipeline; findings come from oracles that look at
/// what engine, reader, main actor and user saw, in every cell alike.
public struct TokensWorkload: Workload {
  /// The workload has no state.
  public init() {}

  /// What can be set.
  public var declaration: WorkloadDeclaration {
    WorkloadDeclaration(
      name: "tokens",
      about: "A user chats with a model that streams its answers token by token.",
      strategies: TokensDeclarations.strategies,
      providers: TokensDeclarations.providers,
      behaviour: TokensBehaviour.declared,
      stages: ["queue", "engine", "reply"],
      flaws: TokenFlaw.allCases.map {
        FlawDeclaration(
          name: $0.rawValue, about: $0.about, finding: TokensDeclarations.finding(naming: $0),
          report: $0.report)
      },
      findings: TokenOracles.declarations + TurnOracles.declarations,
      metrics: TokensDeclarations.metrics
    )
  }

  /// Prepares one cell.
  public func makeSession(_ cell: CellContext) throws -> any WorkloadSession {
    let behaviour = try TokensBehaviour(cell.behaviour)
    let every = cell.strategy.parameters.duration("every").map { Duration.nanoseconds($0) }
    let clock = ContinuousClock()
    var components: TokenComponents
    switch cell.strategy.kind {
    case "per-token": components = TokenComponents(presentation: PerTokenPresentation())
    case "cadence":
      components = TokenComponents(
        presentation: CadencePresentation(every: every ?? TokensDeclarations.cadence, clock: clock))
    default: throw WorkloadError("no strategy is called `\(cell.strategy.kind)`", key: "strategies")
    }
    let cadence = cell.strategy.kind == "cadence" ? every ?? TokensDeclarations.cadence : nil
    if let name = cell.flaw {
      guard let flaw = TokenFlaw(rawValue: name) else {
        throw WorkloadError("no flaw of `tokens` is called `\(name)`", key: "variant")
      }
      guard cadence != nil || !flaw.needsCadence else {
        throw WorkloadError("`\(name)` is a fault of the cadence; use the strategy `cadence`", key: "variant")
      }
      components = flaw.components(in: components, every: cadence, clock: clock)
    }
    return try TokensSession(cell: cell, components: components, behaviour: behaviour, cadence: cadence)
  }
}
