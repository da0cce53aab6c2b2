import FlawedTokens
import Testing
import TokenStreaming

@Suite("The cadence", .timeLimit(.minutes(1)))
struct CadenceTests {
  private let engine = ManualEngine()
  private let clock = ManualClock()
  private let recording = Recording()
  private let shown = Watched<[TextUpdate]>([])

  private func start(_ presentation: (any TokenPresentation)? = nil) -> Task<StreamEnd, Never> {
    let stream = TokenStream(Prompt(text: ""), on: engine, observer: recording)
    let presentation = presentation ?? CadencePresentation(every: .milliseconds(50), clock: clock)
    return Task { [shown] in
      await presentation.present(stream) { update in shown.update { $0.append(update) } }
    }
  }

  /// Emits a token, and an empty one that is read only when the reader is done with the first.
  private func emit(_ run: ManualEngine.Run, _ text: String) async {
    let read = recording.counts.value.read
    run.emit(text, "")
    await recording.counts.wait { $0.read == read + 2 }
  }

  private var texts: [String] { shown.value.map(\.text) }

  @Test("shows the first text at once, then at most once in 50 ms, and the rest at the end")
  func cadence() async {
    let reply = start()
    let run = await engine.run(0)
    await emit(run, "a")
    await shown.wait { $0.count == 1 }
    await emit(run, "b")
    await emit(run, "c")
    await clock.advanceSleeper(by: .milliseconds(50))
    await shown.wait { $0.count == 2 }
    await emit(run, "d")
    run.end(.finished)
    let end = await reply.value
    #expect(texts == ["a", "bc", "d"])
    #expect(shown.value.map(\.cause) == [.age, .age, .end])
    let ranges = shown.value.map(\.tokens)
    #expect(ranges.first?.lowerBound == 0 && ranges.last?.upperBound == 8)
    #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
    #expect(end.error == nil && !end.isCancelled)
  }

  @Test("a stream that goes silent has nothing in hand after 50 ms")
  func silence() async {
    let reply = start()
    let run = await engine.run(0)
    await emit(run, "a")
    await shown.wait { $0.count == 1 }
    await emit(run, "b")
    // No token comes: the timer alone shows it.
    await clock.advanceSleeper(by: .milliseconds(50))
    await shown.wait { $0.count == 2 }
    #expect(texts == ["a", "b"])
    run.end(.finished)
    _ = await reply.value
    #expect(texts == ["a", "b"])
  }

  @Test("a failure shows the rest before it is told")
  func failure() async {
    let reply = start()
    let run = await engine.run(0)
    await emit(run, "a")
    await shown.wait { $0.count == 1 }
    await emit(run, "b")
    run.end(.failed(EngineFault()))
    let end = await reply.value
    #expect(texts == ["a", "b"])
    #expect(end.error is EngineFault)
  }

  @Test("a cancel shows the rest, and leaves no timer")
  func cancel() async {
    let reply = start()
    let run = await engine.run(0)
    await emit(run, "a")
    await shown.wait { $0.count == 1 }
    await emit(run, "b")
    reply.cancel()
    let end = await reply.value
    #expect(texts == ["a", "b"])
    #expect(end.isCancelled)
    #expect(clock.times.value.sleepers.isEmpty)
    #expect(run.stops.value > 0)
  }

  @Test("a thousand tokens in a second are twenty updates, whatever the token rate")
  func rate() async {
    let reply = start()
    let run = await engine.run(0)
    await emit(run, "x")
    await shown.wait { $0.count == 1 }
    for round in 1..<20 {
      for _ in 0..<50 { run.emit("x") }
      await clock.advanceSleeper(by: .milliseconds(50))
      await shown.wait { $0.count == round + 1 }
    }
    run.end(.finished)
    _ = await reply.value
    let timed = shown.value.filter { $0.cause == .age }
    #expect(timed.count == 20)
    #expect(texts.joined().count == 951)
  }

  @Test("the flawed twins hold text in silence, and lose the rest on failure and on cancel")
  func flawed() async {
    let silent = start(TokenClockedPresentation(every: .milliseconds(50), clock: clock))
    var run = await engine.run(0)
    await emit(run, "a")
    clock.advance(by: .milliseconds(60))
    await emit(run, "b")
    await shown.wait { $0.count == 1 }
    await emit(run, "c")
    clock.advance(by: .seconds(20))
    for _ in 0..<100 { await Task.yield() }
    #expect(texts == ["ab"])
    run.end(.finished)
    _ = await silent.value

    let sound = CadencePresentation(every: .milliseconds(50), clock: clock)
    for (number, forgotten) in [(1, ForgetfulPresentation.Forgotten.failure), (2, .cancel)] {
      shown.update { $0 = [] }
      let reply = start(ForgetfulPresentation(sound, on: forgotten))
      run = await engine.run(number)
      await emit(run, "a")
      await shown.wait { $0.count == 1 }
      await emit(run, "b")
      if forgotten == .cancel { reply.cancel() } else { run.end(.failed(EngineFault())) }
      _ = await reply.value
      #expect(texts == ["a"])
    }
  }
}
