internal import WorkloadInterface

/// How a call with a time limit is built.
enum TimeoutStrategy: String {
  case joined, abandoned
  case byHand = "by-hand"
}

/// The ways in which a time limit is wrong on purpose.
enum TimeoutFlaw: String, CaseIterable {
  case cancelBeforeEntryLost = "cancel-before-entry-lost"
  case advanceBeforeSleeperLost = "advance-before-sleeper-lost"
  case cancelledTimersKept = "cancelled-timers-kept"
  case timersNeverRemoved = "timers-never-removed"

  /// What is wrong, in one line.
  var about: String {
    switch self {
    case .cancelBeforeEntryLost:
      "a call enters the list of what a cancel reaches in a task of its own, and a cancel before that is lost"
    case .advanceBeforeSleeperLost:
      "a clock that is moved by hand is moved before its sleeper has come to it, and the sleeper is never woken"
    case .cancelledTimersKept:
      "the entry of a call's time limit stays until the limit would have passed, though the call has ended"
    case .timersNeverRemoved: "the entry of a call's time limit is never removed"
    }
  }

  /// The finding that names it.
  var finding: String {
    switch self {
    case .cancelBeforeEntryLost: "orphaned-task"
    case .advanceBeforeSleeperLost: TimeoutWorkload.neverWoken.name
    case .cancelledTimersKept: TimerList.keptToDeadline.name
    case .timersNeverRemoved: TimerList.neverRemoved.name
    }
  }

  /// The clocks it exists on: what a sweep over steps alone shows has the virtual one.
  var clocks: [ClockKind] { self == .cancelBeforeEntryLost ? [.virtual] : ClockKind.allCases }

  /// Where a case of it was reported in public; nil where none is known.
  var report: String? {
    switch self {
    case .cancelBeforeEntryLost: nil
    case .advanceBeforeSleeperLost: "element-hq/element-x-ios#6022"
    case .cancelledTimersKept, .timersNeverRemoved: "swiftlang/swift#60441"
    }
  }

  /// The strategy that has it.
  var strategy: TimeoutStrategy { self == .advanceBeforeSleeperLost ? .byHand : .abandoned }

  /// When entries leave the list of time limits.
  var removal: TimerList.Removal {
    switch self {
    case .cancelBeforeEntryLost, .advanceBeforeSleeperLost: .whenOver
    case .cancelledTimersKept: .atDeadline
    case .timersNeverRemoved: .never
    }
  }
}
