import StoryPipeline
import Testing

@Suite("Prose", .timeLimit(.minutes(1)))
struct ProseStageTests {
  private func stage(_ prose: FakeProse, capacity: Int = 256, _ observer: any StoryObserver = NoObserver())
    -> ProseStage
  {
    ProseStage(ProseSource(request: .sample, provider: prose, observer: observer), capacity: capacity)
  }

  /// The provider ends at once, not by another step: none is given after its consumer left.
  private func expectEnded(_ prose: FakeProse, written: Int) async {
    await prose.ended.wait(for: 1)
    #expect(prose.written.value == written)
  }

  @Test("paragraphs in order, progress rising to one, complete last, and the task ends")
  func whole() async throws {
    let prose = FakeProse()
    var paragraphs: [String] = []
    var progress: [Double] = []
    var isLast = false
    for try await event in stage(prose) {
      #expect(!isLast)
      switch event {
      case .paragraph(let text): paragraphs.append(text)
      case .progress(let value): progress.append(value)
      case .complete: isLast = true
      case .failure: Issue.record("no failure was scripted")
      }
    }
    #expect(isLast)
    #expect(paragraphs == (1...4).map { "Paragraph \($0)" })
    #expect(progress.last == 1)
    #expect(progress == progress.sorted() && Set(progress).count == progress.count)
    await expectEnded(prose, written: 4)
  }

  @Test("a consumer that breaks ends the task, though it keeps the run")
  func breaking() async throws {
    let gate = Gate()
    let prose = FakeProse(paragraphs: 100, gate: gate)
    let run = stage(prose).start()
    gate.step()
    for try await _ in run { break }
    await expectEnded(prose, written: 1)
    _ = run
  }

  @Test("a cancelled consumer ends the task at once and gets a cancellation")
  func cancelledConsumer() async throws {
    let gate = Gate()
    let prose = FakeProse(paragraphs: 100, gate: gate)
    let stage = stage(prose)
    let task = Task { for try await _ in stage {} }
    gate.step()
    await gate.arrived.wait(for: 2)
    task.cancel()
    await expectEnded(prose, written: 1)
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("dropping the iterator, used or not, ends the task")
  func droppedIterator() async throws {
    for uses in [0, 1] {
      let gate = Gate()
      let prose = FakeProse(paragraphs: 100, gate: gate)
      do {
        let iterator = stage(prose).makeAsyncIterator()
        gate.step()
        for _ in 0..<uses { _ = try await iterator.next() }
        await gate.arrived.wait(for: 2)
      }
      await expectEnded(prose, written: 1)
    }
  }

  @Test("an iterator kept after break ends the task at the bound of the buffer")
  func keptIterator() async throws {
    let recorder = Recorder()
    let prose = FakeProse(paragraphs: 10_000)
    let iterator = stage(prose, capacity: 8, recorder).makeAsyncIterator()
    while try await iterator.next() != nil { break }
    await prose.ended.wait(for: 1)
    #expect(recorder.counts.paragraphsMade <= 10)
    // What was written before the bound is still there, then the reason.
    var paragraphs = 0
    var overflow: ProseOverflow?
    while let event = try await iterator.next() {
      if case .paragraph = event { paragraphs += 1 }
      if case .failure(let failure) = event { overflow = failure.error as? ProseOverflow }
    }
    #expect(paragraphs >= 8)
    #expect(overflow == ProseOverflow(capacity: 8))
  }

  @Test("cancel() on the handle ends the task and the waiting consumer")
  func cancelling() async throws {
    let gate = Gate()
    let prose = FakeProse(paragraphs: 100, gate: gate)
    let run = stage(prose).start()
    let task = Task { for try await _ in run {} }
    gate.step()
    await gate.arrived.wait(for: 2)
    run.cancel()
    run.cancel()
    await expectEnded(prose, written: 1)
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("scoped consumption ends the task when the body has had enough")
  func scoped() async throws {
    let gate = Gate()
    let prose = FakeProse(paragraphs: 100, gate: gate)
    gate.step(2)
    try await stage(prose).consume { event in
      if case .paragraph("Paragraph 2") = event { return false }
      return true
    }
    await expectEnded(prose, written: 2)
  }

  @Test("a failure in mid-stream is the last event, after what was written")
  func midStream() async throws {
    let prose = FakeProse(failsAfter: 2)
    var paragraphs = 0
    var failure: StageFailure?
    for try await event in stage(prose) {
      if case .paragraph = event { paragraphs += 1 }
      if case .failure(let reported) = event { failure = reported }
    }
    #expect(paragraphs == 2)
    #expect(failure?.error is Malformed)
    #expect(failure?.retryable == true)
  }

  @Test("paragraphs are made, delivered or dropped, and progress never fills the buffer")
  func conservation() async throws {
    struct Eager: ProseProvider {
      let ready = Counter()
      func generateProse(
        for request: GenerationRequest, call: ProviderCall, onEvent: @escaping @Sendable (ProseEvent) -> Void
      ) async throws {
        for step in 1...1_000 { onEvent(.progress(Double(step) / 2_000)) }
        for _ in 1...3 { onEvent(.paragraph("text")) }
        onEvent(.progress(0.1))
        ready.increment()
      }
    }
    let recorder = Recorder()
    let provider = Eager()
    let run = ProseStage(ProseSource(request: .sample, provider: provider, observer: recorder), capacity: 3)
      .start()
    await provider.ready.wait(for: 1)
    let iterator = run.makeAsyncIterator()
    guard case .progress(0.5) = try await iterator.next() else { return #expect(Bool(false), "one progress") }
    guard case .paragraph = try await iterator.next() else { return #expect(Bool(false), "a paragraph") }
    run.cancel()
    #expect(recorder.counts.paragraphsMade == 3)
    #expect(recorder.counts.paragraphsDropped == 2)
  }
}
