public import WorkloadInterface

/// The failure of one call, as its script says.
public struct ProviderFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// How it looks; `rateLimited` also stands for a full queue.
  public let kind: FailureScript.Kind
  /// The provider that failed.
  public let provider: String
  /// What was asked for.
  public let slot: Int
  /// The try, from 0.
  public let attempt: Int
  /// When it showed, in ns from the start of the cell.
  public let time: Int64

  /// A stable name of the fault.
  public var code: String { "provider.\(kind.rawValue)" }

  /// Whether asking again may help: not for an answer that cannot be read.
  public var isRetryable: Bool { kind != .malformed }

  /// A sentence that says what failed.
  public var description: String {
    "\(provider) failed (\(kind.rawValue)) at \(time) ns, slot \(slot), attempt \(attempt), as scripted"
  }
}

/// One answer of a scripted provider.
public struct Served: Sendable, Hashable {
  /// The scripted value, or `nil` where the script leaves values to the workload.
  public let value: String?
  /// When it was asked, in ns from the start of the cell.
  public let asked: Int64
  /// When service began: later than `asked` where the call queued or the provider stalled.
  public let started: Int64
  /// When it was answered by script; on the real clock the caller resumes a little later.
  public let ended: Int64
  /// Elements delivered, for a stream; 1 for a call.
  public let elements: Int

  /// Time from asking to the answer, in ns: queueing and service.
  public var sojourn: Int64 { ended - asked }
}
