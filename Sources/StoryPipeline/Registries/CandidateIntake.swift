/// How a stage ended.
public enum StageEnding: String, Sendable {
  /// All slots were asked for, it was cancelled, or something threw.
  case finished, cancelled, failed
}

/// A worker's way into the registry, and from there to the view.
public protocol CandidateIntake: AnyObject, Sendable {
  /// Takes one candidate. Suspends while it is stored and shown; throws what showing throws.
  func accept(_ candidate: Candidate) async throws
  /// Stores what is still held back, because the user is choosing. Shows nothing.
  func storePending() async
  /// Stores what is still held back, and shows it if the stage finished by itself. Nothing is accepted afterwards.
  func finish(_ ending: StageEnding) async
}

/// What an intake works with.
public struct IntakeContext: Sendable {
  /// Where candidates go.
  public var registry: any CandidateRegistry
  /// What times a batch's age.
  public var clock: any Clock<Duration>
  /// Who counts.
  public var observer: any StoryObserver
  /// Shows a candidate to the view; suspends until it is taken; throws when nobody will take it.
  /// `nil` where there is no view.
  public var show: (@Sendable (Candidate) async throws -> Void)?

  /// A context from its parts.
  public init(
    registry: any CandidateRegistry, clock: any Clock<Duration> = ContinuousClock(),
    observer: any StoryObserver = NoObserver(), show: (@Sendable (Candidate) async throws -> Void)? = nil
  ) {
    self.registry = registry
    self.clock = clock
    self.observer = observer
    self.show = show
  }

  /// Shows each; what cannot be shown is counted as dropped. Rethrows the first refusal.
  func showOrDrop(_ candidates: some Collection<Candidate>) async throws {
    guard let show else { return }
    var rest = candidates[...]
    while let candidate = rest.first {
      do {
        try await show(candidate)
      } catch {
        drop(rest)
        throw error
      }
      rest = rest.dropFirst()
    }
  }

  /// Tells the observer that these will not be delivered.
  func drop(_ candidates: some Collection<Candidate>) {
    guard show != nil else { return }
    for candidate in candidates { observer.candidateDropped(candidate.id) }
  }
}

/// Stores each candidate at once, then shows it.
public final class DirectIntake: CandidateIntake {
  private let context: IntakeContext

  /// An intake that holds nothing back.
  public init(_ context: IntakeContext) { self.context = context }

  /// One call to the registry.
  public func accept(_ candidate: Candidate) async throws {
    await context.registry.store(candidate)
    context.observer.candidateStored(candidate.id)
    try await context.showOrDrop(CollectionOfOne(candidate))
  }

  /// Nothing is held back.
  public func storePending() async {}

  /// Nothing is held back.
  public func finish(_ ending: StageEnding) async {}
}

/// Shows what the registry has already stored itself.
final class AlreadyStoredIntake: CandidateIntake {
  private let context: IntakeContext

  init(_ context: IntakeContext) { self.context = context }

  func accept(_ candidate: Candidate) async throws {
    context.observer.candidateStored(candidate.id)
    try await context.showOrDrop(CollectionOfOne(candidate))
  }

  func storePending() async {}

  func finish(_ ending: StageEnding) async {}
}
