internal import ProviderScripts
internal import StoryPipeline
internal import WorkloadInterface

/// The four scripted providers of a cell.
struct StoryFakes: Sendable {
  let names, titles, plot, prose: ScriptedProvider

  /// Throws where a provider has no script.
  init(_ cell: CellContext) throws {
    func provider(_ name: String) throws -> ScriptedProvider {
      guard let provider = ScriptedProvider(name, in: cell) else {
        throw WorkloadError("the \(name) provider has no script", key: "providers.\(name)")
      }
      return provider
    }
    names = try provider("names")
    titles = try provider("titles")
    plot = try provider("plot")
    prose = try provider("prose")
    try BlockingLimits.check(cell)
  }
}

/// The providers as the user of one story meets them.
struct StoryCallers: Sendable {
  let names, titles, plot, prose: ScriptedCaller
  let paragraphs: Int

  init(_ fakes: StoryFakes, iteration: Iteration, paragraphs: Int) {
    names = fakes.names.caller(for: iteration)
    titles = fakes.titles.caller(for: iteration)
    plot = fakes.plot.caller(for: iteration)
    prose = fakes.prose.caller(for: iteration)
    self.paragraphs = paragraphs
  }

  /// The pipeline's providers.
  var providers: StoryProviders {
    StoryProviders(
      names: ScriptedNames(caller: names), titles: ScriptedTitles(caller: titles),
      plot: ScriptedPlot(caller: plot), prose: ScriptedProse(caller: prose, paragraphs: paragraphs))
  }

  /// The user wants nothing more of a stage.
  func left(_ kind: ProviderKind) {
    switch kind {
    case .names: names.left()
    case .titles: titles.left()
    case .plot: plot.left()
    case .prose: prose.left()
    }
  }

  /// The user has just cancelled, in ns from the start of the cell.
  func wereCancelled(at time: Int64) {
    for caller in all { caller.wasCancelled(at: time) }
  }

  /// Calls and elements so far that came after the user had cancelled or left.
  var late: (calls: Int64, elements: Int64) {
    all.reduce(into: (calls: 0, elements: 0)) { sum, caller in
      sum.calls += caller.late.calls
      sum.elements += caller.late.elements
    }
  }

  private var all: [ScriptedCaller] { [names, titles, plot, prose] }

  /// The user wants nothing more at all.
  func left() {
    for kind in ProviderKind.allCases { left(kind) }
  }
}
