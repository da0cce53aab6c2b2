package import WorkloadInterface

/// One cell of a scenario: what the driver hands to the process that runs it.
package struct CellPlan: Sendable, Codable {
  /// The whole scenario; in a sweep with the load of this cell.
  package var scenario: Scenario
  /// The strategy of this cell.
  package var strategy: StrategySelection
  /// `sound` or a flaw's name.
  package var variant: String
  /// The clock of this cell.
  package var clock: ClockKind
  /// From 1. Where a scenario cancels at steps, the number of the order of jobs.
  package var repetition: Int
  /// The cell's number in the plan, from 1.
  package var number: Int
  /// The users of this cell, where a sweep tells cells apart by them.
  package var users: Int?
  /// Room for so many events of a trace; nil where none is asked for.
  package var traceEvents: Int?

  /// Makes a plan.
  package init(
    scenario: Scenario, strategy: StrategySelection, variant: String, clock: ClockKind, repetition: Int,
    number: Int, users: Int? = nil
  ) {
    self.scenario = scenario
    self.strategy = strategy
    self.variant = variant
    self.clock = clock
    self.repetition = repetition
    self.number = number
    self.users = users
  }
}

extension Scenario {
  /// The cells, in the order of the record: by variant, clock, repetition and load, strategies side by side within each,
  /// so that a machine that drifts treats them alike.
  package func cells() -> [CellPlan] {
    var plans: [CellPlan] = []
    for variant in variants {
      for clock in clocks {
        for repetition in cancel?.orders ?? 1...repetitions {
          for (users, scenario) in levels {
            for strategy in strategies {
              plans.append(
                CellPlan(
                  scenario: scenario, strategy: strategy, variant: variant, clock: clock,
                  repetition: repetition,
                  number: plans.count + 1, users: users))
            }
          }
        }
      }
    }
    return plans
  }

  /// The scenario for each load of a sweep; itself where there is none.
  private var levels: [(users: Int?, scenario: Scenario)] {
    guard case .closed(let load) = load.model, !load.sweep.isEmpty else { return [(nil, self)] }
    return load.sweep.map { users in
      var one = load
      one.users = users
      one.sweep = []
      var scenario = self
      scenario.load.model = .closed(one)
      return (users, scenario)
    }
  }
}
