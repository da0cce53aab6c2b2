import FlawedTokens
import Testing
import TokenStreaming

@Suite("A token stream", .timeLimit(.minutes(1)))
struct TokenStreamTests {
  private let engine = ManualEngine()
  private let prompt = Prompt(text: "hello")

  @Test("hands tokens on as they are made and ends with the engine")
  func whole() async throws {
    let stream = TokenStream(prompt, on: engine)
    let run = await engine.run(0)
    run.emit("a", "b", "c")
    run.end(.finished)
    var text = ""
    for try await token in stream { text += String(decoding: token.utf8, as: UTF8.self) }
    #expect(text == "abc")
  }

  @Test("throws what the engine failed with, after the tokens made before")
  func failure() async throws {
    let stream = TokenStream(prompt, on: engine)
    let run = await engine.run(0)
    run.emit("a", "b")
    run.end(.failed(EngineFault()))
    var read = 0
    await #expect(throws: EngineFault.self) { for try await _ in stream { read += 1 } }
    #expect(read == 2)
  }

  @Test("stops the engine when its loop is left by break, though the stream is kept")
  func leftByBreak() async throws {
    let recording = Recording()
    let stream = TokenStream(prompt, on: engine, observer: recording)
    let run = await engine.run(0)
    run.emit("a", "b")
    for try await _ in stream { break }
    #expect(run.stops.value > 0)
    run.emit("late")
    #expect(recording.counts.value.dropped == 1)
    withExtendedLifetime(stream) {}
  }

  @Test("stops the engine when its reader's task is cancelled, and the reader keeps what was made before")
  func cancelled() async throws {
    let recording = Recording()
    let stream = TokenStream(prompt, on: engine, observer: recording)
    let run = await engine.run(0)
    run.emit("a", "b")
    let reader = Task {
      var read = 0
      for try await _ in stream { read += 1 }
      return (read, Task.isCancelled)
    }
    await recording.counts.wait { $0.read == 2 }
    reader.cancel()
    #expect(run.stops.value > 0)
    let (read, isCancelled) = try await reader.value
    // No error: a cancelled stream ends like any other.
    #expect(read == 2 && isCancelled)
  }

  @Test("stops the engine when it is dropped unread")
  func dropped() async {
    do { _ = TokenStream(prompt, on: engine) }
    let run = await engine.run(0)
    await run.stops.wait { $0 > 0 }
  }

  @Test("without a termination handler the engine is never told, by break or by cancel")
  func flawed() async throws {
    for (make, number) in [(UnterminatedStream.make, 0), (UnclosedSessionStream.make, 1)] {
      let recording = Recording()
      let stream = make(prompt, engine, recording) {}
      let run = await engine.run(number)
      run.emit("a")
      let reader = Task { for try await _ in stream {} }
      await recording.counts.wait { $0.read == 1 }
      reader.cancel()
      try await reader.value
      #expect(run.stops.value == 0)
      run.emit("b", "c")
      #expect(recording.counts.value.dropped == 2)
    }
  }

  @Test("a collecting stream has nothing to give before the engine has ended")
  func collecting() async throws {
    let recording = Recording()
    let stream = CollectingStream.make(prompt, on: engine, observer: recording) {}
    let run = await engine.run(0)
    run.emit("a", "b")
    let reader = Task { try await stream.reduce(into: 0) { count, _ in count += 1 } }
    for _ in 0..<100 { await Task.yield() }
    #expect(recording.counts.value.read == 0)
    run.end(.finished)
    #expect(try await reader.value == 2)
  }
}
