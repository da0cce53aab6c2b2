import FlawedTokens
import Testing
import TokenStreaming

@Suite("A conversation", .timeLimit(.minutes(1)))
@MainActor
struct ConversationTests {
  private let engine = ManualEngine()
  private let clock = ManualClock()
  private let recording = Recording()

  private func conversation(
    _ change: (inout ConversationParts) -> Void = { _ in }, cadence: Bool = false
  ) -> Conversation {
    let presentation: any TokenPresentation =
      cadence ? CadencePresentation(every: .milliseconds(50), clock: clock) : PerTokenPresentation()
    var parts = ConversationParts(presentation: presentation)
    change(&parts)
    return Conversation(inference: InferenceEngine(engine), parts: parts, observer: recording)
  }

  /// Two tokens come; the second is in the buffer where there is a cadence.
  private func write(_ run: ManualEngine.Run, _ one: String, _ two: String) async {
    let (read, updates) = (recording.counts.value.read, recording.counts.value.updates.count)
    run.emit(one)
    await recording.counts.wait { $0.updates.count > updates }
    run.emit(two)
    await recording.counts.wait { $0.read == read + 2 }
  }

  @Test("a reply grows and is complete")
  func complete() async {
    let conversation = conversation()
    let reply = conversation.send("hi")
    let run = await engine.run(0)
    run.emit("Hel", "lo")
    run.end(.finished)
    await reply.value
    #expect(conversation.replies[0].text == "Hello")
    #expect(conversation.replies[0].tokens == 2)
    #expect(recording.counts.value.endings == [0: "complete"])
  }

  @Test("stopped and failed replies keep their text, also what was in the buffer, and are told apart")
  func partial() async {
    let conversation = conversation(cadence: true)
    let first = conversation.send("one")
    await write(await engine.run(0), "Hel", "lo")
    conversation.stop()
    await first.value
    let second = conversation.send("two")
    let run = await engine.run(1)
    await write(run, "Good", "bye")
    run.end(.failed(EngineFault()))
    await second.value
    #expect(conversation.replies.map(\.text) == ["Hello", "Goodbye"])
    #expect(recording.counts.value.endings == [0: "interrupted", 1: "failed"])
  }

  @Test("a new prompt cancels the old generation, and none of its tokens lands in the new reply")
  func newPrompt() async {
    let conversation = conversation(cadence: true)
    let first = conversation.send("one")
    await write(await engine.run(0), "old ", "text")
    let second = conversation.send("two")
    let run = await engine.run(1)
    await write(run, "new ", "words")
    run.end(.finished)
    await first.value
    await second.value
    #expect(conversation.replies.map(\.text) == ["old text", "new words"])
    #expect(engine.books.value.mostRunning == 1)
    #expect(recording.counts.value.endings == [0: "interrupted", 1: "complete"])
  }

  @Test("letting go of the conversation stops the engine")
  func dropped() async {
    var conversation: Conversation? = conversation()
    conversation?.send("hi")
    let run = await engine.run(0)
    run.emit("a")
    await recording.counts.wait { $0.read == 1 }
    weak let kept = conversation
    conversation = nil
    await run.stops.wait { $0 > 0 }
    #expect(kept == nil)
  }

  @Test("the flawed policies take a stop for completion or failure, discard, and misplace")
  func flawed() async {
    for (policy, ending, text) in [
      (ThrownCancellationPolicy() as any ReplyPolicy, "complete", "Hello"),
      (InterruptionAsFailurePolicy(), "failed", "Hello"), (DiscardingPolicy(), "interrupted", ""),
    ] {
      let conversation = conversation({ $0.policy = policy }, cadence: true)
      let number = engine.books.value.runs.count
      let reply = conversation.send("hi")
      await write(await engine.run(number), "Hel", "lo")
      conversation.stop()
      await reply.value
      #expect(recording.counts.value.endings[0] == ending)
      #expect(conversation.replies[0].text == text)
    }
    let conversation = conversation({ $0.policy = NewestReplyPolicy() }, cadence: true)
    let number = engine.books.value.runs.count
    let first = conversation.send("one")
    await write(await engine.run(number), "old ", "text")
    let second = conversation.send("two")
    await engine.run(number + 1).end(.finished)
    await first.value
    await second.value
    #expect(conversation.replies.map(\.text) == ["old ", "text"])
  }

  @Test("a strong loop keeps the conversation and its engine running")
  func flawedLoop() async {
    var conversation: Conversation? = conversation { $0.loop = StrongGenerationLoop() }
    let reply = conversation?.send("hi")
    let run = await engine.run(0)
    run.emit("a")
    await recording.counts.wait { $0.read == 1 }
    weak let kept = conversation
    conversation = nil
    for _ in 0..<100 { await Task.yield() }
    #expect(kept != nil)
    #expect(run.stops.value == 0)
    run.end(.finished)
    await reply?.value
  }
}
