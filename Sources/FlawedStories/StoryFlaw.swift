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
    }
    return parts
  }
}
