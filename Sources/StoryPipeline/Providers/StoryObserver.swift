/// How a provider call ended.
public enum CallOutcome: String, Sendable {
  /// It returned, threw, or ended by cancellation.
  case succeeded, failed, cancelled
}

/// Why a batch was stored.
public enum FlushCause: String, Sendable, CaseIterable {
  /// It was full.
  case size
  /// Its first element was old enough.
  case age
  /// The stage ended: by itself, by failure or by cancellation.
  case end
  /// The user chose something that was still in it.
  case selection
}

/// A seam for counting and timing from outside. Every hook does nothing unless implemented.
///
/// Hooks are called where the thing happens, from any task, synchronously, outside every lock;
/// the arguments are plain values, so a call allocates nothing. An implementation must be quick.
public protocol StoryObserver: Sendable {
  /// A provider is about to be asked.
  func providerCallStarted(_ call: ProviderCall)
  /// A provider's answer is there.
  func providerCallEnded(_ call: ProviderCall, outcome: CallOutcome)
  /// A worker for candidates of this kind is about to be started: a stage's, or one for a single slot.
  func workerStarted(_ kind: ProviderKind)
  /// It has ended, and holds no candidate any more.
  func workerEnded(_ kind: ProviderKind)
  /// A candidate exists, nowhere visible yet.
  func candidateMade(_ id: CandidateID, slot: Int)
  /// A candidate is in the registry: the store has returned.
  func candidateStored(_ id: CandidateID)
  /// A batch was stored in one call.
  func batchFlushed(size: Int, cause: FlushCause)
  /// A consumer has taken a candidate out of the coordinator's stream.
  func candidateDelivered(_ id: CandidateID)
  /// A candidate was made but will not be delivered, because its stage was cancelled.
  func candidateDropped(_ id: CandidateID)
  /// A stage reports a failed slot to its consumer. `isCancellation` is never true with sound components.
  func slotFailed(_ kind: ProviderKind, slot: Int, isCancellation: Bool)
  /// The user's choice was refused with an error: `count` of its identities were not in the registry.
  func selectionRefused(count: Int)
  /// The user's choice was taken, and `count` of it are missing from the result. Sound components never do this.
  func selectionLost(count: Int)
  /// A prose provider has called back a paragraph that was taken into the buffer.
  func paragraphMade(index: Int)
  /// Paragraphs were made but will not be delivered, because the stage was cancelled.
  func paragraphsDropped(count: Int)
  /// A consumer has taken a paragraph out of the coordinator's stream.
  func paragraphDelivered(index: Int)
}

extension StoryObserver {
  /// Does nothing.
  public func providerCallStarted(_ call: ProviderCall) {}
  /// Does nothing.
  public func providerCallEnded(_ call: ProviderCall, outcome: CallOutcome) {}
  /// Does nothing.
  public func workerStarted(_ kind: ProviderKind) {}
  /// Does nothing.
  public func workerEnded(_ kind: ProviderKind) {}
  /// Does nothing.
  public func candidateMade(_ id: CandidateID, slot: Int) {}
  /// Does nothing.
  public func candidateStored(_ id: CandidateID) {}
  /// Does nothing.
  public func batchFlushed(size: Int, cause: FlushCause) {}
  /// Does nothing.
  public func candidateDelivered(_ id: CandidateID) {}
  /// Does nothing.
  public func candidateDropped(_ id: CandidateID) {}
  /// Does nothing.
  public func slotFailed(_ kind: ProviderKind, slot: Int, isCancellation: Bool) {}
  /// Does nothing.
  public func selectionRefused(count: Int) {}
  /// Does nothing.
  public func selectionLost(count: Int) {}
  /// Does nothing.
  public func paragraphMade(index: Int) {}
  /// Does nothing.
  public func paragraphsDropped(count: Int) {}
  /// Does nothing.
  public func paragraphDelivered(index: Int) {}
}

/// The default: nobody looks.
public struct NoObserver: StoryObserver {
  /// Looks at nothing.
  public init() {}
}
