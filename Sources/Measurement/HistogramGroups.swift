extension LatencyHistogram {
  /// A histogram made of groups of values that lie close together, as another histogram kept them.
  ///
  /// - Parameters:
  ///   - groups: A value within the group, and how many values there are in it.
  ///   - sum: The exact sum of all of them.
  ///   - range: The exact least and largest value, or bounds for them; every group's value lies within it.
  package init(groups: [(value: Int64, count: UInt64)], sum: UInt64, range: ClosedRange<Int64>) {
    self.init()
    for group in groups where group.count > 0 { record(group.value, count: group.count) }
    guard !isEmpty else { return }
    self.sum = sum
    // One value is what its group says.
    guard count > 1 else { return }
    // The exact extremes must lie in filled buckets: the outermost groups are moved there.
    move(oneFrom: lowestSeen, to: range.lowerBound)
    move(oneFrom: highestSeen, to: range.upperBound)
    lowestSeen = range.lowerBound
    highestSeen = range.upperBound
  }

  /// Moves one value to another bucket, if both are within the range.
  private mutating func move(oneFrom value: Int64, to target: Int64) {
    guard value <= layout.highest, target >= 0, target <= layout.highest else { return }
    buckets[layout.index(of: value)] -= 1
    buckets[layout.index(of: target)] += 1
  }
}
