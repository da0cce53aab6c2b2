internal import Measurement
internal import ProviderScripts
internal import SeededDraws
internal import TokenStreaming
internal import WorkloadInterface

/// The running side of `tokens`.
final class TokensSession: WorkloadSession {
  let behaviour: TokensBehaviour
  let components: TokenComponents
  let clock: CellClock
  let sink: ScriptedSink
  let users: DrawStream
  private let cadence: Duration?
  private let clockKind: ClockKind
  private let figures: TokenFigures
  private let recorder: Recorder
  private let provider: ScriptedProvider
  private let vocabulary: TokenVocabulary
  private let shared: (engine: ScriptedEngine, inference: any Inference)?
  private let books = OpenBooks<TokensObservation>()

  init(
    cell: CellContext, components: TokenComponents, behaviour: TokensBehaviour, cadence: Duration?
  ) throws {
    guard let script = cell.providers["engine"], let provider = ScriptedProvider("engine", in: cell) else {
      throw WorkloadError("the engine has no script", key: "providers.engine")
    }
    self.behaviour = behaviour
    self.components = components
    self.cadence = cadence
    clockKind = cell.clock
    self.provider = provider
    recorder = cell.recorder
    clock = cell.recorder.clock
    figures = TokenFigures(cell.recorder)
    sink = ScriptedSink(in: cell)
    users = DrawStream(seed: cell.seed, name: "tokens.user")
    vocabulary = TokenVocabulary(values: script.values, bytes: behaviour.tokenBytes)
    if behaviour.sharesEngine {
      let engine = ScriptedEngine(vocabulary: vocabulary, tokens: behaviour.tokens)
      shared = (engine, components.inference(for: engine))
    } else {
      shared = nil
    }
  }

  func run(_ iteration: Iteration) async -> IterationOutcome {
    let engine = shared?.engine ?? ScriptedEngine(vocabulary: vocabulary, tokens: behaviour.tokens)
    let inference = shared?.inference ?? components.inference(for: engine)
    let (enough, firstEnded) = (Signal(), Signal())
    let observation = TokensObservation(
      iteration, cadence: cadence, clock: clockKind, figures: figures, recorder: recorder,
      turns: engine.turns,
      memoryPerToken: behaviour.memoryPerToken,
      enough: behaviour.interruptAfterTokens.map { ($0, enough) }, firstEnded: firstEnded)
    books.open(observation, iteration: iteration.index)
    let reader = ScriptedReader(provider: provider, iteration: iteration, observation: observation)
    engine.join(reader, conversation: iteration.index)
    let user = ChattingUser(behaviour, draws: iteration.draws, stream: users)
    let chat = Chat(
      user: user, iteration: iteration, session: self, observation: observation, reader: reader,
      inference: inference, enough: enough, firstEnded: firstEnded)
    let outcome = await chat.run()
    engine.leave(conversation: iteration.index)
    observation.ended()
    // What the pipeline does for a reader who has gone is looked at until the cell is over.
    books.ended(iteration: iteration.index, keep: user.interruptAfter != nil || outcome == .cancelled)
    return outcome
  }

  func finish() async {
    books.close()
    figures.finish()
  }
}
