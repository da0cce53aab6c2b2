internal import SeededDraws

/// Distributions for defaults, in ns. The numbers are written in this module, so none can be refused.
enum Defaults {
  static func constant(_ value: Int64) -> Distribution { valid(.constant(value)) }

  static func exponential(mean: Int64) -> Distribution { valid(.exponential(mean: mean)) }

  static func lognormal(median: Int64, p99: Int64) -> Distribution {
    valid(.lognormal(median: median, p99: p99))
  }

  static func uniform(from: Int64, to: Int64) -> Distribution { valid(.uniform(from: from, to: to)) }

  private static func valid(_ shape: Distribution.Shape) -> Distribution {
    do {
      return try Distribution(shape)
    } catch {
      preconditionFailure("a default that is no distribution: \(error)")
    }
  }
}
