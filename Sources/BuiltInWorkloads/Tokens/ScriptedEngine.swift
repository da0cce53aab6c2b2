internal import ProviderScripts
internal import Synchronization
internal import TokenStreaming
internal import WorkloadInterface

/// A model that writes as scripted, for the conversations that it knows.
///
/// It starts whatever it is told to, also beside a generation that runs: that is the fault to be seen.
final class ScriptedEngine: TokenEngine {
  /// The order of turns at this engine.
  let turns = TurnBooks()
  private let vocabulary: TokenVocabulary
  private let tokens: Int
  private let conversations = Mutex<[Int: ScriptedReader]>([:])

  init(vocabulary: TokenVocabulary, tokens: Int) {
    self.vocabulary = vocabulary
    self.tokens = tokens
  }

  /// A conversation begins; it is known until nothing refers to it any more.
  func join(_ reader: ScriptedReader, conversation: Int) {
    conversations.withLock { $0[conversation] = reader }
  }

  /// A conversation is over. What still runs for it goes on.
  func leave(conversation: Int) { conversations.withLock { _ = $0.removeValue(forKey: conversation) } }

  func start(_ prompt: Prompt, onEvent: @escaping @Sendable (EngineEvent) -> Void) -> any EngineRun {
    guard let reader = conversations.withLock({ $0[prompt.conversation] }) else {
      // A caller that was served after its conversation was over: the engine has nothing to say to it.
      onEvent(.stopped)
      return NoRun()
    }
    let overlaps = turns.started(prompt)
    reader.observation.engineStarted(prompt, overlaps: overlaps)
    let (vocabulary, tokens, turns) = (vocabulary, tokens, turns)
    let caller = reader.caller(of: prompt.number)
    let task = Task {
      var last = EngineEvent.finished
      do {
        _ = try await caller.stream(slot: prompt.number, count: tokens) { element in
          reader.observation.tokenMade(prompt, index: element.index)
          if let next = element.next {
            reader.observation.engineRests(
              prompt, from: element.due, to: next, whole: vocabulary.whole(of: element.index + 1))
          }
          onEvent(.token(vocabulary.token(element.index)))
        }
      } catch let failure as ProviderFailure {
        last = .failed(failure)
      } catch {
        last = .stopped
      }
      turns.ended(prompt)
      reader.observation.engineEnded(prompt, last)
      onEvent(last)
    }
    return ScriptedEngineRun(task: task, prompt: prompt, observation: reader.observation)
  }

  private struct NoRun: EngineRun {
    func stop() {}
  }
}

/// A running generation.
private struct ScriptedEngineRun: EngineRun {
  let task: Task<Void, Never>
  let prompt: Prompt
  let observation: TokensObservation

  func stop() {
    observation.stopCalled(prompt)
    task.cancel()
  }
}

/// One conversation as the engine meets it.
final class ScriptedReader: Sendable {
  let observation: TokensObservation
  private let provider: ScriptedProvider
  private let iteration: Iteration
  private let callers = Mutex<[Int: ScriptedCaller]>([:])

  init(provider: ScriptedProvider, iteration: Iteration, observation: TokensObservation) {
    self.provider = provider
    self.iteration = iteration
    self.observation = observation
  }

  /// Each reply has a caller of its own, so that one can be left and the next not.
  func caller(of reply: Int) -> ScriptedCaller {
    callers.withLock { callers in
      if let known = callers[reply] { return known }
      let made = provider.caller(for: iteration)
      callers[reply] = made
      return made
    }
  }
}
