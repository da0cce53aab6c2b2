internal import StoryPipeline
internal import WorkloadInterface

/// The strategies that both workloads offer, as declared to scenarios and as the pipeline knows them.
enum RegistryStrategies {
  private static let batchParameters = [
    ParameterDeclaration("size", .integer(1...100_000), about: "Elements in a full batch."),
    ParameterDeclaration(
      "every", .duration(atLeast: 1), about: "Greatest age of a batch's first element."),
  ]

  /// In the order in which `weir list` shows them.
  static let declared: [StrategyDeclaration] = [
    StrategyDeclaration(
      name: "per-element", about: "An actor that is called once for each element."),
    StrategyDeclaration(
      name: "batched", about: "The worker collects and stores a batch in one call.",
      parameters: batchParameters, needsOneOf: ["size", "every"]),
    StrategyDeclaration(
      name: "write-behind", about: "As batched, but the worker feeds the view directly.",
      parameters: batchParameters, needsOneOf: ["size", "every"]),
    StrategyDeclaration(
      name: "inside-actor", about: "Generation inside the registry's actor, awaiting or blocking.",
      parameters: [
        ParameterDeclaration(
          "blocking", .boolean, default: .boolean(false),
          about: "Hold the actor's thread while the provider works (real clock only).")
      ]),
    StrategyDeclaration(name: "main-actor", about: "A plain class on the main actor."),
    StrategyDeclaration(name: "locked", about: "A table under a lock, no actor."),
    StrategyDeclaration(
      name: "plain-calls", about: "A plain loop of async calls instead of a sequence."),
  ]

  /// What an actor type does, in every strategy.
  static let roles = [
    "PerElementRegistry": "registry", "BatchRegistry": "registry", "GeneratingRegistry": "registry",
    "JournalledRegistry": "registry",
  ]

  /// The roles in one cell: the main actor is the registry only where the strategy makes it so.
  static func roles(for strategy: RegistryStrategy, beside others: [String: String] = [:]) -> [String: String]
  {
    var all = roles.merging(others) { mine, _ in mine }
    if case .mainActor = strategy { all["MainActor"] = "registry" }
    return all
  }

  /// Where a lock keeps the registry no actor does.
  static func rolesWithoutActor(for strategy: RegistryStrategy) -> Set<String> {
    if case .locked = strategy { ["registry"] } else { [] }
  }

  /// The pipeline's value for a scenario's choice.
  static func strategy(_ selection: StrategySelection, clock: ClockKind) throws -> RegistryStrategy {
    switch selection.kind {
    case "per-element": return .perElement
    case "batched": return .batched(try limit(selection))
    case "write-behind": return .writeBehind(try limit(selection))
    case "inside-actor":
      let blocking = selection.parameters.boolean("blocking") ?? false
      guard !blocking || clock == .real else {
        throw WorkloadError(
          "a blocking registry holds the thread that moves virtual time; use `clock: real`",
          key: "strategies.inside-actor.blocking")
      }
      return .insideActor(blocking: blocking)
    case "main-actor": return .mainActor
    case "locked": return .locked
    case "plain-calls": return .plainCalls
    default:
      throw WorkloadError("no strategy is called `\(selection.kind)`", key: "strategies")
    }
  }

  private static func limit(_ selection: StrategySelection) throws -> BatchLimit {
    do {
      return try BatchLimit(
        size: selection.parameters.integer("size"),
        every: selection.parameters.duration("every").map { .nanoseconds($0) })
    } catch {
      throw WorkloadError("\(error)", key: "strategies.\(selection.kind)")
    }
  }
}

extension RegistryStrategy {
  /// The batch limit, where there is one.
  var limit: BatchLimit? {
    switch self {
    case .batched(let limit), .writeBehind(let limit): limit
    case .perElement, .insideActor, .mainActor, .locked, .plainCalls: nil
    }
  }
}
