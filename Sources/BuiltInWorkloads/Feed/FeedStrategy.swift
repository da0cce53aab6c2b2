internal import LiveFeeds
internal import WorkloadInterface

/// How prices that their consumer has not taken yet are kept.
enum FeedStrategy: Sendable, Equatable {
  /// In the stream's buffer.
  case pushed(FeedBuffering)
  /// At the source: it is asked for one after the other.
  case pulled

  /// In the order in which `weir list` shows them.
  static let declared: [StrategyDeclaration] = [
    StrategyDeclaration(name: "unbounded", about: "The stream keeps all prices that wait."),
    StrategyDeclaration(
      name: "newest", about: "The stream keeps the newest and pushes the oldest out.", parameters: [limit],
      needsOneOf: ["limit"]),
    StrategyDeclaration(
      name: "oldest", about: "The stream keeps the oldest and drops what comes when it is full.",
      parameters: [limit], needsOneOf: ["limit"]),
    StrategyDeclaration(name: "pull", about: "No callback: the consumer asks for each price."),
  ]

  private static let limit = ParameterDeclaration(
    "limit", .integer(1...1_000_000), about: "The most prices that wait.")

  /// A scenario's choice.
  init(_ selection: StrategySelection) throws {
    let limit = selection.parameters.integer("limit") ?? 1
    switch selection.kind {
    case "unbounded": self = .pushed(.unbounded)
    case "newest": self = .pushed(.newest(limit))
    case "oldest": self = .pushed(.oldest(limit))
    case "pull": self = .pulled
    default: throw WorkloadError("no strategy is called `\(selection.kind)`", key: "strategies")
    }
  }

  /// The most prices that may wait; nil without a bound.
  var limit: Int? {
    switch self {
    case .pushed(let buffering): buffering.limit
    case .pulled: 1
    }
  }
}
