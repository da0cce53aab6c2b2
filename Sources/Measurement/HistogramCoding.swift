extension LatencyHistogram: Codable {
  private enum Key: String, CodingKey {
    case lowest, highest, digits, min, max, sum, overRange, refusedNegative, buckets
  }

  /// Writes the layout, the exact figures and the filled buckets as `[index, count]` pairs: the same
  /// histogram always gives the same form.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(layout.lowest, forKey: .lowest)
    try container.encode(layout.highest, forKey: .highest)
    try container.encode(layout.digits, forKey: .digits)
    try container.encodeIfPresent(minimum, forKey: .min)
    try container.encodeIfPresent(maximum, forKey: .max)
    try container.encode(sum, forKey: .sum)
    try container.encode(overRange, forKey: .overRange)
    try container.encode(refusedNegative, forKey: .refusedNegative)
    try container.encode(filledBuckets.map { [UInt64($0.index), $0.count] }, forKey: .buckets)
  }

  /// Reads what `encode` wrote. Throws `HistogramError.badData` where the parts contradict each other.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      layout: try HistogramLayout(
        lowest: container.decode(Int64.self, forKey: .lowest),
        highest: container.decode(Int64.self, forKey: .highest),
        digits: container.decode(Int.self, forKey: .digits)))
    sum = try container.decode(UInt64.self, forKey: .sum)
    overRange = try container.decode(UInt64.self, forKey: .overRange)
    refusedNegative = try container.decode(UInt64.self, forKey: .refusedNegative)
    for pair in try container.decode([[UInt64]].self, forKey: .buckets) {
      guard pair.count == 2 else { throw HistogramError.badData("a bucket is not a pair") }
      try fill(bucket: Int(clamping: pair[0]), with: pair[1])
    }
    let minimum = try container.decodeIfPresent(Int64.self, forKey: .min)
    let maximum = try container.decodeIfPresent(Int64.self, forKey: .max)
    try setExtremes(minimum, maximum)
  }

  /// Puts a stored count into a bucket. Throws `HistogramError.badData`.
  mutating func fill(bucket: Int, with count: UInt64) throws(HistogramError) {
    guard (0..<layout.length).contains(bucket) else { throw .badData("bucket \(bucket) is out of range") }
    if buckets.isEmpty { allocate() }
    let (total, overflow) = inRange.addingReportingOverflow(count)
    guard count > 0, buckets[bucket] == 0, !overflow else {
      throw .badData("bucket \(bucket) is empty, given twice, or too full")
    }
    buckets[bucket] = count
    inRange = total
  }

  private mutating func setExtremes(_ minimum: Int64?, _ maximum: Int64?) throws(HistogramError) {
    guard !inRange.addingReportingOverflow(overRange).overflow else { throw .badData("too many values") }
    guard isEmpty == (minimum == nil), isEmpty == (maximum == nil) else {
      throw .badData("minimum and maximum must be there exactly when values are")
    }
    guard let minimum, let maximum else { return }
    guard 0 <= minimum, minimum <= maximum, overRange == 0 || maximum > layout.highest else {
      throw .badData("minimum \(minimum) and maximum \(maximum) contradict the counts")
    }
    let filled = filledBuckets
    if let first = filled.first, !layout.values(at: first.index).contains(minimum) {
      throw .badData("minimum \(minimum) is not in the first bucket")
    }
    if overRange == 0, let last = filled.last, !layout.values(at: last.index).contains(maximum) {
      throw .badData("maximum \(maximum) is not in the last bucket")
    }
    lowestSeen = minimum
    highestSeen = maximum
  }
}
