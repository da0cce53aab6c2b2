/// Steps that make a flow: checked, with prerequisites and dependents by place in the list.
public struct FlowDefinition<ID: Hashable & Sendable, Value: Sendable>: Sendable {
  /// The steps in configuration order.
  public let operations: [FlowOperation<ID, Value>]
  /// The places of each step's prerequisites, ascending, each once.
  public let prerequisites: [[Int]]
  /// The places of the steps that depend on each step, ascending.
  public let dependents: [[Int]]

  /// Checks the steps. Takes time in proportion to steps and prerequisites.
  public init(_ operations: [FlowOperation<ID, Value>]) throws(FlowDefinitionError<ID>) {
    var places: [ID: Int] = [:]
    places.reserveCapacity(operations.count)
    for (place, operation) in operations.enumerated() {
      if let first = places.updateValue(place, forKey: operation.id) {
        throw .duplicateIdentifier(operation.id, first: first, second: place)
      }
    }
    var prerequisites: [[Int]] = []
    prerequisites.reserveCapacity(operations.count)
    var dependents = [[Int]](repeating: [], count: operations.count)
    for (place, operation) in operations.enumerated() {
      var own: Set<Int> = []
      for id in operation.preparationDependencies {
        guard let earlier = places[id] else { throw .unknownPrerequisite(id, of: operation.id) }
        guard earlier < place else { throw .laterPrerequisite(id, of: operation.id) }
        if own.insert(earlier).inserted { dependents[earlier].append(place) }
      }
      prerequisites.append(own.sorted())
    }
    self.operations = operations
    self.prerequisites = prerequisites
    self.dependents = dependents
  }
}
