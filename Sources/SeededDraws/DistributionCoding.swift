extension Distribution: Codable {
  private enum Key: String, CodingKey {
    case constant, uniform, exponential, lognormal, pareto, sequence
  }

  private enum Parameter: String, CodingKey {
    case from, to, mean, median, p99, minimum, shape
  }

  /// Writes one key, the kind, over its parameters in nanoseconds: `{"lognormal": {"median": …, "p99": …}}`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    func write(_ kind: Key, _ first: (Parameter, Int64), _ second: (Parameter, Int64)? = nil) throws {
      var nested = container.nestedContainer(keyedBy: Parameter.self, forKey: kind)
      try nested.encode(first.1, forKey: first.0)
      if let second { try nested.encode(second.1, forKey: second.0) }
    }
    switch shape {
    case .constant(let value): try container.encode(value, forKey: .constant)
    case .sequence(let values): try container.encode(values, forKey: .sequence)
    case .uniform(let from, let to): try write(.uniform, (.from, from), (.to, to))
    case .exponential(let mean): try write(.exponential, (.mean, mean))
    case .lognormal(let median, let p99): try write(.lognormal, (.median, median), (.p99, p99))
    case .pareto(let minimum, let p99): try write(.pareto, (.minimum, minimum), (.p99, p99))
    case .paretoShape(let minimum, let shape):
      var nested = container.nestedContainer(keyedBy: Parameter.self, forKey: .pareto)
      try nested.encode(minimum, forKey: .minimum)
      try nested.encode(shape, forKey: .shape)
    }
  }

  /// Reads what `encode` wrote; throws `DistributionError` for parameters that make no distribution.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    guard container.allKeys.count == 1, let kind = container.allKeys.first else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "a distribution has exactly one kind"))
    }
    try self.init(Self.shape(of: kind, in: container))
  }

  private static func shape(of kind: Key, in container: KeyedDecodingContainer<Key>) throws -> Shape {
    if kind == .constant { return .constant(try container.decode(Int64.self, forKey: kind)) }
    if kind == .sequence { return .sequence(try container.decode([Int64].self, forKey: kind)) }
    let nested = try container.nestedContainer(keyedBy: Parameter.self, forKey: kind)
    func duration(_ parameter: Parameter) throws -> Int64 { try nested.decode(Int64.self, forKey: parameter) }
    switch kind {
    case .uniform: return .uniform(from: try duration(.from), to: try duration(.to))
    case .exponential: return .exponential(mean: try duration(.mean))
    case .lognormal: return .lognormal(median: try duration(.median), p99: try duration(.p99))
    default:
      let minimum = try duration(.minimum)
      if let shape = try nested.decodeIfPresent(Double.self, forKey: .shape) {
        return .paretoShape(minimum: minimum, shape: shape)
      }
      return .pareto(minimum: minimum, p99: try duration(.p99))
    }
  }
}
