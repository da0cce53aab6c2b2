/// A figure of a run: a whole number where it is one, so that equal runs print equal bytes.
package enum MetricValue: Sendable, Hashable, Codable {
  /// A count, integer nanoseconds or bytes.
  case integer(Int64)
  /// A rate or a ratio; always finite.
  case real(Double)

  /// The figure as a double.
  package var double: Double {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    }
  }

  /// A ratio or rate; nil where it is no number, so that no NaN or infinity is ever stored.
  package static func finite(_ value: Double) -> MetricValue? { value.isFinite ? .real(value) : nil }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let whole = try? container.decode(Int64.self) {
      self = .integer(whole)
    } else {
      self = .real(try container.decode(Double.self))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .integer(let value): try container.encode(value)
    case .real(let value): try container.encode(value)
    }
  }
}
