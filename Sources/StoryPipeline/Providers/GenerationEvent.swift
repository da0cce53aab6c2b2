/// What a stage tells its consumer.
public enum GenerationEvent<Success: Sendable>: Sendable {
  /// A slot has its candidate.
  case candidate(Success, slot: Int)
  /// A slot has failed; the stage goes on with the next.
  case failure(StageFailure)
  /// How far the stage is, from 0 to 1, never falling.
  case progress(Double)
}

/// A failure of one slot. A cancellation is never one.
public struct StageFailure: Error, Sendable {
  /// What the provider threw.
  public let error: any Error
  /// True if asking again may help.
  public let retryable: Bool
  /// The slot that stays empty, from 0: the slot asked for, not a count of what succeeded.
  public let slot: Int

  /// A failure from its parts.
  public init(error: any Error, retryable: Bool, slot: Int) {
    self.error = error
    self.retryable = retryable
    self.slot = slot
  }

  /// A failure from what a provider threw: retryable unless the error says otherwise (``RetryClassifying``).
  public init(_ error: any Error, slot: Int) {
    self.init(error: error, retryable: (error as? any RetryClassifying)?.isRetryable ?? true, slot: slot)
  }
}

/// What a prose provider calls back and a prose stage hands on.
public enum ProseEvent: Sendable {
  /// The next paragraph.
  case paragraph(String)
  /// How far the story is, from 0 to 1. A stage hands on rising values only, and 1 before `complete`.
  case progress(Double)
  /// All is written. The last event.
  case complete
  /// Writing failed; what was written stays. The last event.
  case failure(StageFailure)
}
