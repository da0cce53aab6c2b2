/// What happens to prices that their consumer has not taken yet.
public enum FeedBuffering: Sendable, Hashable {
  /// All are kept: memory grows as long as the source is faster than the consumer.
  case unbounded
  /// The newest are kept: a price that comes when the buffer is full pushes the oldest one out.
  case newest(Int)
  /// The oldest are kept: a price that comes when the buffer is full is dropped itself.
  case oldest(Int)

  /// The stream's word for it.
  public var policy: AsyncStream<Price>.Continuation.BufferingPolicy {
    switch self {
    case .unbounded: .unbounded
    case .newest(let limit): .bufferingNewest(limit)
    case .oldest(let limit): .bufferingOldest(limit)
    }
  }

  /// The most prices that wait; nil without a bound.
  public var limit: Int? {
    switch self {
    case .unbounded: nil
    case .newest(let limit), .oldest(let limit): limit
    }
  }
}
