public import SeededDraws

/// What a fake provider does: how long it takes, how it fails, how many calls it serves at once.
public struct ProviderScript: Sendable, Codable, Hashable {
  /// Time from a call's start of service to its answer, and to the first element of a stream without `firstToken`.
  public var latency: Distribution
  /// Windows in which the provider answers nothing.
  public var stalls: [StallWindow]
  /// Streaming only: time from start of service to the first element; nil takes `latency`.
  public var firstToken: Distribution?
  /// Streaming only: time between elements; nil means all at once after the first.
  public var betweenTokens: Distribution?
  /// Streaming only: elements in one answer, at least 1; nil leaves it to the workload.
  public var tokens: Int?
  /// Work spun on the pool for each call, real clock only.
  public var cpu: Distribution?
  /// How and when it fails; the first that applies wins.
  public var failures: [FailureScript]
  /// Calls served at once; nil is unlimited. More calls queue, first come first served.
  public var capacity: Int?
  /// Calls that may queue before it refuses (`rate-limited`); nil is unlimited.
  public var queueLimit: Int?
  /// Whether a call goes on to its end after the caller was cancelled.
  public var ignoresCancellation: Bool
  /// Values to answer with, in order, cycling; empty leaves them to the workload.
  public var values: [String]

  /// Makes a script.
  public init(
    latency: Distribution, stalls: [StallWindow] = [], firstToken: Distribution? = nil,
    betweenTokens: Distribution? = nil, tokens: Int? = nil, cpu: Distribution? = nil,
    failures: [FailureScript] = [], capacity: Int? = nil, queueLimit: Int? = nil,
    ignoresCancellation: Bool = false, values: [String] = []
  ) {
    self.latency = latency
    self.stalls = stalls
    self.firstToken = firstToken
    self.betweenTokens = betweenTokens
    self.tokens = tokens
    self.cpu = cpu
    self.failures = failures
    self.capacity = capacity
    self.queueLimit = queueLimit
    self.ignoresCancellation = ignoresCancellation
    self.values = values
  }
}

/// A window in which a provider answers nothing: what would be answered in it is answered at its end.
public struct StallWindow: Sendable, Codable, Hashable {
  /// Start, in ns from the start of the cell.
  public var at: Int64
  /// Length in ns, above 0.
  public var duration: Int64

  /// Makes a window.
  public init(at: Int64, duration: Int64) {
    self.at = at
    self.duration = duration
  }
}

/// One way in which a provider fails.
public struct FailureScript: Sendable, Codable, Hashable {
  /// How the failure looks to the caller.
  public enum Kind: String, Sendable, Codable, CaseIterable {
    /// No answer; an error after `after`.
    case timeout
    /// An answer that cannot be read; not retryable by waiting.
    case malformed
    /// Refused at once.
    case rateLimited = "rate-limited"
    /// The connection breaks.
    case reset
    /// Never answers; ends when the caller is cancelled.
    case hang
    /// Streaming only: fails after some elements.
    case midStream = "mid-stream"
  }
  /// Which calls fail.
  public enum Selector: Sendable, Codable, Hashable {
    /// A share of calls, 0…1, by draw.
    case share(Double)
    /// Calls by number within the iteration, from 1.
    case calls([Int])
    /// Every Nth call within the iteration.
    case every(Int)
    /// Calls started within a window, in ns from the start of the cell.
    case window(from: Int64, to: Int64)
  }

  /// How the failure looks.
  public var kind: Kind
  /// Which calls fail.
  public var selector: Selector
  /// When the failure shows; nil takes the call's own latency.
  public var after: Int64?
  /// `mid-stream` only: elements delivered before the failure.
  public var afterTokens: Int?

  /// Makes a script.
  public init(kind: Kind, selector: Selector, after: Int64? = nil, afterTokens: Int? = nil) {
    self.kind = kind
    self.selector = selector
    self.after = after
    self.afterTokens = afterTokens
  }
}

/// What showing an element costs the consumer.
public struct SinkDescription: Sendable, Codable, Hashable {
  /// Cost of one update in ns.
  public var update: Int64
  /// Cost added for each element already shown, in ns.
  public var perElement: Int64

  /// Makes a description; both costs are at least 0.
  public init(update: Int64 = 0, perElement: Int64 = 0) {
    self.update = update
    self.perElement = perElement
  }
}
