internal import WorkloadInterface

/// How the consumer of a walk leaves it.
struct PagesStrategy: Sendable {
  /// The ways of leaving before the end.
  enum Leaving: String, CaseIterable {
    /// Out of the loop; its task goes on to other things.
    case `break`
    /// By a cancel of its task, within the loop.
    case cancel
    /// By letting go of the iterator and the walk.
    case drop
  }

  /// How, and after how many elements; nil for the end.
  let leaving: (by: Leaving, after: Int)?

  /// Whether the consumer's task is cancelled.
  var isCancel: Bool { leaving?.by == .cancel }

  /// A scenario's choice.
  init(_ selection: StrategySelection) throws {
    guard selection.kind != "to-the-end" else {
      leaving = nil
      return
    }
    guard let by = Leaving(rawValue: selection.kind) else {
      throw WorkloadError("no strategy is called `\(selection.kind)`", key: "strategies")
    }
    leaving = (by, selection.parameters.integer("after") ?? 3)
  }

  private static let after = ParameterDeclaration(
    "after", .integer(1...1_000_000), about: "Elements that are read before that.")

  /// In the order in which `weir list` shows them.
  static let declared = [
    StrategyDeclaration(name: "to-the-end", about: "The consumer reads all there is."),
    StrategyDeclaration(
      name: "break", about: "The consumer leaves its loop by break.", parameters: [after],
      needsOneOf: ["after"]),
    StrategyDeclaration(
      name: "cancel", about: "The consumer's task is cancelled.", parameters: [after], needsOneOf: ["after"]),
    StrategyDeclaration(
      name: "drop", about: "The consumer lets go of iterator and walk.", parameters: [after],
      needsOneOf: ["after"]),
  ]
}
