public import Flowline

/// Flaw: what is prepared first is executed first, so the order of side effects follows the network.
///
/// Sound: configuration order.
public struct CompletionOrderRules: FlowRules {
  /// It has no state.
  public init() {}
  /// Whatever came first.
  public func turn(next: Int, isNextHeld: Bool, held: [HeldStep]) -> Int? { held.first?.place }
}

/// Flaw: a task for each execution, without waiting for the one before: in the right order by luck, and at once.
///
/// Sound: one execution at a time.
public struct TaskPerExecutionRules: FlowRules {
  /// It has no state.
  public init() {}
  /// Unless paused.
  public func mayExecute(isExecuting: Bool, isPaused: Bool) -> Bool { !isPaused }
  /// What has come, and stands first of it.
  public func turn(next: Int, isNextHeld: Bool, held: [HeldStep]) -> Int? { held.map(\.place).min() }
}

/// Flaw: a dependent starts when its prerequisite was executed, not when it was prepared.
///
/// Sound: preparation is enough.
public struct LateDependentsRules: FlowRules {
  /// It has no state.
  public init() {}
  /// By execution, or a skip.
  public func isSatisfied(by prerequisite: PrerequisiteState) -> Bool {
    prerequisite == .executed || prerequisite == .skipped
  }
}

/// Flaw: a skipped prerequisite satisfies nobody, and its dependents never start.
///
/// Sound: a skip counts as prepared.
public struct BlockingSkipRules: FlowRules {
  /// It has no state.
  public init() {}
  /// By a value only.
  public func isSatisfied(by prerequisite: PrerequisiteState) -> Bool {
    prerequisite == .prepared || prerequisite == .executed
  }
}

/// Flaw: of those who wait for one prerequisite only the first is woken.
///
/// Sound: all are.
public struct OneDependentRules: FlowRules {
  /// It has no state.
  public init() {}
  /// The first.
  public func woken(_ dependents: [Int]) -> ArraySlice<Int> { dependents.prefix(1) }
}

/// Flaw: every preparation that may start does, whatever the limit.
///
/// Sound: the limit holds.
public struct UnlimitedRules: FlowRules {
  /// It has no state.
  public init() {}
  /// Unless paused.
  public func mayPrepare(running: Int, limit: Int, isPaused: Bool) -> Bool { !isPaused }
}

/// Flaw: a pause holds up executions only; preparations go on to the end.
///
/// Sound: nothing starts in a pause.
public struct PreparingInPauseRules: FlowRules {
  /// It has no state.
  public init() {}
  /// Below the limit.
  public func mayPrepare(running: Int, limit: Int, isPaused: Bool) -> Bool { running < limit }
}

/// Flaw: a resume that comes before the step has asked for its pause is forgotten, and the flow waits for ever.
///
/// Sound: it answers that pause.
public struct ForgetfulResumeRules: FlowRules {
  /// It has no state.
  public init() {}
  /// It does not.
  public var keepsEarlyResume: Bool { false }
}

/// Flaw: preparations read a shared table, and see whatever happens to be in it.
///
/// Sound: a snapshot of the declared prerequisites.
public struct SharedTableRules: FlowRules {
  /// It has no state.
  public init() {}
  /// Everything there is.
  public func inputs(declared: [Int], available: () -> [Int]) -> [Int] { available() }
}

/// Flaw: a failure comes up as soon as it happens, before the steps that stand ahead of it.
///
/// Sound: it is held until its turn.
public struct EagerFailureRules: FlowRules {
  /// It has no state.
  public init() {}
  /// Failures first.
  public func turn(next: Int, isNextHeld: Bool, held: [HeldStep]) -> Int? {
    held.first { $0.isFailure }?.place ?? (isNextHeld ? next : nil)
  }
}

/// Flaw: everything starts at once, and finds its prerequisites there by luck.
///
/// Sound: a step starts when its prerequisites are prepared.
public struct HeedlessStartRules: FlowRules {
  /// It has no state.
  public init() {}
  /// Always.
  public func isSatisfied(by prerequisite: PrerequisiteState) -> Bool { true }
}
