internal import FlawedFeeds
internal import LiveFeeds
internal import ProviderScripts
public import WorkloadInterface

/// Paged results walked page by page or row by row, and texts read line by line or event by event.
///
/// The strategies are the ways of leaving a walk: at its end, by break, by a cancel, by letting go. What is
/// fetched after that is counted at the source. Findings come from what source and consumer saw, in every cell
/// alike.
public struct PagesWorkload: Workload {
  /// The workload has no state.
  public init() {}

  /// What can be set.
  public var declaration: WorkloadDeclaration {
    WorkloadDeclaration(
      name: "pages",
      about: "A consumer walks through paged results, or reads lines out of chunks, to the end or not.",
      strategies: PagesStrategy.declared,
      providers: [
        ProviderDeclaration(
          name: "pages", about: "Answers each call with a page, or a chunk of text.",
          defaultScript: ProviderScript(latency: Defaults.lognormal(median: 20_000_000, p99: 200_000_000)))
      ],
      behaviour: PagesBehaviour.declared,
      flaws: PageFlaw.allCases.map {
        FlawDeclaration(
          name: $0.rawValue, about: $0.about, finding: Self.finding(naming: $0), report: $0.report)
      },
      findings: PageOracles.declarations,
      metrics: PageFigures.metrics)
  }

  /// Prepares one cell.
  public func makeSession(_ cell: CellContext) throws -> any WorkloadSession {
    let strategy = try PagesStrategy(cell.strategy)
    let behaviour = PagesBehaviour(cell.behaviour)
    try behaviour.check(strategy)
    var pages = PageComponents<Int>()
    var lines = LineComponents()
    if let name = cell.flaw {
      guard let flaw = PageFlaw(rawValue: name) else {
        throw WorkloadError("no flaw of `pages` is called `\(name)`", key: "variant")
      }
      pages = flaw.pageComponents(of: Int.self)
      lines = flaw.lineComponents
    }
    guard let provider = ScriptedProvider("pages", in: cell) else {
      throw WorkloadError("the pages provider has no script", key: "providers.pages")
    }
    return PagesSession(
      cell: cell, strategy: strategy, behaviour: behaviour, pages: pages, lines: lines, provider: provider)
  }

  /// The finding that names a flaw.
  static func finding(naming flaw: PageFlaw) -> String {
    switch flaw {
    case .producerRunsOn: PageOracles.fetchedAfterLeaving.name
    case .producerParked: "orphaned-task"
    case .unreadablePageEndsWalk: PageOracles.pagesLost.name
    case .lastPageLost: PageOracles.rowsLost.name
    case .emptyResultAskedAgain: PageOracles.emptyAskedAgain.name
    case .repeatedTokenFollowed: PageOracles.repeatedTokenFollowed.name
    case .failureTakenForEnd: PageOracles.failureTakenForEnd.name
    case .cancelLeftToSource: PageOracles.fetchedAfterLeaving.name
    case .resumedFromStart: PageOracles.deliveredTwice.name
    case .prefixFetchesOn: PageOracles.fetchedTooFar.name
    case .batchOfOneGathers: PageOracles.batchSizes.name
    case .lineCutAtChunk: PageOracles.lineBroken.name
    case .lastLineLost: PageOracles.lastLineLost.name
    case .carriageReturnKept: PageOracles.returnKept.name
    case .characterCutAtChunk: PageOracles.textDamaged.name
    case .eventCutAtChunk: PageOracles.eventBroken.name
    }
  }
}
