import FlawedTokens
import Testing
import TokenStreaming

@Suite("The inference engine", .timeLimit(.minutes(1)))
struct InferenceEngineTests {
  private let engine = ManualEngine()
  private let recording = Recording()

  private func prompt(_ number: Int) -> Prompt { Prompt(number: number, text: "") }

  /// Starts a caller, and waits until it stands in the queue or has its turn.
  private func call(_ inference: any Inference, _ number: Int, isServed: Bool = false) async -> Task<
    Int, any Error
  > {
    let queued = recording.counts.value.queued
    let task = Task { [recording] in
      let stream = try await inference.generate(prompt(number), observer: recording)
      return try await stream.reduce(into: 0) { count, _ in count += 1 }
    }
    if isServed {
      _ = await engine.run(number)
    } else {
      await recording.counts.wait { $0.queued > queued }
    }
    return task
  }

  @Test("never runs two generations, and serves callers in the order in which they came")
  func order() async throws {
    let inference = InferenceEngine(engine)
    var callers = [await call(inference, 0, isServed: true)]
    for number in 1..<20 { callers.append(await call(inference, number)) }
    #expect(inference.waiting == 19)
    for number in 0..<20 {
      let run = await engine.run(number)
      #expect(run.prompt.number == number)
      #expect(engine.books.value.running == 1)
      run.emit("a")
      run.end(.finished)
    }
    for caller in callers { #expect(try await caller.value == 1) }
    #expect(engine.books.value.mostRunning == 1)
  }

  @Test("gives the turn when the engine has ended, not when its reader has left")
  func deafEngine() async throws {
    let engine = ManualEngine(isDeaf: true)
    let inference = InferenceEngine(engine)
    let first = Task { [recording] in
      for try await _ in try await inference.generate(prompt(0), observer: recording) {}
    }
    let run = await engine.run(0)
    let second = Task { [recording] in
      for try await _ in try await inference.generate(prompt(1), observer: recording) {}
    }
    await recording.counts.wait { $0.queued == 1 }
    first.cancel()
    try await first.value
    #expect(run.stops.value > 0)
    #expect(engine.books.value.runs.count == 1)
    run.end(.stopped)
    await engine.run(1).end(.finished)
    try await second.value
    #expect(engine.books.value.mostRunning == 1)
  }

  @Test("a cancelled caller leaves the queue, and the engine is not started for it")
  func cancelledCallers() async throws {
    let inference = InferenceEngine(engine)
    let first = await call(inference, 0, isServed: true)
    var waiting: [Task<Int, any Error>] = []
    for number in 1...6 { waiting.append(await call(inference, number)) }
    for index in [0, 2, 5] { waiting[index].cancel() }
    for index in [0, 2, 5] {
      await #expect(throws: CancellationError.self) { try await waiting[index].value }
    }
    #expect(inference.waiting == 3)
    for number in 0...3 { await engine.run(number).end(.finished) }
    _ = try await first.value
    for index in [1, 3, 4] { _ = try await waiting[index].value }
    #expect(engine.books.value.runs.map(\.prompt.number) == [0, 2, 4, 5])
    #expect(recording.counts.value.left == 3)
  }

  @Test(
    "a hundred callers on many threads, half of them cancelled: never two at once, and the engine is free in the end"
  )
  func storm() async throws {
    let inference = InferenceEngine(engine)
    let server = Task { [engine] in
      for number in 0... {
        let run = await engine.run(number)
        run.end(.finished)
        if run.prompt.number == 100 { return }
      }
    }
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<100 {
        group.addTask { [recording] in
          let caller = Task {
            let stream = try await inference.generate(prompt(number), observer: recording)
            for try await _ in stream {}
          }
          if number.isMultiple(of: 2) { caller.cancel() }
          _ = await caller.result
        }
      }
    }
    #expect(inference.waiting == 0)
    #expect(engine.books.value.mostRunning == 1)
    #expect(engine.books.value.runs.count >= 50)
    let last = Task { [recording] in
      for try await _ in try await inference.generate(prompt(100), observer: recording) {}
    }
    try await last.value
    await server.value
  }

  @Test("an actor that returns a stream runs two generations at once")
  func flawedActor() async throws {
    let inference = StreamReturningActor(engine) { TokenStream($0, on: $1, observer: $2, ended: $3) }
    let one = try await inference.generate(prompt(0), observer: recording)
    let two = try await inference.generate(prompt(1), observer: recording)
    #expect(engine.books.value.mostRunning == 2)
    withExtendedLifetime((one, two)) {}
  }

  @Test("the unfair twin serves the newest first")
  func flawedOrder() async throws {
    let inference = LastComeEngine(engine) { TokenStream($0, on: $1, observer: $2, ended: $3) }
    let first = await call(inference, 0, isServed: true)
    let others = [await call(inference, 1), await call(inference, 2)]
    for number in 0...2 { await engine.run(number).end(.finished) }
    _ = try await first.value
    for other in others { _ = try await other.value }
    #expect(engine.books.value.runs.map(\.prompt.number) == [0, 2, 1])
  }

  @Test("the twin that keeps cancelled callers starts the engine for them")
  func flawedCancel() async throws {
    let inference = CancelledCallersEngine(engine) { TokenStream($0, on: $1, observer: $2, ended: $3) }
    let first = await call(inference, 0, isServed: true)
    let second = await call(inference, 1)
    second.cancel()
    await engine.run(0).end(.finished)
    _ = try await first.value
    #expect(await engine.run(1).prompt.number == 1)
    _ = await second.result
  }
}
