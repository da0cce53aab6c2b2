/// The bucket layout of an HdrHistogram: linear sub-buckets inside buckets that double, so that every
/// value keeps the same number of significant digits.
///
/// The layout is that of HdrHistogram (G. Tene, hdrhistogram.org): index arithmetic and interchange
/// encoding agree with it bucket for bucket.
public struct HistogramLayout: Sendable, Hashable {
  /// The smallest value told apart from 0, in nanoseconds; at least 1.
  public let lowest: Int64
  /// The largest value asked for, in nanoseconds; anything above is over range.
  public let highest: Int64
  /// Significant decimal digits kept, 1 to 5.
  public let digits: Int
  /// How many buckets the layout has.
  public let length: Int

  @usableFromInline let unitMagnitude: Int
  @usableFromInline let subBucketHalfMagnitude: Int
  @usableFromInline let subBucketMask: Int64

  /// 1 ns to 1 h with 3 significant digits: 33,792 buckets, 270 KB.
  public static let standard = HistogramLayout(known: 1, 3_600_000_000_000, 3)

  /// A layout for values from `lowest` to `highest` nanoseconds with `digits` significant digits.
  ///
  /// Throws `HistogramError.badLayout` where `lowest < 1`, `highest < 2 × lowest` or `digits` is not
  /// within 1 to 5 (5 digits up to an hour take 27 MB).
  public init(lowest: Int64 = 1, highest: Int64, digits: Int = 3) throws(HistogramError) {
    guard lowest >= 1, highest / 2 >= lowest, (1...5).contains(digits) else {
      throw .badLayout(lowest: lowest, highest: highest, digits: digits)
    }
    let unit = 63 - lowest.leadingZeroBitCount
    // The sub-bucket count and its unit shift must leave room in 63 bits.
    guard unit <= 40 else { throw .badLayout(lowest: lowest, highest: highest, digits: digits) }
    self.init(known: lowest, highest, digits)
  }

  private init(known lowest: Int64, _ highest: Int64, _ digits: Int) {
    var singleUnit: Int64 = 2
    for _ in 0..<digits { singleUnit *= 10 }
    // The power of two that covers it: 11 for three digits (2,000 of 2,048).
    let magnitude = 64 - (singleUnit - 1).leadingZeroBitCount
    self.lowest = lowest
    self.highest = highest
    self.digits = digits
    unitMagnitude = 63 - lowest.leadingZeroBitCount
    subBucketHalfMagnitude = magnitude - 1
    subBucketMask = ((1 << magnitude) - 1) << unitMagnitude
    var buckets = 1
    var untrackable = Int64(1) << (magnitude + unitMagnitude)
    while untrackable <= highest {
      buckets += 1
      if untrackable > Int64.max / 2 { break }
      untrackable <<= 1
    }
    length = (buckets + 1) << subBucketHalfMagnitude
  }

  /// The bucket of a value from 0 to `highest`; a value outside gives a meaningless index.
  @inlinable
  public func index(of value: Int64) -> Int {
    let bucket = 63 &- unitMagnitude &- subBucketHalfMagnitude &- (value | subBucketMask).leadingZeroBitCount
    let sub = Int(truncatingIfNeeded: value &>> Int64(truncatingIfNeeded: bucket &+ unitMagnitude))
    return (bucket &<< subBucketHalfMagnitude) &+ sub
  }

  /// The smallest and the largest value that a bucket stands for (35,071 at two digits: 34,816...35,071).
  public func values(at index: Int) -> ClosedRange<Int64> {
    let half = 1 << subBucketHalfMagnitude
    var bucket = (index >> subBucketHalfMagnitude) - 1
    var sub = (index & (half - 1)) + half
    if bucket < 0 {
      bucket = 0
      sub -= half
    }
    let shift = Int64(bucket + unitMagnitude)
    let first = Int64(sub) << shift
    return first...(first + ((1 << shift) - 1))
  }
}
