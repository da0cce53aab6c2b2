internal import FlawedStories
internal import StoryPipeline
public import WorkloadInterface

/// Senders who wait at a channel without a buffer that nobody reads, and some of whom are cancelled.
///
/// The channel is the one behind the story coordinator's streams. Who was cancelled has to end, and nobody else.
/// What still waits after that is read, so that waiting is seen to have been of use.
public struct HandoverWorkload: Workload {
  /// The workload has no state.
  public init() {}

  static let stage = "send"

  /// What can be set.
  public var declaration: WorkloadDeclaration {
    WorkloadDeclaration(
      name: "handover",
      about: "Senders wait at a channel that nobody reads, and some of them are cancelled.",
      strategies: [
        StrategyDeclaration(
          name: "rendezvous", about: "No buffer: each sender waits until its element is taken.")
      ],
      providers: [],
      behaviour: HandoverBehaviour.declared,
      stages: [Self.stage],
      flaws: HandoverFlaw.allCases.map {
        FlawDeclaration(
          name: $0.rawValue, about: $0.about, finding: Self.finding(naming: $0).name, report: $0.report)
      },
      findings: HandoverOracles.declarations)
  }

  /// Prepares one cell.
  public func makeSession(_ cell: CellContext) throws -> any WorkloadSession {
    let behaviour = HandoverBehaviour(cell.behaviour)
    try behaviour.check()
    var flaw: HandoverFlaw?
    if let name = cell.flaw {
      flaw = HandoverFlaw(rawValue: name)
      guard flaw != nil else {
        throw WorkloadError("no flaw of `handover` is called `\(name)`", key: "variant")
      }
    }
    return HandoverSession(cell: cell, flaw: flaw, behaviour: behaviour)
  }

  /// The finding that names a flaw.
  static func finding(naming flaw: HandoverFlaw) -> FindingDeclaration {
    switch flaw {
    case .deafSender: HandoverOracles.neverResumed
    case .cancelEndsAll: HandoverOracles.endedOthers
    }
  }
}

/// What one iteration of `handover` does.
struct HandoverBehaviour: Sendable {
  let senders, cancelled: Int
  /// Time from the start to the cancel, and from there to the judgement, in ns.
  let after, patience: Int64

  /// Reads checked values; what is absent takes the declared default.
  init(_ values: ParameterValues) {
    senders = values.integer("senders") ?? 2
    cancelled = values.integer("cancelled") ?? 1
    after = values.duration("after") ?? 1_000_000_000
    patience = values.duration("patience") ?? 500_000_000
  }

  /// Throws where more are cancelled than there are.
  func check() throws {
    guard cancelled <= senders else {
      throw WorkloadError("only \(senders) senders can be cancelled", key: "behaviour.cancelled")
    }
  }

  /// The keys of `behaviour:`.
  static let declared = [
    ParameterDeclaration(
      "senders", .integer(1...10_000), default: .integer(2), about: "Who sends one element each."),
    ParameterDeclaration(
      "cancelled", .integer(0...10_000), default: .integer(1), about: "How many of them are cancelled."),
    ParameterDeclaration(
      "after", .duration(atLeast: 1_000_000), default: .duration(1_000_000_000),
      about: "Time from the start to the cancel."),
    ParameterDeclaration(
      "patience", .duration(atLeast: 1_000_000), default: .duration(500_000_000),
      about: "Time from the cancel until it is looked at who has ended."),
  ]
}
