/// Why a load cannot be planned.
package enum LoadPlanError: Error, Sendable, Hashable, CustomStringConvertible {
  /// There are no stages.
  case noStages
  /// A stage's length is not above 0, or a rate is negative or per no time.
  case badStage(index: Int)
  /// The numbers of a stage exceed exact arithmetic: a huge rate over a huge time.
  case tooLarge(index: Int)
  /// A closed load without users, or with neither a duration nor a number of iterations.
  case badClosedLoad(String)

  /// A stable name of the fault.
  package var code: String {
    switch self {
    case .noStages: "load.no-stages"
    case .badStage: "load.bad-stage"
    case .tooLarge: "load.too-large"
    case .badClosedLoad: "load.bad-closed"
    }
  }

  /// A sentence that says what to change.
  package var description: String {
    switch self {
    case .noStages: "an open load needs at least one stage"
    case .badStage(let index):
      "stage \(index + 1): its length must be above 0, its rates at least 0 and per a time above 0"
    case .tooLarge(let index):
      "stage \(index + 1): rate and length are too large to plan exactly; split it or lower the rate"
    case .badClosedLoad(let what): "closed load: \(what)"
    }
  }
}
