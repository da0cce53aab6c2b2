public import TokenStreaming

/// Flaw: text goes to the newest reply, whoever it was made for.
///
/// What the old generation had read when it was cancelled lands in the new reply. Sound: ``KeepingPolicy``.
public struct NewestReplyPolicy: ReplyPolicy {
  /// It has no state.
  public init() {}

  /// The newest.
  public func reply(for prompt: Int, last: Int) -> Int { last }
}

/// Flaw: an interruption is looked for in what the loop throws, where it never is.
///
/// A cancelled `AsyncThrowingStream` ends without an error, so `catch is CancellationError` does not run, and the
/// reply counts as complete. Sound: ``KeepingPolicy`` asks whether the reader was cancelled.
public struct ThrownCancellationPolicy: ReplyPolicy {
  /// It has no state.
  public init() {}

  /// By what was thrown alone.
  public func ending(of end: StreamEnd) -> ReplyEnding {
    guard let error = end.error else { return .complete }
    return error is CancellationError ? .interrupted : .failed(error)
  }
}

/// Flaw: whatever ends a reply early is a failure, the user's own stop too.
///
/// Sound: ``KeepingPolicy``.
public struct InterruptionAsFailurePolicy: ReplyPolicy {
  /// It has no state.
  public init() {}

  /// Complete or failed.
  public func ending(of end: StreamEnd) -> ReplyEnding {
    if end.isCancelled { return .failed(CancellationError()) }
    return end.error.map { .failed($0) } ?? .complete
  }
}

/// Flaw: a reply that is not complete is thrown away with what the user has read of it.
///
/// Sound: ``KeepingPolicy``.
public struct DiscardingPolicy: ReplyPolicy {
  /// It has no state.
  public init() {}

  /// Nothing, unless the reply is complete.
  public func kept(_ text: String, after ending: ReplyEnding) -> String {
    if case .complete = ending { text } else { "" }
  }
}

/// Flaw: the task holds the conversation, which holds the task: the screen is left and nothing ends.
///
/// Sound: ``WeakGenerationLoop``.
public struct StrongGenerationLoop: GenerationLoop {
  /// It has no state.
  public init() {}

  /// Holds the conversation as long as the reply takes.
  @MainActor
  public func start(
    _ conversation: Conversation,
    body: @escaping @MainActor @Sendable (@escaping @MainActor @Sendable () -> Conversation?) async -> Void
  ) -> Task<Void, Never> {
    Task { @MainActor in await body { conversation } }
  }
}
