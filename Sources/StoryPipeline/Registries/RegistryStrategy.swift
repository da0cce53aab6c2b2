/// When a worker's batch is stored: by size, by age, or both, whichever comes first.
public struct BatchLimit: Sendable, Hashable {
  /// Candidates in a full batch, at least 1; `nil`: no limit by size.
  public let size: Int?
  /// The greatest age of a batch's first candidate, also while the source is silent; `nil`: no limit by age.
  public let every: Duration?

  /// Throws ``InvalidBatchLimit`` for a size below 1, an age not above zero, or neither.
  public init(size: Int? = nil, every: Duration? = nil) throws(InvalidBatchLimit) {
    guard size != nil || every != nil else { throw InvalidBatchLimit(reason: "give a size, an age, or both") }
    if let size, size < 1 { throw InvalidBatchLimit(reason: "size \(size) is below 1") }
    if let every, every <= .zero { throw InvalidBatchLimit(reason: "age \(every) is not above zero") }
    self.size = size
    self.every = every
  }

  /// Full at `size` candidates, at least 1.
  public static func size(_ size: Int) -> BatchLimit {
    precondition(size >= 1, "a batch holds at least one candidate")
    return BatchLimit(uncheckedSize: size, every: nil)
  }

  private init(uncheckedSize size: Int?, every: Duration?) {
    self.size = size
    self.every = every
  }
}

/// A batch limit that cannot work.
public struct InvalidBatchLimit: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong with it.
  public let reason: String
  /// One line for the user.
  public var description: String { "batch limit: \(reason)" }
}

/// One way of keeping candidates.
public enum RegistryStrategy: Sendable, Hashable {
  /// An actor, one call for each candidate.
  case perElement
  /// An actor, one call for each batch; the view sees a candidate when its batch is stored.
  case batched(BatchLimit)
  /// As batched, but the worker feeds the view directly.
  case writeBehind(BatchLimit)
  /// Generation inside the actor, awaiting or blocking.
  case insideActor(blocking: Bool)
  /// A plain class on the main actor.
  case mainActor
  /// A lock.
  case locked
  /// A plain loop of async calls instead of a sequence, into a per-element actor.
  case plainCalls

  /// A registry for this strategy, empty.
  public func makeRegistry() -> any CandidateRegistry {
    switch self {
    case .perElement, .plainCalls: PerElementRegistry()
    case .batched, .writeBehind: BatchRegistry()
    case .insideActor(let blocking): GeneratingRegistry(blocking: blocking)
    case .mainActor: MainActorRegistry()
    case .locked: LockedRegistry()
    }
  }

  /// The driver for this strategy and a registry that it made.
  public func makeDriver(for registry: any CandidateRegistry) -> any StageDriver {
    if let registry = registry as? GeneratingRegistry { return InsideActorDriver(registry: registry) }
    if case .plainCalls = self { return PlainCallsDriver() }
    return SequenceDriver()
  }

  /// The worker's way into the registry. One for each stage that a worker drives.
  public func makeIntake(_ context: IntakeContext) -> any CandidateIntake {
    switch self {
    case .perElement, .plainCalls, .mainActor, .locked: DirectIntake(context)
    case .insideActor: AlreadyStoredIntake(context)
    case .batched(let limit): CandidateCollector(context, limit: limit, showsFirst: false)
    case .writeBehind(let limit): CandidateCollector(context, limit: limit, showsFirst: true)
    }
  }
}
