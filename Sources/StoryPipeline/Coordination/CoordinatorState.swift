/// Where a story stands.
public enum StoryPhase: String, Sendable, CaseIterable {
  /// Nothing is generated.
  case brief
  /// Names are being generated.
  case naming
  /// Names are there to be chosen (all, or what there was when it was cancelled).
  case namesOffered
  /// Names are chosen.
  case namesSelected
  /// Titles are being generated.
  case titling
  /// Titles are there to be chosen.
  case titlesOffered
  /// A title is chosen.
  case titleSelected
  /// The outline is being generated.
  case outlining
  /// The outline is complete.
  case outlined
  /// Prose is being written.
  case writing
  /// The story is complete.
  case written
}

/// The coordinator's state machine as a pure value: events in, actions out.
public struct CoordinatorState: Sendable, Equatable {
  /// What can happen.
  public enum Event: Sendable, Equatable {
    /// The user's actions.
    case startNames, selectNames, regenerateName, startTitles, selectTitle, regenerateTitle
    /// The user's actions.
    case startOutline, startProse, cancel
    /// The stage of that start has ended. For an outline and prose, `complete` says whether nothing is missing.
    case stageEnded(generation: UInt64, complete: Bool)
  }

  /// What is to be done about it, in this order.
  public enum Action: Sendable, Equatable {
    /// Cancel the running producer and end its stream.
    case stopProducer
    /// Cancel what runs beside it.
    case cancelRegenerations
    /// Start a producer for this stage under this number, in place of the one that runs.
    case startProducer(ProviderKind, generation: UInt64)
    /// Run a single call outside the coordinator.
    case runBeside(ProviderKind)
    /// Write the request: a boundary is reached.
    case persist
  }

  /// Where the story stands.
  public private(set) var phase: StoryPhase
  /// The number of the latest start, from 1; 0 before the first.
  public private(set) var generation: UInt64 = 0

  /// The state that a request resumes in.
  public init(resuming boundary: StageBoundary = .brief) {
    switch boundary {
    case .brief: phase = .brief
    case .namesOffered: phase = .namesOffered
    case .namesSelected: phase = .namesSelected
    case .titlesOffered: phase = .titlesOffered
    case .titleSelected: phase = .titleSelected
    case .outlined: phase = .outlined
    case .written: phase = .written
    }
  }

  /// Throws what ``handle(_:)`` would throw, changing nothing.
  public func check(_ event: Event) throws(IllegalTransition) {
    var copy = self
    _ = try copy.handle(event)
  }

  /// Takes an event. Throws ``IllegalTransition`` for what is not possible now; then nothing changes.
  public mutating func handle(_ event: Event) throws(IllegalTransition) -> [Action] {
    switch (event, phase) {
    case (.startNames, .brief), (.startNames, .naming), (.startNames, .namesOffered):
      return start(.names, phase: .naming)
    case (.selectNames, .naming), (.selectNames, .namesOffered), (.selectNames, .namesSelected):
      return settle(.namesSelected)
    case (.regenerateName, .naming), (.regenerateName, .namesOffered): return [.runBeside(.names)]
    case (.startTitles, .namesSelected), (.startTitles, .titling), (.startTitles, .titlesOffered):
      return start(.titles, phase: .titling)
    case (.selectTitle, .titling), (.selectTitle, .titlesOffered), (.selectTitle, .titleSelected):
      return settle(.titleSelected)
    case (.regenerateTitle, .titling), (.regenerateTitle, .titlesOffered): return [.runBeside(.titles)]
    case (.startOutline, .titleSelected), (.startOutline, .outlining):
      return start(.plot, phase: .outlining)
    case (.startProse, .outlined), (.startProse, .writing): return start(.prose, phase: .writing)
    case (.cancel, _): return cancel()
    case (.stageEnded(let ended, let complete), _): return stageEnded(ended, complete: complete)
    default: throw IllegalTransition(event: event, phase: phase)
    }
  }

  private mutating func start(_ kind: ProviderKind, phase: StoryPhase) -> [Action] {
    self.phase = phase
    generation += 1
    return [.cancelRegenerations, .startProducer(kind, generation: generation)]
  }

  private mutating func settle(_ phase: StoryPhase) -> [Action] {
    self.phase = phase
    return [.stopProducer, .cancelRegenerations, .persist]
  }

  private mutating func cancel() -> [Action] {
    phase = phaseAtRest
    return [.stopProducer, .cancelRegenerations]
  }

  private mutating func stageEnded(_ ended: UInt64, complete: Bool) -> [Action] {
    // A stage that was replaced or stopped has nothing to say any more.
    guard ended == generation, phase != phaseAtRest else { return [] }
    guard complete else {
      phase = phaseAtRest
      return []
    }
    switch phase {
    case .outlining: phase = .outlined
    case .writing: phase = .written
    default: phase = phaseAtRest
    }
    return [.persist]
  }

  private var phaseAtRest: StoryPhase {
    switch phase {
    case .naming: .namesOffered
    case .titling: .titlesOffered
    case .outlining: .titleSelected
    case .writing: .outlined
    default: phase
    }
  }
}

/// The user asked for something that is not possible now.
public struct IllegalTransition: Error, Sendable, Equatable, CustomStringConvertible {
  /// What was asked.
  public let event: CoordinatorState.Event
  /// Where the story stands.
  public let phase: StoryPhase

  /// A refusal of `event` at `phase`.
  public init(event: CoordinatorState.Event, phase: StoryPhase) {
    self.event = event
    self.phase = phase
  }

  /// One line for the user.
  public var description: String { "\(event) is not possible while the story is at \(phase.rawValue)" }
}
