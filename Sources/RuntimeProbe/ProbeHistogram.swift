internal import CRuntimeProbe

/// A distribution as the probe keeps it: exact count, sum and extremes, and log-linear buckets at most a
/// sixteenth of their value wide.
package struct ProbeHistogram: Sendable, Hashable {
  package var count: UInt64 = 0
  package var sum: UInt64 = 0
  /// The exact least value since the first start, or of a difference a bound for it; 0 without values.
  package var minimum: UInt64 = 0
  /// The exact largest value, or of a difference a bound for it.
  package var maximum: UInt64 = 0
  /// Values by bucket; see `values(of:)`.
  package var buckets: [UInt64]

  init(bucketCount: Int) { buckets = [UInt64](repeating: 0, count: bucketCount) }

  /// The mean; `nil` without values.
  package var mean: Double? { count == 0 ? nil : Double(sum) / Double(count) }

  /// The values that a bucket stands for.
  package static func values(of bucket: Int) -> ClosedRange<UInt64> {
    let bits = Int(CRP_BUCKET_BITS)
    guard bucket >= 2 << bits else { return UInt64(bucket)...UInt64(bucket) }
    let exponent = (bucket >> bits) - 1
    let first = UInt64(bucket - exponent << bits) << UInt64(exponent)
    return first...(first + (1 << UInt64(exponent)) - 1)
  }

  /// The filled buckets, each by its middle value, which is never outside the extremes.
  package var filled: [(value: UInt64, count: UInt64)] {
    buckets.indices.compactMap { index in
      guard buckets[index] > 0 else { return nil }
      let range = Self.values(of: index)
      let middle = range.lowerBound + (range.upperBound - range.lowerBound) / 2
      return (min(max(middle, minimum), maximum), buckets[index])
    }
  }

  /// Adds one value.
  mutating func record(_ value: UInt64) {
    let bits = UInt64(CRP_BUCKET_BITS)
    var bucket = value
    if value >= 2 << bits {
      let exponent = 63 - UInt64(value.leadingZeroBitCount) - bits
      bucket = exponent << bits + value >> exponent
    }
    minimum = count == 0 ? value : min(minimum, value)
    maximum = max(maximum, value)
    count &+= 1
    sum &+= value
    buckets[min(Int(clamping: bucket), buckets.count - 1)] &+= 1
  }

  mutating func add(_ other: ProbeHistogram) {
    guard other.count > 0 else { return }
    minimum = count == 0 ? other.minimum : min(minimum, other.minimum)
    maximum = max(maximum, other.maximum)
    count &+= other.count
    sum &+= other.sum
    for index in buckets.indices { buckets[index] &+= other.buckets[index] }
  }

  /// The values recorded after `earlier`.
  package func since(_ earlier: ProbeHistogram) -> ProbeHistogram {
    guard earlier.count > 0 else { return self }
    var change = self
    change.count &-= earlier.count
    change.sum &-= earlier.sum
    for index in buckets.indices { change.buckets[index] &-= earlier.buckets[index] }
    return change.bounded
  }

  /// With extremes that bound the filled buckets, where those that stand here are of more values than these.
  var bounded: ProbeHistogram {
    var bounded = self
    let filled = buckets.indices.filter { buckets[$0] > 0 }
    guard let first = filled.first, let last = filled.last else {
      bounded.minimum = 0
      bounded.maximum = 0
      return bounded
    }
    bounded.minimum = max(minimum, Self.values(of: first).lowerBound)
    bounded.maximum = min(maximum, Self.values(of: last).upperBound)
    return bounded
  }

  /// Reads a `crp_time_histogram` or `crp_depth_histogram`.
  init(_ bytes: UnsafeRawBufferPointer, at start: Int, bucketCount: Int) {
    func word(_ index: Int) -> UInt64 {
      bytes.loadUnaligned(fromByteOffset: start + index * 8, as: UInt64.self)
    }
    count = word(0)
    sum = word(1)
    minimum = word(2)
    maximum = word(3)
    buckets = (0..<bucketCount).map {
      UInt64(bytes.loadUnaligned(fromByteOffset: start + 32 + $0 * 4, as: UInt32.self))
    }
  }
}
