package import WorkloadInterface

/// A scenario that was read and checked: everything resolved, nothing left to default.
package struct Scenario: Sendable, Codable {
  /// Its name; also the name of its directory, so it holds letters, digits, `.`, `_` and `-` alone.
  package var name: String
  /// One sentence for people.
  package var about: String
  /// The workload's name.
  package var pipeline: String
  /// `sound` and flaws, in the order of the file; never empty.
  package var variants: [String]
  /// Clocks, in the order of the file; never empty.
  package var clocks: [ClockKind]
  /// The seed of all draws.
  package var seed: UInt64
  /// How virtual time orders ready jobs.
  package var schedule: Schedule
  /// Where in virtual time running iterations are cancelled; nil where only the scripted user cancels.
  package var cancel: StepCancel?
  /// How iterations are started.
  package var load: LoadDescription
  /// The scripted user, defaults filled in.
  package var behaviour: ParameterValues
  /// A script for every declared provider.
  package var providers: [String: ProviderScript]
  /// What showing an element costs.
  package var sink: SinkDescription
  /// The strategies, each of another name; never empty.
  package var strategies: [StrategySelection]
  /// How often each cell is run, at least 1.
  package var repetitions: Int
  /// An iteration that completes within this many ns counts for goodput; nil when none is set.
  package var objective: Int64?
  /// How long a task may outlive its iteration before it is an orphan, in ns.
  package var grace: Int64
  /// A cell without any progress for this long, in ns of the machine's clock, is hung.
  package var watchdog: Int64
  /// Whether each iteration's times are written to `iterations.csv`.
  package var keepsIterations: Bool
  /// The gates as written; checked when the scenario was read.
  package var gates: [String]
  /// Gates for strategies that the command line leaves out, and gates on a sweep over steps where one step alone is
  /// run: they are not judged.
  package var gatesLeftOut: [String] = []
  /// Findings that must occur in the flawed variants' cells.
  package var expectations: [Expectation]
  /// The whole scenario as YAML with every default filled in.
  package var resolvedText: String
  /// The file as it was given on the command line.
  package var file: String
  /// What else the command line said of the scenario, as it would be typed again.
  package var overrides: [String] = []

  /// How virtual time orders ready jobs.
  package enum Schedule: String, Sendable, Codable, CaseIterable {
    /// First in, first out; the runtime's fast path stays as in production.
    case fifo
    /// Each hop is a scheduling point, order drawn from the seed.
    case everyHop = "every-hop"
  }

  /// At which scheduling steps running iterations are cancelled. A step is a job, a callback or a jump of time.
  package struct StepCancel: Sendable, Codable, Hashable {
    /// The number of steps after which everything that runs is cancelled; nil for each in turn, one run for each.
    package var step: Int?
    /// Orders of jobs that are tried, by number from 1. Only `every-hop` has more than one.
    package var orders: ClosedRange<Int>

    /// Makes a cancel.
    package init(step: Int?, orders: ClosedRange<Int> = 1...1) {
      self.step = step
      self.orders = orders
    }
  }

  /// A finding that must occur.
  package struct Expectation: Sendable, Codable, Hashable {
    /// The finding's name.
    package var finding: String
    /// How often; nil for at least once.
    package var count: Int?

    /// Makes an expectation.
    package init(finding: String, count: Int?) {
      self.finding = finding
      self.count = count
    }
  }
}
