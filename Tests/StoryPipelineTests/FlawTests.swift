import FlawedStories
import StoryPipeline
import Testing

/// Each flaw has one question, asked of the sound components and of the flawed ones in the same way:
/// does the misbehaviour show?
@Suite("Flaws", .timeLimit(.minutes(1)))
struct FlawTests {
  /// What ends the process is not asked here.
  private static let survivable = StoryFlaw.allCases.filter { $0 != .archetypeForced }

  @Test("the flawed twin misbehaves where the sound one does not", arguments: survivable)
  func twins(flaw: StoryFlaw) async throws {
    let sound = StoryComponents(strategy: flaw.strategy)
    #expect(try await shows(flaw, sound) == false, "the sound twin")
    #expect(try await shows(flaw, flaw.components) == true, "the flawed twin")
  }

  @Test("flaws have names of their own and one line each")
  func names() {
    #expect(Set(StoryFlaw.allCases.map(\.about)).count == 17)
    for flaw in StoryFlaw.allCases {
      #expect(!flaw.about.contains("\n"))
      #expect(flaw.rawValue.allSatisfy { $0 == "-" || $0.isLowercase })
    }
  }

  private func shows(_ flaw: StoryFlaw, _ components: StoryComponents) async throws -> Bool {
    switch flaw {
    case .uncancelledProseTask: try await writesOnAfterBreak(components)
    case .lastBatchLost: try await losesLastBatch(components)
    case .deafProviderAskedOn: try await asksOnAfterCancel(components)
    case .cancellationAsFailure: try await reportsCancellation(components)
    case .slotByCount: try await namesWrongSlot(components)
    case .unboundedCoordinatorStream: try await runsAhead(components)
    case .unflushedSelectionLost: try await losesSelection(components)
    case .cancelBeforeRegistrationLost: await forgetsEarlyCancel(components)
    case .endedTasksKept: await keepsEndedTask(components)
    case .secondStartTwoProducers: try await leavesFirstProducer(components)
    case .viewModelKeptAlive: await keepsViewModel(components)
    case .uncancelledStageTask: try await asksOnAfterLeaving(components)
    case .chosenInSetOrder: try await reordersChoice(components)
    case .earlierChoiceKept: try await keepsEarlierChoice(components)
    case .failureSwallowed: try await swallowsFailure(components)
    case .proseFailureAsEnd: try await completesBrokenProse(components)
    case .archetypeForced: false
    }
  }

  private func asksOnAfterLeaving(_ components: StoryComponents) async throws -> Bool {
    let story = Story()
    let coordinator = story.coordinator(components)
    for try await _ in try await coordinator.startNames() { break }
    // The consumer has left; a stage that was told so does not ask to the end.
    await soon { story.names.calls.count >= 10 }
    return withExtendedLifetime(coordinator) { story.names.calls.count == 10 }
  }

  /// The names of a finished stage, in the order in which they were made.
  private func offered(_ coordinator: StoryCoordinator) async throws -> [CandidateID] {
    await take(try await coordinator.startNames()).successes.map(\.id)
  }

  private func reordersChoice(_ components: StoryComponents) async throws -> Bool {
    let coordinator = Story().coordinator(components)
    let ids = try await offered(coordinator)
    // A set may have any one order by chance, not each of several.
    for count in 5...10 {
      let wanted = Array(ids.prefix(count))
      if try await coordinator.selectNames(wanted).map(\.id) != wanted { return true }
    }
    return false
  }

  private func keepsEarlierChoice(_ components: StoryComponents) async throws -> Bool {
    let coordinator = Story().coordinator(components)
    let ids = try await offered(coordinator)
    try await coordinator.selectNames(Array(ids.prefix(2)))
    return try await coordinator.selectNames([ids[5]]).map(\.id) != [ids[5]]
  }

  private func swallowsFailure(_ components: StoryComponents) async throws -> Bool {
    let story = Story(names: FakeNames(failingCalls: [11]))
    let coordinator = story.coordinator(components)
    _ = try await offered(coordinator)
    let again = await take(try await coordinator.regenerateName(slot: 4).events)
    #expect(again.successes.isEmpty)
    return again.failedSlots.isEmpty
  }

  private func completesBrokenProse(_ components: StoryComponents) async throws -> Bool {
    let prose = FakeProse(failsAfter: 2)
    var isComplete = false
    for try await event in components.makeProse(ProseSource(request: .sample, provider: prose)) {
      if case .complete = event { isComplete = true }
    }
    return isComplete
  }

  private func writesOnAfterBreak(_ components: StoryComponents) async throws -> Bool {
    let gate = Gate()
    let prose = FakeProse(paragraphs: 100, gate: gate)
    gate.step()
    for try await _ in components.makeProse(ProseSource(request: .sample, provider: prose)) { break }
    await gate.arrived.wait(for: 2)
    // The consumer has left; a provider that was told so does not take this step.
    gate.step()
    await prose.steps.wait(for: 2)
    defer { gate.step(200) }
    return prose.written.value > 1
  }

  private func losesLastBatch(_ components: StoryComponents) async throws -> Bool {
    let story = Story()
    let coordinator = story.coordinator(components)
    var taken = 0
    for try await event in try await coordinator.startNames() {
      if case .candidate = event { taken += 1 }
      if taken == 6 { break }
    }
    while await coordinator.phase == .naming { await Task.yield() }
    let counts = story.recorder.counts
    return counts.stored.count < counts.made.count
  }

  private func asksOnAfterCancel(_ components: StoryComponents) async throws -> Bool {
    let gate = Gate()
    let story = Story(names: FakeNames(gate: gate, isDeaf: true))
    let registry = components.makeRegistry(components.strategy)
    let worker = StageWorker(
      source: story.nameSource(), slots: .first(10),
      driver: components.makeDriver(components.strategy, registry),
      intake: components.makeIntake(components.strategy, IntakeContext(registry: registry)))
    let task = Task { await worker.run() }
    await gate.arrived.wait(for: 1)
    task.cancel()
    gate.step(20)
    _ = await task.value
    return story.names.calls.count > 1
  }

  private func reportsCancellation(_ components: StoryComponents) async throws -> Bool {
    let gate = Gate()
    let story = Story(names: FakeNames(gate: gate))
    let coordinator = story.coordinator(components)
    let stream = try await coordinator.startNames()
    await gate.arrived.wait(for: 1)
    await coordinator.cancel()
    _ = await take(stream)
    // The coordinator hears of the stage's end only after it; a new start is its sign that it goes on.
    gate.step(30)
    _ = await take(try await coordinator.startNames())
    return story.recorder.counts.cancellationsAsFailures > 0
  }

  private func namesWrongSlot(_ components: StoryComponents) async throws -> Bool {
    let story = Story(names: FakeNames(failingCalls: [3, 5]))
    let taken = await take(try await story.coordinator(components).startNames())
    return taken.failedSlots != [2, 4]
  }

  /// Gives other tasks five seconds to bring something about, which they need only where their threads get no core.
  private func soon(_ condition: () -> Bool) async {
    let end = ContinuousClock.now + .seconds(5)
    while !condition() && ContinuousClock.now < end { await Task.yield() }
  }

  private func runsAhead(_ components: StoryComponents) async throws -> Bool {
    let gate = Gate()
    let story = Story(names: FakeNames(gate: gate))
    let stream = try await story.coordinator(components).startNames()
    gate.step(10)
    // Nobody takes anything. Give a stage without a bound every chance to run ahead.
    await soon { story.names.calls.count >= 2 }
    _ = stream
    return story.names.calls.count > 1
  }

  private func losesSelection(_ components: StoryComponents) async throws -> Bool {
    let story = Story()
    let coordinator = story.coordinator(components)
    let iterator = try await coordinator.startNames().makeAsyncIterator()
    var ids: [CandidateID] = []
    while ids.count < 2 {
      if case .candidate(let name, _) = try await iterator.next() { ids.append(name.id) }
    }
    let chosen = try await coordinator.selectNames(ids)
    let isLost = story.recorder.counts.lost > 0
    #expect(isLost == (chosen.count < 2))
    return isLost
  }

  private func forgetsEarlyCancel(_ components: StoryComponents) async -> Bool {
    let table = components.makeTaskTable()
    let gate = Gate()
    let id = table.announce()
    let task = Task {
      do { try await gate.pass() } catch {}
    }
    await gate.arrived.wait(for: 1)
    table.cancel(id)
    table.register(task, for: id)
    gate.step()
    await task.value
    return !task.isCancelled
  }

  private func keepsEndedTask(_ components: StoryComponents) async -> Bool {
    let table = components.makeTaskTable()
    let done = Counter()
    table.run { done.increment() }
    await done.wait(for: 1)
    await soon { table.count == 0 }
    return table.count > 0
  }

  private func leavesFirstProducer(_ components: StoryComponents) async throws -> Bool {
    let gate = Gate()
    let story = Story(names: FakeNames(gate: gate))
    let coordinator = story.coordinator(components)
    let first = try await coordinator.startNames()
    await gate.arrived.wait(for: 1)
    let second = try await coordinator.startNames()
    await gate.arrived.wait(for: 2)
    gate.step(30)
    async let taken = take(second)
    let firstTaken = await take(first)
    #expect(await taken.slots.count == 10)
    return story.names.calls.filter { $0.attempt == 0 }.count > 1 && firstTaken.slots.count == 10
  }

  @MainActor
  private func keepsViewModel(_ components: StoryComponents) async -> Bool {
    let gate = Gate()
    let story = Story(names: FakeNames(gate: gate))
    let coordinator = story.coordinator(components)
    var model: StoryViewModel? = StoryViewModel(coordinator: coordinator, viewLoop: components.viewLoop)
    weak let left = model
    let loop = model?.startNames()
    await gate.arrived.wait(for: 1)
    model = nil
    let isKept = left != nil
    // Let the one that is kept come to its end, so that the test leaves nothing behind.
    gate.step(20)
    await loop?.value
    return isKept
  }
}

@Suite("The view model", .timeLimit(.minutes(1)))
@MainActor
struct StoryViewModelTests {
  @Test("it shows a story as it comes, failed slots and their retries")
  func story() async throws {
    let story = Story(names: FakeNames(failingCalls: [3, 5]))
    let model = StoryViewModel(coordinator: story.coordinator())
    var changes = 0
    model.onChange = { changes += 1 }
    await model.startNames().value
    #expect(model.names.keys.sorted() == [0, 1, 3, 5, 6, 7, 8, 9])
    #expect(model.failedSlots.map(\.slot) == [2, 4])
    #expect(changes == 20)
    await model.regenerateName(slot: 4).value
    #expect(model.failedSlots.map(\.slot) == [2])
    try await model.selectNames([model.names[9]!.id, model.names[4]!.id])
    await model.startTitles().value
    try await model.selectTitle(model.titles[0]!.id)
    await model.startOutline().value
    await model.startProse().value
    #expect(model.isComplete)
    #expect(model.progress == 1)
    #expect(model.paragraphs.count == 4)
    #expect(model.message == nil)
  }

  @Test("leaving the screen frees it, stops the stage and asks no more")
  func leaving() async throws {
    let gate = Gate()
    let story = Story(names: FakeNames(gate: gate))
    let coordinator = story.coordinator()
    var model: StoryViewModel? = StoryViewModel(coordinator: coordinator)
    weak let left = model
    let loop = model?.startNames()
    gate.step(2)
    await gate.arrived.wait(for: 3)
    model = nil
    #expect(left == nil)
    await loop?.value
    gate.step(10)
    while await coordinator.phase == .naming { await Task.yield() }
    #expect(story.names.calls.count == 3)
  }

  @Test("what is not possible is a message, a cancellation is none")
  func messages() async throws {
    let model = StoryViewModel(coordinator: Story().coordinator())
    await model.startTitles().value
    #expect(model.message == "startTitles is not possible while the story is at brief")
  }
}
