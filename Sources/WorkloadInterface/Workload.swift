public import SeededDraws

/// A pipeline bound to its providers, strategies, metrics and scripted users, so that Weir can run it.
///
/// One value describes the pipeline for good (`declaration`); for each cell it makes a session, which runs
/// the iterations of that cell. A user's own pipeline joins Weir by conforming to this protocol.
public protocol Workload: Sendable {
  /// What the pipeline is called, what can be set, which strategies, providers, flaws and metrics it has.
  var declaration: WorkloadDeclaration { get }

  /// Prepares one cell.
  ///
  /// - Throws: `WorkloadError` when the settings cannot be run together; the cell is then not started.
  func makeSession(_ cell: CellContext) throws -> any WorkloadSession
}

/// The running side of a workload: one per cell.
public protocol WorkloadSession: Sendable {
  /// Runs the pipeline once, from start to end, as the scripted user of this iteration.
  ///
  /// Called from many tasks at once. Everything random in it comes from `iteration.draws`.
  func run(_ iteration: Iteration) async -> IterationOutcome

  /// Called once after the last iteration has ended and grace has passed: publish what is only known then.
  func finish() async

  /// The roles of actors in this cell, by unqualified type name; nil takes those of the declaration.
  ///
  /// For strategies in which an actor plays a part that it has in no other: the main actor as a registry.
  var roles: [String: String]? { get }

  /// Roles that no actor plays in this cell, as where a lock takes an actor's place: no hop onto them is then a
  /// measured zero. For any other role, no hop at all means that its actor was not seen, and gates on it fail.
  var rolesWithoutActor: Set<String> { get }
}

extension WorkloadSession {
  /// The declaration's.
  public var roles: [String: String]? { nil }

  /// None.
  public var rolesWithoutActor: Set<String> { [] }

  /// Publishes nothing.
  public func finish() async {}
}

/// How an iteration ended.
public enum IterationOutcome: Sendable, Hashable {
  /// All of the work was done.
  case completed
  /// The pipeline gave up; the reason is a short kebab-case word that reports group by.
  case failed(reason: String)
  /// The scripted user cancelled.
  case cancelled
}

/// One run of the pipeline, started by one arrival.
public struct Iteration: Sendable {
  /// The arrival's number within the cell, from 0.
  public let index: Int
  /// When the load plan wanted it to start, in ns from the start of the cell.
  public let intendedStart: Int64
  /// When it did start, in ns from the start of the cell.
  public let actualStart: Int64
  /// Whether it belongs to the warm-up: it is counted, but left out of distributions.
  public let isWarmUp: Bool
  /// Draws of this iteration, by purpose.
  public let draws: IterationDraws

  /// Makes an iteration.
  public init(
    index: Int, intendedStart: Int64, actualStart: Int64, isWarmUp: Bool, draws: IterationDraws
  ) {
    self.index = index
    self.intendedStart = intendedStart
    self.actualStart = actualStart
    self.isWarmUp = isWarmUp
    self.draws = draws
  }
}

/// The random source of one iteration: every draw is a function of (seed, purpose, iteration, slot, attempt),
/// so strategies that interleave differently still meet the same draws.
public struct IterationDraws: Sendable {
  /// The scenario's seed.
  public let seed: UInt64
  /// The iteration's number.
  public let iteration: Int

  /// Makes the source of one iteration.
  public init(seed: UInt64, iteration: Int) {
    self.seed = seed
    self.iteration = iteration
  }

  /// True for a `share` (0…1) of iterations, decided by the stream's name.
  public func isChosen(_ stream: DrawStream, share: Double) -> Bool {
    share > 0 && stream.uniform(iteration: iteration, slot: 0, attempt: 0) < share
  }

  /// A duration in ns drawn from a distribution.
  public func nanoseconds(
    _ distribution: Distribution, _ stream: DrawStream, slot: Int = 0, attempt: Int = 0
  ) -> Int64 {
    distribution.sample(stream, iteration: iteration, slot: slot, attempt: attempt)
  }
}

/// A setting that a workload cannot run with.
public struct WorkloadError: Error, Sendable, CustomStringConvertible {
  /// What is wrong and what to do about it.
  public let message: String
  /// The key of the scenario that is at fault, e.g. `behaviour.select-names`.
  public let key: String

  /// Makes an error about one key.
  public init(_ message: String, key: String) {
    self.message = message
    self.key = key
  }

  /// Key and message in one line.
  public var description: String { "\(key): \(message)" }
}
