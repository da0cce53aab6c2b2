internal import FlawedStories
internal import StoryPipeline
internal import WorkloadInterface

/// The strategy that `registry` has beside those of a story: a registry that keeps a journal.
enum JournalStrategy {
  static let name = "journalled"

  static let declared = StrategyDeclaration(
    name: name,
    about: "An actor that writes each element into a journal before it lets go (real clock only).",
    parameters: [
      ParameterDeclaration(
        "write", .duration(atLeast: 0), default: .duration(1_000_000),
        about: "How long a line of the journal takes; the actor is held and its thread blocked."),
      ParameterDeclaration(
        "words", .integer(0...1_000), default: .integer(0),
        about: "Words of each element, entered into an index on the main actor."),
      ParameterDeclaration(
        "compact", .integer(0...100_000), default: .integer(0),
        about: "Lines of the journal that are compacted beside the workers, once in each iteration."),
      ParameterDeclaration(
        "commit", .duration(atLeast: 1),
        about: "How long after the first line a commit makes all lines last; workers wait for it."),
    ])

  /// What each flaw is caught as, and what of the strategy it needs to show.
  static func finding(naming flaw: RegistryFlaw) -> String {
    switch flaw {
    case .writeForEachField: "actor-saturated"
    case .lineForEachWaiter: "contention-collapse"
    case .indexWordByWord: "hop-ping-pong"
    case .wholeTableWritten: "long-hold"
    case .compactedInBackground: "priority-inversion"
    case .commitBlocksWorkers: "pool-exhausted"
    }
  }

  /// The parts for one cell.
  static func parts(_ cell: CellContext) throws -> RegistryParts {
    let strategy = cell.strategy
    guard strategy.kind == name else {
      guard cell.flaw == nil else {
        throw WorkloadError(
          "the flaws of `registry` are flaws of a journal: use `journalled`", key: "strategies")
      }
      return RegistryParts(try RegistryStrategies.strategy(strategy, clock: cell.clock))
    }
    guard cell.clock == .real else {
      throw WorkloadError(
        "a journal holds the thread that moves virtual time; use `clock: real`", key: "strategies.journalled")
    }
    var components = JournalComponents()
    if let name = cell.flaw {
      guard let flaw = RegistryFlaw(rawValue: name) else {
        throw WorkloadError("no flaw of `registry` is called `\(name)`", key: "variant")
      }
      components = flaw.components(in: components)
    }
    return RegistryParts(strategy.parameters, components)
  }
}

/// What the workers of one cell work with.
struct RegistryParts: Sendable {
  /// A registry, its way in, and what goes on beside it; made for an iteration, or once for all of a cell.
  struct Instance: Sendable {
    var registry: any CandidateRegistry
    var makeIntake: @Sendable (IntakeContext) -> any CandidateIntake
    var makeDriver: @Sendable () -> any StageDriver
    /// Goes on beside the workers of an iteration.
    var housekeeping: (@Sendable () async -> Void)?
  }

  let make: @Sendable () -> Instance
  let roles: [String: String]
  let rolesWithoutActor: Set<String>

  /// Of the strategies that stories have as well.
  init(_ strategy: RegistryStrategy) {
    make = {
      let registry = strategy.makeRegistry()
      return Instance(
        registry: registry, makeIntake: { strategy.makeIntake($0) },
        makeDriver: { strategy.makeDriver(for: registry) })
    }
    roles = RegistryStrategies.roles(for: strategy)
    rolesWithoutActor = RegistryStrategies.rolesWithoutActor(for: strategy)
  }

  /// Of a journalled registry.
  init(_ parameters: ParameterValues, _ components: JournalComponents) {
    let line = parameters.duration("write") ?? 1_000_000
    let words = parameters.integer("words") ?? 0
    let compacted = parameters.integer("compact") ?? 0
    let commitAfter = parameters.duration("commit")
    make = {
      let registry = components.makeRegistry(ScriptedJournal(line: line), words)
      let commit = commitAfter.map(ScriptedCommit.init)
      var instance = Instance(
        registry: registry,
        makeIntake: { context in
          commit.map { components.makeIntake(context, $0) } ?? DirectIntake(context)
        }, makeDriver: { SequenceDriver() })
      if compacted > 0, let journalled = registry as? JournalledRegistry {
        instance.housekeeping = { await components.compaction.compact(journalled, lines: compacted) }
      }
      return instance
    }
    roles = RegistryStrategies.roles
    rolesWithoutActor = []
  }
}
