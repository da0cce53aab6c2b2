internal import Measurement
internal import Synchronization
internal import TokenStreaming
internal import WorkloadInterface

/// Watches one conversation from all seams: counts its tokens, and shows everything to the oracles.
///
/// It reports what the oracles found once: when the cell is over, or before that when the last part of the
/// pipeline has let go of it.
final class TokensObservation: TokenObserver {
  private struct State {
    var ledger = TokenLedger()
    var oracles: TokenOracles
    var times: [Int: ReplyTimes] = [:]
    var memory: [Int: EngineMemory] = [:]
    var endings: [Int: ReplyEnding] = [:]
    var runningEngines = 0
    var hasEnded = false
    var hasLeft = false
    var isReported = false
  }

  /// When things happened to one reply, in ns of the cell.
  private struct ReplyTimes {
    var sent, asked, engineStarted, lastRead, lastUpdate, interrupted: Int64?
  }

  private let iteration: Iteration
  private let figures: TokenFigures
  private let recorder: Recorder
  private let turns: TurnBooks
  private let memoryPerToken: Int64
  private let state: Mutex<State>
  private let conversation = WeakConversation()
  private let enough: (tokens: Int, signal: Signal)?
  private let firstEnded: Signal

  /// `enough` is fired when the first reply has so many tokens read, `firstEnded` when it has ended.
  init(
    _ iteration: Iteration, cadence: Duration?, clock: ClockKind, figures: TokenFigures, recorder: Recorder,
    turns: TurnBooks,
    memoryPerToken: Int, enough: (tokens: Int, signal: Signal)?, firstEnded: Signal
  ) {
    self.iteration = iteration
    self.figures = figures
    self.recorder = recorder
    self.turns = turns
    self.memoryPerToken = Int64(memoryPerToken)
    self.enough = enough
    self.firstEnded = firstEnded
    state = Mutex(State(oracles: TokenOracles(cadence: cadence, isVirtual: clock == .virtual)))
  }

  deinit { report() }

  private func update(_ event: TokenStoryEvent, _ change: (inout State, Int64) -> Void = { _, _ in }) {
    let now = recorder.clock.now()
    state.withLock { state in
      change(&state, now)
      state.oracles.see(event, at: now)
    }
  }

  private func with(_ reply: Int, _ state: inout State, _ change: (inout ReplyTimes) -> Void) {
    change(&state.times[reply, default: ReplyTimes()])
  }

  // MARK: User

  /// A prompt is about to be sent.
  func sending(reply: Int) {
    let now = recorder.clock.now()
    state.withLock { $0.times[reply, default: ReplyTimes()].sent = now }
  }

  /// The user does not want the reply any more; the pipeline knows.
  func interrupted(_ prompt: Prompt) {
    figures.cancels.add()
    turns.interrupted(prompt)
    update(.interrupted(prompt)) { state, now in with(prompt.number, &state) { $0.interrupted = now } }
  }

  /// The conversation was let go of.
  func leftScreen() {
    update(.leftScreen) { state, now in
      state.hasLeft = true
      for reply in state.memory.keys { state.memory[reply]?.readerLeft(at: now) }
    }
  }

  /// The conversation to look for at the end.
  func watch(_ conversation: Conversation) { self.conversation.set(conversation) }

  /// How a reply ended; nil while it has not.
  func ending(of reply: Int) -> ReplyEnding? { state.withLock { $0.endings[reply] } }

  /// The iteration has ended.
  func ended() { state.withLock { $0.hasEnded = true } }

  // MARK: Engine

  func engineStarted(_ prompt: Prompt, overlaps: Bool) {
    if overlaps { figures.overlap.add() }
    update(.engineStarted(prompt)) { state, now in
      state.runningEngines += 1
      state.memory[prompt.number] = EngineMemory()
      with(prompt.number, &state) {
        $0.engineStarted = now
        if let asked = $0.asked { figures.queueing.record(now - asked, in: iteration) }
      }
    }
  }

  func tokenMade(_ prompt: Prompt, index: Int) {
    update(.made(prompt)) { state, now in
      if let depth = state.ledger.make(prompt.number, at: now) {
        figures.made.add()
        figures.depth.set(Int64(depth))
      }
      state.memory[prompt.number]?.grow(by: memoryPerToken, at: now)
    }
    figures.memory.add(memoryPerToken)
  }

  /// The script has no token for this time, which is told to the oracles if it is long; `whole` says how many of
  /// those so far can be shown.
  func engineRests(_ prompt: Prompt, from: Int64, to: Int64, whole: @autoclosure () -> Int) {
    guard to - from >= TextHeldInSilence.least else { return }
    update(.silent(prompt, from: from, to: to, whole: whole()))
  }

  func stopCalled(_ prompt: Prompt) { update(.stopCalled(prompt)) }

  func engineEnded(_ prompt: Prompt, _ last: EngineEvent) {
    update(.engineEnded(prompt, last)) { state, now in
      state.runningEngines -= 1
      if var memory = state.memory.removeValue(forKey: prompt.number) {
        figures.memory.add(-memory.held)
        figures.memoryAfterLeft.add(memory.release(at: now))
      }
      guard let times = state.times[prompt.number] else { return }
      if let started = times.engineStarted { figures.generating.record(now - started, in: iteration) }
      if let interrupted = times.interrupted { figures.engineStop.record(now - interrupted, in: iteration) }
    }
  }

  // MARK: Pipeline

  func callerAsked(_ prompt: Prompt) {
    turns.asked(prompt)
    let now = recorder.clock.now()
    state.withLock { $0.times[prompt.number, default: ReplyTimes()].asked = now }
  }

  func callerQueued(_ prompt: Prompt) { turns.queued(prompt) }

  func callerLeft(_ prompt: Prompt) { turns.left(prompt) }

  func tokenRead(_ prompt: Prompt, index: Int) {
    figures.read.add()
    update(.read(prompt)) { state, now in
      if let age = state.ledger.read(prompt.number, index: index, at: now) {
        figures.atReader.record(age, in: iteration)
      }
      with(prompt.number, &state) { times in
        if let last = times.lastRead {
          figures.interElement.record(now - last, in: iteration)
        } else if let sent = times.sent {
          figures.timeToFirst.record(now - sent, in: iteration)
        }
        times.lastRead = now
      }
    }
    if let enough, prompt.number == 0, index + 1 == enough.tokens { enough.signal.fire() }
  }

  func tokenDropped(_ prompt: Prompt, index: Int) {
    state.withLock { if $0.ledger.drop(prompt.number, index: index) { figures.dropped.add() } }
  }

  func replyGrew(_ reply: Int, by update: TextUpdate, for prompt: Prompt) {
    self.update(.grew(reply: reply, update, prompt)) { state, now in
      for index in update.tokens {
        guard let age = state.ledger.deliver(prompt.number, index: index, at: now) else { continue }
        figures.delivered.add()
        figures.atView.record(age, in: iteration)
      }
      with(prompt.number, &state) { times in
        figures.flushed(update, after: times.lastUpdate.map { now - $0 }, in: iteration)
        times.lastUpdate = now
      }
    }
  }

  func replyEnded(_ prompt: Prompt, _ ending: ReplyEnding, text: String) {
    let bytes = text.utf8.count
    update(.replyEnded(prompt, ending, bytes: bytes)) { state, now in
      state.endings[prompt.number] = ending
      state.memory[prompt.number]?.readerLeft(at: now)
      guard let times = state.times[prompt.number] else { return }
      if let sent = times.sent { figures.replying.record(now - sent, in: iteration) }
      if let interrupted = times.interrupted { figures.replyStop.record(now - interrupted, in: iteration) }
    }
    figures.ended(ending, keeping: bytes)
    if prompt.number == 0 { firstEnded.fire() }
  }
}

extension TokensObservation: Books {
  var isBalanced: Bool {
    state.withLock { $0.ledger.undetermined == 0 && $0.runningEngines == 0 } && !conversation.isAlive
  }

  func close(ended: Bool) {
    let (open, hasLeft) = state.withLock { ($0.ledger.close(), $0.hasLeft) }
    // What is in hand when the screen is left has been withdrawn by the user.
    let fate = hasLeft ? figures.dropped : ended ? figures.lost : figures.buffered
    fate.add(Int64(open))
    report()
  }

  private func report() {
    let (isAlive, now) = (conversation.isAlive, recorder.clock.now())
    let findings = state.withLock { state -> [ReportedFinding] in
      guard !state.isReported else { return [] }
      state.isReported = true
      return state.oracles.findings(
        at: TokenStoryEnd(
          hasEnded: state.hasEnded, time: now, isConversationAlive: state.hasEnded && isAlive),
        iteration: iteration.index)
    }
    for finding in findings + turns.findings(conversation: iteration.index) { recorder.report(finding) }
  }
}

/// A conversation that somebody else keeps, or does not.
private final class WeakConversation: Sendable {
  private struct Box {
    weak var conversation: Conversation?
  }
  private let box = Mutex(Box())

  func set(_ conversation: Conversation) { box.withLock { $0.conversation = conversation } }

  var isAlive: Bool { box.withLock { $0.conversation != nil } }
}
