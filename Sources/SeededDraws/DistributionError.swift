/// Why parameters make no distribution.
public enum DistributionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A duration is negative.
  case negative(parameter: String, value: Int64)
  /// A duration must be above zero here.
  case notPositive(parameter: String, value: Int64)
  /// One duration must not be smaller than another: `to` below `from`, `p99` below `median`.
  case outOfOrder(parameter: String, value: Int64, atLeast: String, bound: Int64)
  /// A duration is above 100 years.
  case tooLarge(parameter: String, value: Int64)
  /// The shape of a Pareto distribution must be above zero and finite.
  case badShape(Double)
  /// A sequence lists nothing.
  case emptySequence

  /// A stable name of the fault.
  public var code: String {
    switch self {
    case .negative: "distribution.negative"
    case .notPositive: "distribution.not-positive"
    case .outOfOrder: "distribution.out-of-order"
    case .tooLarge: "distribution.too-large"
    case .badShape: "distribution.bad-shape"
    case .emptySequence: "distribution.empty-sequence"
    }
  }

  /// A sentence that says what to change.
  public var description: String {
    switch self {
    case .negative(let parameter, let value): "\(parameter) is \(value) ns; it cannot be negative"
    case .notPositive(let parameter, let value): "\(parameter) is \(value) ns; it must be above 0"
    case .outOfOrder(let parameter, let value, let other, let bound):
      "\(parameter) is \(value) ns; it must be at least \(other), which is \(bound) ns"
    case .tooLarge(let parameter, let value): "\(parameter) is \(value) ns; the limit is 100 years"
    case .badShape(let shape): "the shape is \(shape); it must be above 0 and finite"
    case .emptySequence: "the sequence lists no values"
    }
  }
}
