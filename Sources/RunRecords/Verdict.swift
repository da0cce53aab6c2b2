/// What a run or a cell came to, from the most to the least severe.
package enum Verdict: String, Sendable, Codable, Hashable, CaseIterable, Comparable {
  /// Stopped by a signal before its end.
  case interrupted
  /// The cell's process died.
  case crashed
  /// Nothing could go on, or the watchdog's limit passed.
  case hung
  /// The load was not delivered or the measurement was not honest; the figures prove nothing.
  case invalid
  /// A gate did not hold, an expected finding was not seen, or an unexpected one was.
  case failed
  /// Worse than the baseline beyond noise.
  case regressed
  /// There is nothing to compare with.
  case noBaseline = "no-baseline"
  /// Too few samples to say.
  case inconclusive
  /// Everything that was asked was measured and holds.
  case passed

  /// Severity order: `a < b` means that `a` is the more severe.
  package static func < (left: Verdict, right: Verdict) -> Bool { left.rank < right.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  /// The most severe of some verdicts; nil when there are none, since nothing judged is not a pass.
  package static func worst(_ verdicts: some Sequence<Verdict>) -> Verdict? { verdicts.min() }

  /// The process's exit code for this verdict.
  package var exitCode: ExitCode {
    switch self {
    case .interrupted: .interrupted
    case .crashed: .crashed
    case .hung: .hung
    case .invalid: .invalid
    case .failed: .failed
    case .regressed: .regressed
    case .noBaseline: .noBaseline
    case .inconclusive: .inconclusive
    case .passed: .passed
    }
  }

  /// One sentence for people.
  package var about: String {
    switch self {
    case .interrupted: "stopped by a signal before its end; gates were not judged"
    case .crashed: "a cell's process died; what it measured until then is kept"
    case .hung: "nothing could go on, or the watchdog's limit passed"
    case .invalid: "the load was not delivered or the measurement was not honest: the figures prove nothing"
    case .failed: "a gate did not hold, an expected finding was missing, or an unexpected one was seen"
    case .regressed: "worse than the baseline beyond noise"
    case .noBaseline: "there is nothing to compare with"
    case .inconclusive: "too few samples to say"
    case .passed: "everything that was asked was measured and holds"
    }
  }
}

/// The exit codes of `weir`, all of them.
package enum ExitCode: Int32, Sendable, CaseIterable {
  /// Passed.
  case passed = 0
  /// Weir itself failed.
  case internalError = 1
  /// A gate or an expectation failed.
  case failed = 2
  /// Worse than the baseline.
  case regressed = 3
  /// Too few samples.
  case inconclusive = 4
  /// No baseline.
  case noBaseline = 5
  /// The run proves nothing.
  case invalid = 6
  /// Deadlock or watchdog.
  case hung = 7
  /// A cell's process died.
  case crashed = 8
  /// Wrong command line or scenario; nothing was run.
  case usage = 64
  /// `weir record` itself failed; the program was not started.
  case recordFailed = 125
  /// The program to be recorded cannot be executed.
  case notExecutable = 126
  /// There is no program to be recorded.
  case notFound = 127
  /// SIGINT.
  case interrupted = 130
  /// SIGTERM.
  case terminated = 143

  /// One sentence for `weir explain`.
  package var about: String {
    switch self {
    case .passed: "passed: \(Verdict.passed.about)"
    case .internalError:
      "Weir itself failed (please report it), or a timeline, a baseline or a report could not be written"
    case .failed: "failed: \(Verdict.failed.about)"
    case .regressed: "regressed: \(Verdict.regressed.about)"
    case .inconclusive: "inconclusive: \(Verdict.inconclusive.about)"
    case .noBaseline: "no-baseline: \(Verdict.noBaseline.about)"
    case .invalid: "invalid: \(Verdict.invalid.about)"
    case .hung: "hung: \(Verdict.hung.about)"
    case .crashed: "crashed: \(Verdict.crashed.about)"
    case .usage: "the command line or a scenario is wrong; nothing was run"
    case .recordFailed:
      "`weir record` itself failed: wrong command line, no probe, a directory that cannot be used"
    case .notExecutable: "`weir record`: the program is there and cannot be executed"
    case .notFound: "`weir record`: there is no such program; else it exits with the program's own status"
    case .interrupted: "interrupted by SIGINT; what was measured is kept"
    case .terminated: "interrupted by SIGTERM; what was measured is kept"
    }
  }
}
