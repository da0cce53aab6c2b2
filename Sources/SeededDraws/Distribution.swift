/// A distribution of durations in integer nanoseconds: validated once, then drawn from by address.
///
/// A sample is a pure function of (stream, iteration, slot, attempt, index) and the same on every machine:
/// only exactly rounded arithmetic is used, no function of the C library.
public struct Distribution: Sendable, Hashable {
  /// The kind and its parameters, durations in nanoseconds.
  public enum Shape: Sendable, Hashable {
    /// Always the same.
    case constant(Int64)
    /// Evenly between two durations.
    case uniform(from: Int64, to: Int64)
    /// Memoryless, with this mean.
    case exponential(mean: Int64)
    /// The logarithm is normal; given by its median and 99th percentile.
    case lognormal(median: Int64, p99: Int64)
    /// Heavy-tailed above a minimum; given by its 99th percentile.
    case pareto(minimum: Int64, p99: Int64)
    /// Heavy-tailed above a minimum; given by its shape. At 1 and below there is no mean.
    case paretoShape(minimum: Int64, shape: Double)
    /// The listed durations in order, cycling: slot + attempt + index counts through them.
    case sequence([Int64])
  }

  /// The longest duration accepted or drawn: 100 years.
  public static let longest: Int64 = 3_155_760_000_000_000_000

  /// The kind and its parameters.
  public let shape: Shape
  /// Worked out once: lognormal (ln median, deviation), Pareto (ln minimum, 1/shape).
  private let location: Double
  private let spread: Double

  /// A distribution of this shape. Throws `DistributionError` for parameters that make none.
  public init(_ shape: Shape) throws(DistributionError) {
    try Self.validate(shape)
    self.init(valid: shape)
  }

  private init(valid shape: Shape) {
    self.shape = shape
    switch shape {
    case .lognormal(let median, let p99):
      location = PortableMath.log(Double(median))
      spread = (PortableMath.log(Double(p99)) - location) / PortableMath.inverseNormal(0.99)
    case .pareto(let minimum, let p99):
      location = PortableMath.log(Double(minimum))
      spread = (PortableMath.log(Double(p99)) - location) / PortableMath.log(100)
    case .paretoShape(let minimum, let shape):
      location = PortableMath.log(Double(minimum))
      spread = 1 / shape
    case .constant, .uniform, .exponential, .sequence:
      location = 0
      spread = 0
    }
  }

  /// Always 0.
  public static let zero = Distribution(valid: .constant(0))

  /// The duration in nanoseconds drawn at an address of a stream. Allocates nothing.
  public func sample(
    _ stream: DrawStream, iteration: Int, slot: Int = 0, attempt: Int = 0, index: Int = 0
  ) -> Int64 {
    switch shape {
    case .constant(let value): return value
    case .sequence(let values):
      let place = (slot &+ attempt &+ index) % values.count
      return values[place < 0 ? place + values.count : place]
    default:
      return quantile(stream.uniform(iteration: iteration, slot: slot, attempt: attempt, index: index))
    }
  }

  /// The duration in nanoseconds below which the share `probability` falls, strictly within 0 and 1,
  /// rounded to the nearest. For a sequence: by rank among its values.
  public func quantile(_ probability: Double) -> Int64 {
    switch shape {
    case .constant(let value): return value
    case .uniform(let from, let to):
      return Self.duration(Double(from) + Double(to - from) * probability)
    case .exponential(let mean): return Self.duration(-Double(mean) * PortableMath.log(1 - probability))
    case .lognormal:
      return Self.duration(PortableMath.exp(location + spread * PortableMath.inverseNormal(probability)))
    case .pareto, .paretoShape:
      return Self.duration(PortableMath.exp(location - spread * PortableMath.log(1 - probability)))
    case .sequence(let values):
      let rank = Int((probability * Double(values.count)).rounded(.up))
      return values.sorted()[min(max(rank, 1), values.count) - 1]
    }
  }

  private static func duration(_ value: Double) -> Int64 {
    value >= Double(longest) ? longest : Int64(value.rounded())
  }

  /// The mean in nanoseconds; infinite for a Pareto distribution of shape 1 or below.
  public var mean: Double {
    switch shape {
    case .constant(let value): return Double(value)
    case .uniform(let from, let to): return (Double(from) + Double(to)) / 2
    case .exponential(let mean): return Double(mean)
    case .lognormal: return PortableMath.exp(location + spread * spread / 2)
    case .pareto(let minimum, _), .paretoShape(let minimum, _):
      return spread < 1 ? Double(minimum) / (1 - spread) : .infinity
    case .sequence(let values): return values.reduce(0.0) { $0 + Double($1) } / Double(values.count)
    }
  }

  /// Equal shapes.
  public static func == (left: Distribution, right: Distribution) -> Bool { left.shape == right.shape }

  /// Hashes the shape.
  public func hash(into hasher: inout Hasher) { hasher.combine(shape) }
}
