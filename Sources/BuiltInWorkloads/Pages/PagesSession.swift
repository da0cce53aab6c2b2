internal import LiveFeeds
internal import ProviderScripts
internal import SeededDraws
internal import WorkloadInterface

/// The running side of `pages`.
final class PagesSession: WorkloadSession {
  let behaviour: PagesBehaviour
  let strategy: PagesStrategy
  let pages: PageComponents<Int>
  let lines: LineComponents
  let figures: PageFigures
  let recorder: Recorder
  let sink: ScriptedSink
  let draws: DrawStream
  private let provider: ScriptedProvider
  private let books = OpenBooks<PageObservation>()

  init(
    cell: CellContext, strategy: PagesStrategy, behaviour: PagesBehaviour, pages: PageComponents<Int>,
    lines: LineComponents, provider: ScriptedProvider
  ) {
    self.strategy = strategy
    self.behaviour = behaviour
    self.pages = pages
    self.lines = lines
    self.provider = provider
    recorder = cell.recorder
    figures = PageFigures(cell.recorder)
    sink = ScriptedSink(in: cell)
    draws = DrawStream(seed: cell.seed, name: "pages.reading")
  }

  func run(_ iteration: Iteration) async -> IterationOutcome {
    let observation = PageObservation(
      iteration, behaviour: behaviour, figures: figures, recorder: recorder)
    books.open(observation, iteration: iteration.index)
    let caller = provider.caller(for: iteration)
    let run = PagesRun(iteration: iteration, session: self, observation: observation, caller: caller)
    let outcome = await run.outcome()
    caller.left()
    // Who left early is followed until the cell is over: pages may still be asked for.
    if strategy.leaving == nil { observation.close(ended: true) }
    books.ended(iteration: iteration.index, keep: strategy.leaving != nil)
    return outcome
  }

  func finish() async { books.close() }
}
