package import WorkloadInterface

/// One cell of a scenario: what the driver hands to the process that runs it.
package struct CellPlan: Sendable, Codable {
  /// The whole scenario.
  package var scenario: Scenario
  /// The strategy of this cell.
  package var strategy: StrategySelection
  /// `sound` or a flaw's name.
  package var variant: String
  /// The clock of this cell.
  package var clock: ClockKind
  /// From 1.
  package var repetition: Int
  /// The cell's number in the plan, from 1.
  package var number: Int
  /// Room for so many events of a trace; nil where none is asked for.
  package var traceEvents: Int?

  /// Makes a plan.
  package init(
    scenario: Scenario, strategy: StrategySelection, variant: String, clock: ClockKind, repetition: Int,
    number: Int
  ) {
    self.scenario = scenario
    self.strategy = strategy
    self.variant = variant
    self.clock = clock
    self.repetition = repetition
    self.number = number
  }
}

extension Scenario {
  /// The cells, in the order they run: by variant, clock and repetition, strategies side by side within each,
  /// so that a machine that drifts treats them alike.
  package func cells() -> [CellPlan] {
    var plans: [CellPlan] = []
    for variant in variants {
      for clock in clocks {
        for repetition in 1...repetitions {
          for strategy in strategies {
            plans.append(
              CellPlan(
                scenario: self, strategy: strategy, variant: variant, clock: clock, repetition: repetition,
                number: plans.count + 1))
          }
        }
      }
    }
    return plans
  }
}
