/// How far a prerequisite has come, as its dependents see it.
public enum PrerequisiteState: Sendable, Hashable {
  /// Not prepared yet, or failed and not resolved.
  case unprepared
  /// Its value waits for its turn or is being executed.
  case prepared
  /// Its value was executed.
  case executed
  /// It made no value, or was left out after a failure.
  case skipped
}

/// A step that has a value, a skip or a failure and was not taken yet.
public struct HeldStep: Sendable, Hashable {
  /// Its place in the flow.
  public let place: Int
  /// Whether its preparation failed.
  public let isFailure: Bool
}

/// The choices of the scheduler. Each has a default, and the defaults are the promises of this library; another
/// rule is another promise.
public protocol FlowRules: Sendable {
  /// Whether a preparation may start beside `running` others.
  func mayPrepare(running: Int, limit: Int, isPaused: Bool) -> Bool
  /// Whether a step may be executed, or its failure resolved, now.
  func mayExecute(isExecuting: Bool, isPaused: Bool) -> Bool
  /// Whether dependents may start as far as this prerequisite is concerned.
  func isSatisfied(by prerequisite: PrerequisiteState) -> Bool
  /// Which dependents are looked at when a prerequisite has come further.
  func woken(_ dependents: [Int]) -> ArraySlice<Int>
  /// The step that is taken next, nil for none yet. `next` is the first in configuration order that was not
  /// taken; `held` are those that could be, in the order in which they came.
  func turn(next: Int, isNextHeld: Bool, held: [HeldStep]) -> Int?
  /// The steps whose results a preparation is given, of those that have one.
  func inputs(declared: [Int], available: () -> [Int]) -> [Int]
  /// Whether a resume that comes while a step is executed answers the pause that this step then asks for.
  var keepsEarlyResume: Bool { get }
}

extension FlowRules {
  /// Below the limit, and never in a pause.
  public func mayPrepare(running: Int, limit: Int, isPaused: Bool) -> Bool { !isPaused && running < limit }
  /// One at a time, and never in a pause.
  public func mayExecute(isExecuting: Bool, isPaused: Bool) -> Bool { !isExecuting && !isPaused }
  /// As soon as it is prepared, and by a skip.
  public func isSatisfied(by prerequisite: PrerequisiteState) -> Bool { prerequisite != .unprepared }
  /// All.
  public func woken(_ dependents: [Int]) -> ArraySlice<Int> { dependents[...] }
  /// Configuration order.
  public func turn(next: Int, isNextHeld: Bool, held: [HeldStep]) -> Int? { isNextHeld ? next : nil }
  /// Those that it declared.
  public func inputs(declared: [Int], available: () -> [Int]) -> [Int] { declared }
  /// It does: whoever confirms at once must not be waited for ever.
  public var keepsEarlyResume: Bool { true }
}

/// The promises of this library: every default.
public struct StandardFlowRules: FlowRules {
  /// It has no state.
  public init() {}
}
