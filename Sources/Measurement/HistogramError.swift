/// What a histogram refuses.
public enum HistogramError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The range or the number of digits cannot be laid out.
  case badLayout(lowest: Int64, highest: Int64, digits: Int)
  /// Two histograms of different layouts cannot be merged.
  case layoutsDiffer
  /// Stored or encoded data contradicts itself.
  case badData(String)

  /// A stable name of the fault.
  public var code: String {
    switch self {
    case .badLayout: "histogram.bad-layout"
    case .layoutsDiffer: "histogram.layouts-differ"
    case .badData: "histogram.bad-data"
    }
  }

  /// A sentence that says what to change.
  public var description: String {
    switch self {
    case .badLayout(let lowest, let highest, let digits):
      """
      no histogram covers \(lowest)...\(highest) ns with \(digits) digits: the lowest value must be at least 1, \
      the highest at least twice that, and digits 1 to 5
      """
    case .layoutsDiffer:
      "the histograms have different ranges or digits and cannot be merged"
    case .badData(let what):
      "the histogram data cannot be read: \(what)"
    }
  }
}
