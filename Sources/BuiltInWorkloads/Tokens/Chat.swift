internal import ProviderScripts
internal import SeededDraws
internal import Synchronization
internal import TokenStreaming
internal import WorkloadInterface

/// One conversation from start to end, as its user lives it.
final class Chat: Sendable {
  private let user: ChattingUser
  private let iteration: Iteration
  private let session: TokensSession
  private let observation: TokensObservation
  private let reader: ScriptedReader
  private let inference: any Inference
  private let enough, firstEnded: Signal
  private let conversation = Mutex<Conversation?>(nil)
  /// The user's last act, where the iteration itself is cancelled.
  private let stopping = Mutex<Task<Void, Never>?>(nil)

  init(
    user: ChattingUser, iteration: Iteration, session: TokensSession, observation: TokensObservation,
    reader: ScriptedReader, inference: any Inference, enough: Signal, firstEnded: Signal
  ) {
    self.user = user
    self.iteration = iteration
    self.session = session
    self.observation = observation
    self.reader = reader
    self.inference = inference
    self.enough = enough
    self.firstEnded = firstEnded
  }

  /// Runs it to its end, by itself or by the user's leaving. Cancelling the task is the stop button, for good.
  func run() async -> IterationOutcome {
    let outcome = await withTaskCancellationHandler {
      await converse()
    } onCancel: {
      stopping.withLock { $0 = Task { await self.stopForGood() } }
    }
    await stopping.withLock { $0.take() }?.value
    return outcome
  }

  private func converse() async -> IterationOutcome {
    await open()
    var replies: [Task<Void, Never>] = []
    for number in 0..<session.behaviour.prompts {
      if number > 0 { await think(before: number) }
      guard let reply = await send(number) else { break }
      replies.append(reply)
      if number == 0, let after = user.interruptAfter {
        await interruptOrEnd(after: after)
        // Another prompt cancels the reply, so it is not waited for; nor is one whose screen was left.
        if session.behaviour.exit != .stop { continue }
      }
      await reply.value
    }
    let hasLeft = conversation.withLock { $0 == nil }
    if !hasLeft { for reply in replies { await reply.value } }
    let outcome = outcome(hasLeft: hasLeft)
    await close()
    return outcome
  }

  private func outcome(hasLeft: Bool) -> IterationOutcome {
    if hasLeft || Task.isCancelled { return .cancelled }
    switch observation.ending(of: session.behaviour.prompts - 1) {
    case .complete: return .completed
    case .failed: return .failed(reason: "generation-failed")
    case .interrupted, nil: return .cancelled
    }
  }

  // MARK: Screen

  @MainActor
  private func open() {
    let model = Conversation(
      number: iteration.index, inference: inference, parts: session.components.parts, observer: observation)
    let sink = session.sink
    model.onChange = { [weak model] number in
      guard let reply = model?.replies[number], case .generating = reply.state else { return }
      sink.update(shown: reply.tokens)
    }
    observation.watch(model)
    conversation.withLock { $0 = model }
  }

  @MainActor
  private func send(_ number: Int) -> Task<Void, Never>? {
    guard !Task.isCancelled, let model = conversation.withLock({ $0 }) else { return nil }
    observation.sending(reply: number)
    let task = model.send("Tell me more.")
    // The prompt has cancelled the reply before it; one that had ended is beyond that.
    if number == 1, user.interruptAfter != nil, session.behaviour.exit == .prompt, !firstEnded.hasFired {
      interrupted()
    }
    return task
  }

  /// The user has had enough of the first reply.
  @MainActor
  private func interrupt() {
    guard !firstEnded.hasFired else { return }
    switch session.behaviour.exit {
    case .prompt: return
    case .stop: conversation.withLock { $0 }?.stop()
    case .leave:
      conversation.withLock { $0 = nil }
      observation.leftScreen()
    }
    interrupted()
  }

  @MainActor
  private func interrupted() {
    observation.interrupted(Prompt(conversation: iteration.index, number: 0, text: ""))
    reader.caller(of: 0).left()
  }

  /// The iteration was cancelled: the reply that is being written is stopped, and no prompt follows.
  @MainActor
  private func stopForGood() {
    guard let model = conversation.withLock({ $0 }), let reply = model.replies.last,
      case .generating = reply.state
    else { return }
    let number = model.replies.count - 1
    model.stop()
    observation.interrupted(Prompt(conversation: iteration.index, number: number, text: ""))
    reader.caller(of: number).left()
  }

  @MainActor
  private func close() { conversation.withLock { $0 = nil } }

  // MARK: Time

  private func think(before number: Int) async {
    let interrupts = number == 1 && user.interruptAfter != nil && session.behaviour.exit == .prompt
    guard !interrupts, let pause = session.behaviour.think else { return }
    let time = iteration.draws.nanoseconds(pause, session.users, slot: 2 + number)
    try? await session.clock.sleep(until: session.clock.now() + time)
  }

  /// Returns when the user has interrupted the first reply, or it has ended before.
  private func interruptOrEnd(after: Int64) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        guard await self.waitToInterrupt(after) else { return }
        await self.interrupt()
      }
      group.addTask { await self.firstEnded.wait() }
      await group.next()
      group.cancelAll()
    }
  }

  private func waitToInterrupt(_ after: Int64) async -> Bool {
    if session.behaviour.interruptAfterTokens != nil {
      await enough.wait()
    } else {
      try? await session.clock.sleep(until: session.clock.now() + after)
    }
    for _ in 0..<user.yields where !Task.isCancelled { await Task.yield() }
    return !Task.isCancelled
  }
}
