import StoryPipeline
import Testing

@Suite("The coordinator", .timeLimit(.minutes(1)))
struct CoordinatorTests {
  /// Goes on from wherever the story stands to its end.
  private func finish(_ coordinator: StoryCoordinator) async throws {
    if await coordinator.phase == .brief { _ = await take(try await coordinator.startNames()) }
    if await coordinator.phase == .namesOffered {
      let names = await coordinator.offeredNames
      try await coordinator.selectNames([names[5].id, names[1].id])
    }
    if await coordinator.phase == .namesSelected { _ = await take(try await coordinator.startTitles()) }
    if await coordinator.phase == .titlesOffered {
      try await coordinator.selectTitle(await coordinator.offeredTitles[2].id)
    }
    if await coordinator.phase == .titleSelected { _ = await take(try await coordinator.startOutline()) }
    if await coordinator.phase == .outlined {
      for try await _ in try await coordinator.startProse() {}
    }
  }

  @Test("a whole story, in the user's order, written at each boundary")
  func whole() async throws {
    let story = Story()
    let coordinator = story.coordinator()
    try await finish(coordinator)
    #expect(await coordinator.phase == .written)
    let request = await coordinator.request
    #expect(request.selectedNames?.map(\.slot) == [5, 1])
    #expect(request.selectedTitle?.slot == 2)
    #expect(request.plotPoints?.map(\.text) == ["Step 0", "Step 1", "Step 2"])
    #expect(request.paragraphs?.count == 4)
    #expect(await story.store.saved.map(\.boundary) == Array(StageBoundary.allCases.dropFirst()))
    let counts = story.recorder.counts
    #expect(counts.started == 10 + 10 + 3 + 1)
    #expect(counts.made == counts.delivered)
    #expect(counts.paragraphsMade == 4 && counts.paragraphsDelivered == 4)
  }

  @Test("a story resumes from each boundary and repeats no call")
  func resume() async throws {
    let first = Story()
    try await finish(first.coordinator())
    for stored in await first.store.saved {
      let story = Story(request: stored)
      let coordinator = story.coordinator()
      try await finish(coordinator)
      #expect(await coordinator.phase == .written)
      let done = StageBoundary.allCases.firstIndex(of: stored.boundary) ?? 0
      #expect(story.names.calls.count == 0)
      #expect(story.titles.calls.value == (done < 3 ? 10 : 0))
      #expect(story.plot.calls.value == (done < 5 ? 3 : 0))
      #expect(story.prose.calls.value == (done < 6 ? 1 : 0))
      #expect(await coordinator.request.selectedNames?.map(\.slot) == [5, 1])
    }
  }

  @Test("the stage works one call ahead of the consumer and no further")
  func bound() async throws {
    let story = Story()
    let stream = try await story.coordinator().startNames()
    var taken = 0
    for try await event in stream {
      if case .candidate = event { taken += 1 }
      for _ in 0..<20 { await Task.yield() }
      #expect(story.names.calls.count <= taken + 1)
    }
    #expect(taken == 10)
  }

  @Test("leaving the stream stops the stage and drops what was made for it")
  func leaving() async throws {
    let gate = Gate()
    let story = Story(names: FakeNames(gate: gate))
    let coordinator = story.coordinator()
    gate.step(3)
    var taken = 0
    for try await event in try await coordinator.startNames() {
      if case .candidate = event { taken += 1 }
      if taken == 2 { break }
    }
    while await coordinator.phase == .naming { await Task.yield() }
    #expect(await coordinator.phase == .namesOffered)
    let asked = story.names.calls.count
    gate.step(10)
    #expect(asked <= 3)
    let counts = story.recorder.counts
    #expect(counts.made.count == counts.delivered.count + counts.dropped.count)
  }

  @Test("cancelling ends the stream with a cancellation, though the provider is deaf, and asks no more")
  func cancelDeaf() async throws {
    let gate = Gate()
    let story = Story(names: FakeNames(gate: gate, isDeaf: true))
    let coordinator = story.coordinator()
    let stream = try await coordinator.startNames()
    await gate.arrived.wait(for: 1)
    await coordinator.cancel()
    let taken = await take(stream)
    #expect(taken.error is CancellationError)
    #expect(taken.failedSlots.isEmpty)
    gate.step(11)
    // The next start works while the deaf call is still out.
    let again = await take(try await coordinator.startNames())
    #expect(again.slots == Array(0..<10))
    #expect(story.names.calls.filter { $0.attempt == 0 }.count == 1)
    #expect(story.names.calls.filter { $0.attempt == 1 }.count == 10)
  }

  @Test("a regeneration runs beside the stage, replaces its slot and can be cancelled alone")
  func regenerate() async throws {
    let story = Story(names: FakeNames(failingCalls: [11]))
    let coordinator = story.coordinator()
    _ = await take(try await coordinator.startNames())
    let failed = await take(try await coordinator.regenerateName(slot: 3).events)
    #expect(failed.failedSlots == [3])
    #expect(failed.error == nil)
    let taken = await take(try await coordinator.regenerateName(slot: 3).events)
    #expect(taken.slots == [3])
    #expect(taken.successes.first?.name.text == "Name 3.2")
    #expect(await coordinator.offeredNames.map(\.slot) == Array(0..<10))
    #expect(await coordinator.offeredNames[3].name.text == "Name 3.2")
    while coordinator.tasks.count > 0 { await Task.yield() }
  }

  @Test("a cancelled regeneration ends with a cancellation, not a failure")
  func cancelRegeneration() async throws {
    let gate = Gate()
    let story = Story(names: FakeNames(gate: gate))
    let coordinator = story.coordinator()
    gate.step(10)
    _ = await take(try await coordinator.startNames())
    let regeneration = try await coordinator.regenerateName(slot: 0)
    await gate.arrived.wait(for: 11)
    #expect(coordinator.cancelTask(regeneration.task))
    let taken = await take(regeneration.events)
    #expect(taken.error is CancellationError)
    #expect(taken.failedSlots.isEmpty)
    while coordinator.tasks.count > 0 { await Task.yield() }
  }

  @Test("choosing while names are still made stops the stage")
  func selectEarly() async throws {
    let story = Story()
    let coordinator = story.coordinator(StoryComponents(strategy: .writeBehind(.size(4))))
    var ids: [CandidateID] = []
    let stream = try await coordinator.startNames()
    let iterator = stream.makeAsyncIterator()
    while ids.count < 2 {
      if case .candidate(let name, _) = try await iterator.next() { ids.append(name.id) }
    }
    let chosen = try await coordinator.selectNames(ids.reversed())
    #expect(chosen.map(\.id) == ids.reversed())
    await #expect(throws: CancellationError.self) { while try await iterator.next() != nil {} }
    #expect(await coordinator.phase == .namesSelected)
  }

  @Test("an unknown choice is refused, and the story stays where it is")
  func refused() async throws {
    let story = Story()
    let coordinator = story.coordinator()
    _ = await take(try await coordinator.startNames())
    await #expect(throws: SelectionRefusal(notStored: [CandidateID(999)])) {
      try await coordinator.selectNames([CandidateID(1), CandidateID(999)])
    }
    #expect(story.recorder.counts.refused == 1)
    #expect(await coordinator.phase == .namesOffered)
    await #expect(throws: IllegalTransition.self) { _ = try await coordinator.startProse() }
  }

  @Test("a failed step of the outline is asked for alone")
  func outline() async throws {
    var request = GenerationRequest.sample
    request.selectedNames = []
    request.selectedTitle = TitleCandidate(
      id: CandidateID(1), slot: 0, title: StoryTitle("Title", explanation: ""))
    let story = Story(plot: FakePlot(failingCalls: [2]), request: request)
    let coordinator = story.coordinator()
    #expect(await take(try await coordinator.startOutline()).failedSlots == [1])
    #expect(await coordinator.phase == .titleSelected)
    #expect(await take(try await coordinator.startOutline()).slots == [1])
    #expect(await coordinator.phase == .outlined)
    #expect(story.plot.calls.value == 4)
  }

  @Test("many consumers of many stories come to their end with nothing left over")
  func many() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        group.addTask {
          let story = Story(names: FakeNames(failingCalls: number % 2 == 0 ? [3, 5] : []))
          let limit = try BatchLimit(size: 3, every: .microseconds(50))
          let coordinator = story.coordinator(StoryComponents(strategy: .batched(limit)))
          let stop = number % 4 == 3 ? number % 9 : .max
          var taken = 0
          for try await event in try await coordinator.startNames() {
            if case .candidate = event { taken += 1 }
            if taken == stop { break }
          }
          while await coordinator.phase == .naming { await Task.yield() }
          let counts = story.recorder.counts
          #expect(counts.made.sorted() == counts.stored.sorted())
          #expect(counts.made.sorted() == (counts.delivered + counts.dropped).sorted())
        }
      }
      try await group.waitForAll()
    }
  }
}
