/// What a coordinator's stream of candidates carries.
public typealias NameEvent = GenerationEvent<CharacterNameCandidate>
/// What a coordinator's stream of titles carries.
public typealias TitleEvent = GenerationEvent<TitleCandidate>
/// What a coordinator's stream of plot points carries.
public typealias PlotEvent = GenerationEvent<PlotPoint>

/// Drives one stage: candidates into the registry and to the view, everything else to the view.
///
/// Runs outside every actor, in the task that calls ``run()``.
public struct StageWorker<Source: SlotSource>: Sendable {
  /// What fills the slots.
  public let source: Source
  /// Which slots.
  public let slots: StageSlots
  /// How the worker goes through them.
  public let driver: any StageDriver
  /// The way into the registry.
  public let intake: any CandidateIntake
  /// The stream to the view; `nil` where nobody watches.
  public let channel: (any PublicationChannel<GenerationEvent<Source.Success>>)?
  /// Who counts.
  public let observer: any StoryObserver

  /// A worker from its parts.
  public init(
    source: Source, slots: StageSlots, driver: any StageDriver, intake: any CandidateIntake,
    channel: (any PublicationChannel<GenerationEvent<Source.Success>>)? = nil,
    observer: any StoryObserver = NoObserver()
  ) {
    self.source = source
    self.slots = slots
    self.driver = driver
    self.intake = intake
    self.channel = channel
    self.observer = observer
  }

  /// What a worker has done.
  public struct Outcome: Sendable {
    /// The filled slots, in the order in which they were filled.
    public var results: [Source.Success]
    /// How the stage ended.
    public var ending: StageEnding
    /// What was thrown, where `ending` is `failed`.
    public var error: (any Error)?
  }

  /// Drives the stage to its end, whatever that is, and stores the last partial batch.
  public func run() async -> Outcome {
    var outcome = Outcome(results: [], ending: .finished, error: nil)
    do {
      try await driver.drive(source, slots: slots) { event in
        if case .candidate(let success, _) = event { outcome.results.append(success) }
        try await deliver(event)
      }
    } catch {
      let isCancelled = error is CancellationError || Task.isCancelled
      outcome.ending = isCancelled ? .cancelled : .failed
      outcome.error = isCancelled ? nil : error
    }
    await intake.finish(outcome.ending)
    return outcome
  }

  private func deliver(_ event: GenerationEvent<Source.Success>) async throws {
    switch event {
    case .candidate(let success, _):
      guard let candidate = source.candidate(success) else { break }
      // The intake shows it when the strategy says so.
      return try await intake.accept(candidate)
    case .failure(let failure):
      observer.slotFailed(
        source.kind, slot: failure.slot, isCancellation: failure.error is CancellationError)
    case .progress: break
    }
    try await channel?.send(event)
  }
}
