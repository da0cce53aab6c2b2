extension Distribution {
  static func validate(_ shape: Shape) throws(DistributionError) {
    switch shape {
    case .constant(let value): try notNegative("constant", value)
    case .uniform(let from, let to):
      try notNegative("from", from)
      try ordered("to", to, "from", from)
    case .exponential(let mean): try positive("mean", mean)
    case .lognormal(let median, let p99):
      try positive("median", median)
      try ordered("p99", p99, "median", median)
    case .pareto(let minimum, let p99):
      try positive("minimum", minimum)
      try ordered("p99", p99, "minimum", minimum)
    case .paretoShape(let minimum, let shape):
      try positive("minimum", minimum)
      guard shape > 0, shape.isFinite else { throw .badShape(shape) }
    case .sequence(let values):
      guard !values.isEmpty else { throw .emptySequence }
      for value in values { try notNegative("sequence", value) }
    }
  }

  private static func notNegative(_ name: String, _ value: Int64) throws(DistributionError) {
    guard value >= 0 else { throw .negative(parameter: name, value: value) }
    guard value <= longest else { throw .tooLarge(parameter: name, value: value) }
  }

  private static func positive(_ name: String, _ value: Int64) throws(DistributionError) {
    try notNegative(name, value)
    guard value > 0 else { throw .notPositive(parameter: name, value: value) }
  }

  private static func ordered(
    _ name: String, _ value: Int64, _ other: String, _ bound: Int64
  ) throws(DistributionError) {
    try notNegative(name, value)
    guard value >= bound else {
      throw .outOfOrder(parameter: name, value: value, atLeast: other, bound: bound)
    }
  }
}
