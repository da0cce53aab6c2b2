public import StoryPipeline

/// The ways in which the story pipeline is wrong on purpose. Each replaces one part of the sound one.
public enum StoryFlaw: String, CaseIterable, Sendable {
  /// ``UncancelledProseSequence``
  case uncancelledProseTask = "uncancelled-prose-task"
  /// ``ForgetfulIntake``
  case lastBatchLost = "last-batch-lost"
  /// ``DeafDriver``
  case deafProviderAskedOn = "deaf-provider-asked-on"
  /// ``CancellationAsFailureDriver``
  case cancellationAsFailure = "cancellation-as-failure"
  /// ``CountingSlotDriver``
  case slotByCount = "slot-by-count"
  /// ``UnboundedFactory``
  case unboundedCoordinatorStream = "unbounded-coordinator-stream"
  /// ``LossySelection``
  case unflushedSelectionLost = "unflushed-selection-lost"
  /// ``LateRegisteringTaskTable``
  case cancelBeforeRegistrationLost = "cancel-before-registration-lost"
  /// ``EverGrowingTaskTable``
  case endedTasksKept = "ended-tasks-kept"
  /// ``OverwritingProducerSlot``
  case secondStartTwoProducers = "second-start-two-producers"
  /// ``StrongViewLoop``
  case viewModelKeptAlive = "view-model-kept-alive"
  /// ``UnheardFactory`` and ``LooseProducerSlot``
  case uncancelledStageTask = "uncancelled-stage-task"
  /// ``SetOrderSelection``
  case chosenInSetOrder = "chosen-in-set-order"
  /// ``AccumulatingSelection``
  case earlierChoiceKept = "earlier-choice-kept"
  /// ``SwallowingDriver``
  case failureSwallowed = "failure-swallowed"
  /// ``UnfailingProse``
  case proseFailureAsEnd = "prose-failure-as-end"
  /// ``ArchetypeForcingNames``
  case archetypeForced = "archetype-forced"

  /// What is wrong, in one line.
  public var about: String {
    switch self {
    case .uncancelledProseTask: "nobody cancels the task behind the prose stream when its consumer leaves"
    case .lastBatchLost: "the last partial batch is not stored when the stage is cancelled or fails"
    case .deafProviderAskedOn: "the stage does not look at cancellation between two provider calls"
    case .cancellationAsFailure:
      "a cancelled call is reported as a retryable failure, and the next one is made"
    case .slotByCount:
      "a failed slot is numbered by counting candidates, so the second failure names a wrong one"
    case .unboundedCoordinatorStream: "the coordinator's stream buffers without bound, the stage runs ahead"
    case .unflushedSelectionLost:
      "a choice that is still in a batch is left out of the selection without a word"
    case .cancelBeforeRegistrationLost: "cancelling a task that is not in the table yet does nothing"
    case .endedTasksKept: "tasks that have ended stay in the table"
    case .secondStartTwoProducers: "starting again leaves the first producer running"
    case .viewModelKeptAlive: "the loop of a view model keeps the model, which keeps the loop"
    case .uncancelledStageTask: "nobody cancels the coordinator's task when the consumer of its stream leaves"
    case .chosenInSetOrder: "the choice is kept in a set and comes back in the set's order"
    case .earlierChoiceKept: "a second choice is added to the first, which nobody takes back"
    case .failureSwallowed: "a repeated call is made with `try?`, so its failure is nothing"
    case .proseFailureAsEnd: "the bridge from callbacks knows no failure: prose that breaks off is complete"
    case .archetypeForced: "a random archetype is unwrapped by force, though a request may have none"
    }
  }

  /// The strategy under which the flaw shows: those about batches need one that leaves a partial batch of ten.
  public var strategy: RegistryStrategy {
    switch self {
    case .lastBatchLost, .unflushedSelectionLost: .writeBehind(.size(4))
    default: .perElement
    }
  }

  /// Sound components for ``strategy``, with the flawed part in place.
  public var components: StoryComponents { components(in: StoryComponents(strategy: strategy)) }

  /// These components with the flawed part in place; the rest stays.
  public func components(in sound: StoryComponents) -> StoryComponents {
    var parts = sound
    switch self {
    case .uncancelledProseTask: parts.makeProse = { UncancelledProseSequence($0) }
    case .lastBatchLost:
      parts.makeIntake = { ForgetfulIntake(sound.makeIntake($0, $1)) }
    case .deafProviderAskedOn: parts.makeDriver = { _, _ in DeafDriver() }
    case .cancellationAsFailure: parts.makeDriver = { _, _ in CancellationAsFailureDriver() }
    case .slotByCount:
      parts.makeDriver = { CountingSlotDriver(sound.makeDriver($0, $1)) }
    case .unboundedCoordinatorStream: parts.publications = UnboundedFactory()
    case .unflushedSelectionLost: parts.selection = LossySelection()
    case .cancelBeforeRegistrationLost: parts.makeTaskTable = { LateRegisteringTaskTable() }
    case .endedTasksKept: parts.makeTaskTable = { EverGrowingTaskTable() }
    case .secondStartTwoProducers: parts.makeProducerSlot = { OverwritingProducerSlot() }
    case .viewModelKeptAlive: parts.viewLoop = StrongViewLoop()
    case .uncancelledStageTask:
      parts.publications = UnheardFactory()
      parts.makeProducerSlot = { LooseProducerSlot() }
    case .chosenInSetOrder: parts.selection = SetOrderSelection()
    case .earlierChoiceKept: parts.selection = AccumulatingSelection()
    case .failureSwallowed: parts.makeDriver = { SwallowingDriver(sound.makeDriver($0, $1)) }
    case .proseFailureAsEnd: parts.makeProse = { UnfailingProse.open($0) }
    case .archetypeForced: break
    }
    return parts
  }

  /// These providers with the flawed one in place; the rest stays.
  public func providers(in sound: StoryProviders) -> StoryProviders {
    var providers = sound
    if self == .archetypeForced { providers.names = ArchetypeForcingNames(sound.names) }
    return providers
  }
}
