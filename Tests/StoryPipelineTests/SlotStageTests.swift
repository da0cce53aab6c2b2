import StoryPipeline
import Synchronization
import Testing

@Suite("Stages", .timeLimit(.minutes(1)))
struct SlotStageTests {
  private func stage(_ story: Story, _ slots: StageSlots = .first(10)) -> CharacterNameStage {
    CharacterNameStage(story.nameSource(), slots: slots)
  }

  @Test("ten candidates in order, progress rising to one")
  func tenInOrder() async throws {
    let story = Story()
    var taken = Taken<CharacterNameCandidate>()
    for try await event in stage(story) { taken.add(event) }
    #expect(taken.successes.map(\.name.text) == (0..<10).map { "Name \($0).0" })
    #expect(taken.successes.map(\.id.rawValue) == Array(1...10))
    #expect(taken.progress.count == 10 && taken.progress == taken.progress.sorted())
    #expect(taken.progress.last == 1)
    #expect(story.names.archetypes.prefix(4) == [.hero, .mentor, .shadow, .hero])
  }

  @Test("cancelling after five stops the iteration and asks no more")
  func cancelAfterFive() async throws {
    let story = Story()
    let stage = stage(story)
    let task = Task {
      var candidates = 0
      do {
        for try await event in stage {
          if case .candidate = event { candidates += 1 }
          if candidates == 5 { withUnsafeCurrentTask { $0?.cancel() } }
        }
      } catch { return (candidates, error is CancellationError) }
      return (candidates, false)
    }
    let (candidates, threw) = await task.value
    #expect(candidates == 5)
    #expect(threw)
    #expect(story.names.calls.count == 5)
  }

  @Test("the third and the fifth call failing give failed slots two and four and the other eight")
  func failures() async throws {
    let story = Story(names: FakeNames(failingCalls: [3, 5]))
    var taken = Taken<CharacterNameCandidate>()
    for try await event in stage(story) { taken.add(event) }
    #expect(taken.failedSlots == [2, 4])
    #expect(taken.slots == [0, 1, 3, 5, 6, 7, 8, 9])
  }

  @Test("a slot is retried alone, as another attempt")
  func retryAlone() async throws {
    let story = Story()
    var taken = Taken<CharacterNameCandidate>()
    for try await event in stage(story, StageSlots([4], attempt: 1)) { taken.add(event) }
    #expect(taken.successes.map(\.slot) == [4])
    #expect(story.names.calls == [ProviderCall(kind: .names, slot: 4, attempt: 1)])
  }

  @Test("nothing is asked before the consumer asks, and never more than one call")
  func pullDriven() async throws {
    let story = Story()
    var iterator = stage(story).makeAsyncIterator()
    #expect(story.names.calls.isEmpty)
    for number in 1...3 {
      _ = try await iterator.next()
      #expect(story.names.calls.count == number)
      _ = try await iterator.next()  // progress
      #expect(story.names.calls.count == number)
    }
  }

  @Test("a cancelled call is not a failure, and the iterator is over afterwards")
  func cancellationIsNoFailure() async throws {
    let gate = Gate()
    let story = Story(names: FakeNames(gate: gate))
    let stage = stage(story)
    let task = Task {
      var iterator = stage.makeAsyncIterator()
      await #expect(throws: CancellationError.self) { _ = try await iterator.next() }
      let after = try? await iterator.next()
      return isNil(after)
    }
    await gate.arrived.wait(for: 1)
    task.cancel()
    #expect(await task.value)
    #expect(story.recorder.counts.outcomes == [.cancelled])
  }

  @Test("what a deaf provider returns after the cancel is dropped, and it is not asked again")
  func deafProvider() async throws {
    let gate = Gate()
    let story = Story(names: FakeNames(gate: gate, isDeaf: true))
    let stage = stage(story)
    let task = Task { () -> Int in
      var events = 0
      do { for try await _ in stage { events += 1 } } catch {}
      return events
    }
    await gate.arrived.wait(for: 1)
    task.cancel()
    gate.step(10)
    #expect(await task.value == 0)
    #expect(story.names.calls.count == 1)
    #expect(story.recorder.counts.dropped == story.recorder.counts.made)
    #expect(story.recorder.counts.dropped.count == 1)
  }

  @Test("seeded choices depend on the call alone and reach every possibility")
  func seededChoices() {
    let calls = (0..<200).map { ProviderCall(kind: .names, slot: $0) }
    let drawn = calls.map { SeededChoices(seed: 7).choice(below: 6, for: $0) }
    #expect(drawn == calls.map { SeededChoices(seed: 7).choice(below: 6, for: $0) })
    #expect(drawn != calls.map { SeededChoices(seed: 8).choice(below: 6, for: $0) })
    #expect(Set(drawn) == Set(0..<6))
  }
}

func isNil<Value>(_ value: Value?) -> Bool {
  if case .none = value { true } else { false }
}
