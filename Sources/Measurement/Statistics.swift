/// The statistics that comparing repetitions needs. Pure functions of their arguments.
public enum Statistics {
  /// The arithmetic mean; `nil` without values.
  public static func mean(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }

  /// The sample standard deviation (n − 1); `nil` below two values.
  public static func standardDeviation(_ values: [Double]) -> Double? {
    guard values.count > 1, let mean = mean(values) else { return nil }
    return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count - 1)).squareRoot()
  }

  /// The median (the mean of the middle two of an even number); `nil` without values.
  public static func median(_ values: [Double]) -> Double? { median(sorted: values.sorted()) }

  private static func median(sorted: [Double]) -> Double? {
    guard !sorted.isEmpty else { return nil }
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  /// The median absolute deviation from the median, unscaled (× 1.4826 estimates a normal deviation);
  /// `nil` without values.
  public static func medianAbsoluteDeviation(_ values: [Double]) -> Double? {
    guard let centre = median(values) else { return nil }
    return median(values.map { abs($0 - centre) })
  }

  /// The standard error of the median, as of values that are spread normally (√(π/2) times that of the mean); `nil`
  /// below two values.
  public static func medianStandardError(_ values: [Double]) -> Double? {
    standardDeviation(values).map { 1.2533 * $0 / Double(values.count).squareRoot() }
  }

  /// An interval for the median by order statistics (binomial, no assumption on the distribution): the
  /// narrowest symmetric pair of ranks that covers at least `confidence`.
  ///
  /// `nil` where even the whole range covers less: 95 % takes six values.
  public static func medianInterval(
    _ values: [Double], confidence: Double = 0.95
  ) -> ClosedRange<Double>? {
    let sorted = values.sorted()
    guard !sorted.isEmpty, (0.0..<1.0).contains(confidence) else { return nil }
    // P(the median lies below the k-th smallest) is the binomial tail P(B ≤ k − 1), B ~ Bin(n, ½).
    var term = 1.0
    for _ in sorted { term /= 2 }
    var tail = 0.0
    var best: Int?
    for below in 0..<(sorted.count + 1) / 2 {
      tail += term
      guard 1 - 2 * tail >= confidence else { break }
      best = below
      term *= Double(sorted.count - below) / Double(below + 1)
    }
    guard let best else { return nil }
    return sorted[best]...sorted[sorted.count - 1 - best]
  }

  /// A percentile bootstrap interval for the median. The resamples follow `seed` alone: the same values
  /// and seed give the same interval. `nil` below two values.
  public static func bootstrapMedianInterval(
    _ values: [Double], confidence: Double = 0.95, resamples: Int = 2_000, seed: UInt64 = 1
  ) -> ClosedRange<Double>? {
    guard values.count > 1, resamples > 0, (0.0..<1.0).contains(confidence) else { return nil }
    var state = seed
    var sample = values
    var medians: [Double] = []
    for _ in 0..<resamples {
      for index in sample.indices { sample[index] = values[draw(below: values.count, &state)] }
      medians.append(median(sample) ?? 0)
    }
    medians.sort()
    let cut = Int((1 - confidence) / 2 * Double(resamples))
    return medians[cut]...medians[resamples - 1 - cut]
  }

  /// SplitMix64 (Steele, Lea and Flood 2014), scaled by a full-width product.
  private static func draw(below bound: Int, _ state: inout UInt64) -> Int {
    state &+= 0x9e37_79b9_7f4a_7c15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    return Int((bits ^ (bits >> 31)).multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// A straight line through points.
  public struct Slope: Sendable, Hashable {
    /// The change of y for each unit of x.
    public let slope: Double
    /// The standard error of the slope.
    public let standardError: Double
  }

  /// The least-squares slope of `y` over `x` with its standard error; `nil` below three points, for
  /// unequal lengths, or where all `x` are equal.
  public static func slope(x: [Double], y: [Double]) -> Slope? {
    guard x.count == y.count, x.count > 2, let meanX = mean(x), let meanY = mean(y) else { return nil }
    var squares = 0.0
    var products = 0.0
    for (one, other) in zip(x, y) {
      squares += (one - meanX) * (one - meanX)
      products += (one - meanX) * (other - meanY)
    }
    guard squares > 0 else { return nil }
    let slope = products / squares
    let residuals = zip(x, y).reduce(0) { sum, point in
      let error = point.1 - meanY - slope * (point.0 - meanX)
      return sum + error * error
    }
    let standardError = (residuals / Double(x.count - 2) / squares).squareRoot()
    return Slope(slope: slope, standardError: standardError)
  }
}
