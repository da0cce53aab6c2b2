/// Marks instants of one kind in the cell's timeline: a flush, a fault. Made once, when a session is made, by
/// `Recorder.mark`. While no trace is on, marking is one test for nil.
public struct Mark: Sendable {
  private let enter: (@Sendable (_ value: UInt64) -> Void)?

  /// Makes a mark that enters its instants somewhere, or, without, nowhere.
  public init(_ enter: (@Sendable (_ value: UInt64) -> Void)? = nil) { self.enter = enter }

  /// It happens now, in the current task. `value` says how much, e.g. the size of a flush; a trace keeps 48 bits of it,
  /// and 0 for what is below 0.
  public func now(_ value: Int = 0) {
    if let enter { enter(UInt64(clamping: value)) }
  }
}
