extension LatencyHistogram: Codable {
  private enum Key: String, CodingKey {
    case lowest, highest, digits, min, max, sum, overRange, refusedNegative, filled, buckets
  }

  /// Writes the layout, the exact figures and, in one list, each filled bucket's distance from the one before and
  /// its count: the same histogram always gives the same form, and thousands of buckets stay small.
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
    var filled: [UInt64] = []
    var last = 0
    for (index, count) in filledBuckets {
      filled += [UInt64(index - last), count]
      last = index
    }
    try container.encode(filled, forKey: .filled)
  }

  /// Reads what `encode` wrote, or in its place `buckets` as `[index, count]` pairs. Throws
  /// `HistogramError.badData` where the parts contradict each other.
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
    if let filled = try container.decodeIfPresent([UInt64].self, forKey: .filled) {
      try fill(from: filled)
    } else {
      for pair in try container.decode([[UInt64]].self, forKey: .buckets) {
        guard pair.count == 2 else { throw HistogramError.badData("a bucket is not a pair") }
        try fill(bucket: Int(clamping: pair[0]), with: pair[1])
      }
    }
    let minimum = try container.decodeIfPresent(Int64.self, forKey: .min)
    let maximum = try container.decodeIfPresent(Int64.self, forKey: .max)
    try setExtremes(minimum, maximum)
  }

  /// Reads distances and counts by turns.
  private mutating func fill(from filled: [UInt64]) throws(HistogramError) {
    guard filled.count.isMultiple(of: 2) else { throw .badData("a filled bucket has no count") }
    var bucket: UInt64 = 0
    for start in stride(from: 0, to: filled.count, by: 2) {
      let (next, isTooFar) = bucket.addingReportingOverflow(filled[start])
      guard !isTooFar else { throw .badData("a bucket is out of range") }
      bucket = next
      try fill(bucket: Int(clamping: bucket), with: filled[start + 1])
    }
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
