import StoryPipeline
import Testing

/// Counts the calls that a worker makes.
actor CountingRegistry: CandidateRegistry {
  var stores = 0
  var batches: [Int] = []
  private let inner = LockedRegistry()

  func store(_ candidate: Candidate) {
    stores += 1
    inner.store(candidate)
  }
  func store(contentsOf batch: [Candidate]) {
    batches.append(batch.count)
    inner.store(contentsOf: batch)
  }
  func select(_ ids: [CandidateID]) throws(SelectionRefusal) -> [Candidate] { try inner.select(ids) }
  func selectedCandidates() -> [Candidate] { inner.selectedCandidates() }
  func candidates(for ids: [CandidateID]) -> [Candidate] { inner.candidates(for: ids) }
  func count() -> Int { inner.count() }
  func snapshot() -> RegistrySnapshot { inner.snapshot() }
}

/// Stores a batch when its gate lets it.
final class SlowRegistry: CandidateRegistry {
  let gate = Gate()
  private let inner = LockedRegistry()

  func store(_ candidate: Candidate) { inner.store(candidate) }
  func store(contentsOf batch: [Candidate]) async {
    try? await gate.pass(deaf: true)
    inner.store(contentsOf: batch)
  }
  func select(_ ids: [CandidateID]) throws(SelectionRefusal) -> [Candidate] { try inner.select(ids) }
  func selectedCandidates() -> [Candidate] { inner.selectedCandidates() }
  func candidates(for ids: [CandidateID]) -> [Candidate] { inner.candidates(for: ids) }
  func count() -> Int { inner.count() }
  func snapshot() -> RegistrySnapshot { inner.snapshot() }
}

@Suite("Registries", .timeLimit(.minutes(1)))
struct RegistryTests {
  static let strategies: [RegistryStrategy] = [
    .perElement, .batched(.size(4)), .writeBehind(.size(4)), .insideActor(blocking: false),
    .insideActor(blocking: true), .mainActor, .locked, .plainCalls,
  ]

  @Test("every registry keeps, counts, selects in the user's order and refuses whole", arguments: strategies)
  func contract(strategy: RegistryStrategy) async throws {
    let registry = strategy.makeRegistry()
    await registry.store(name(7))
    await registry.store(contentsOf: [name(3), name(5), name(7)])
    #expect(await registry.count() == 3)
    #expect(try await registry.select([CandidateID(7), CandidateID(3)]) == [name(7), name(3)])
    await #expect(throws: SelectionRefusal(notStored: [CandidateID(9)])) {
      _ = try await registry.select([CandidateID(5), CandidateID(9)])
    }
    #expect(await registry.selectedCandidates() == [name(7), name(3)])
    #expect(await registry.candidates(for: [CandidateID(9), CandidateID(5)]) == [name(5)])
    let snapshot = await registry.snapshot()
    #expect(snapshot.candidates == [name(3), name(5), name(7)])
    #expect(snapshot.selected == [CandidateID(7), CandidateID(3)])
  }

  @Test("a large registry finds every candidate, also across its change of shape")
  func large() {
    let registry = LockedRegistry()
    for number in 0..<10_000 { registry.store(name(UInt64(number))) }
    for number in 0..<10_000 { registry.store(name(UInt64(number))) }
    #expect(registry.count() == 10_000)
    let ids = (0..<10_000).map { CandidateID(UInt64($0)) }
    #expect(registry.candidates(for: ids).count == 10_000)
    #expect(registry.snapshot().candidates.map(\.id) == ids)
  }

  @Test("every strategy delivers and keeps all ten", arguments: strategies)
  func wholeStage(strategy: RegistryStrategy) async throws {
    let story = Story(names: FakeNames(failingCalls: [3]))
    let coordinator = story.coordinator(StoryComponents(strategy: strategy))
    let taken = await take(try await coordinator.startNames())
    #expect(taken.error == nil)
    #expect(taken.slots == [0, 1, 3, 4, 5, 6, 7, 8, 9])
    #expect(taken.failedSlots == [2])
    #expect(taken.progress.last == 1)
    #expect(await coordinator.registry.count() == 9)
    #expect(await coordinator.phase == .namesOffered)
    #expect(story.recorder.counts.delivered.sorted() == story.recorder.counts.stored.sorted())
  }

  @Test("a blocking registry says what is wrong with a provider that cannot block")
  func cannotBlock() async throws {
    struct Awaiting: NameProvider {
      func generateName(
        for request: GenerationRequest, archetype: CharacterArchetype?, call: ProviderCall
      ) async throws -> CharacterName { CharacterName("", explanation: "") }
    }
    let registry = GeneratingRegistry(blocking: true)
    let source = NameSource(
      request: .sample, provider: Awaiting(), identifiers: CountingIdentifiers(), choices: RotatingChoices())
    let event = try await registry.generate(source, call: ProviderCall(kind: .names, slot: 0))
    guard case .failure(let failure) = event else { return #expect(Bool(false), "a failure") }
    #expect(failure.error is ProviderCannotBlock)
    #expect(!failure.retryable)
  }

  @Test(
    "batches of one to four out of three, one call for each",
    arguments: [
      (1, [1, 1, 1]), (2, [2, 1]), (3, [3]), (4, [3]),
    ])
  func batchSizes(size: Int, expected: [Int]) async throws {
    let registry = CountingRegistry()
    let collector = CandidateCollector(
      IntakeContext(registry: registry), limit: .size(size), showsFirst: false)
    for number in 1...3 { try await collector.accept(name(UInt64(number))) }
    await collector.finish(.finished)
    #expect(await registry.batches == expected)
    #expect(await registry.stores == 0)
  }

  @Test("a direct intake makes one call for each candidate")
  func direct() async throws {
    let registry = CountingRegistry()
    let intake = RegistryStrategy.perElement.makeIntake(IntakeContext(registry: registry))
    for number in 1...3 { try await intake.accept(name(UInt64(number))) }
    await intake.finish(.finished)
    #expect(await registry.stores == 3)
    #expect(await registry.batches == [])
  }

  @Test(
    "the last partial batch is stored however the stage ends",
    arguments: [
      StageEnding.finished, .cancelled, .failed,
    ])
  func lastBatch(ending: StageEnding) async throws {
    let recorder = Recorder()
    let registry = BatchRegistry()
    let shown = Counter()
    let context = IntakeContext(registry: registry, observer: recorder, show: { _ in shown.increment() })
    let collector = CandidateCollector(context, limit: .size(4), showsFirst: false)
    for number in 1...6 { try await collector.accept(name(UInt64(number))) }
    await collector.finish(ending)
    #expect(await registry.count() == 6)
    #expect(recorder.counts.flushes == ["4 by size", "2 by end"])
    #expect(shown.value == (ending == .finished ? 6 : 4))
    #expect(recorder.counts.dropped.count == (ending == .finished ? 0 : 2))
  }

  @Test("a batch is stored at its age while the source is silent, and the clock is left alone afterwards")
  func byAge() async throws {
    let clock = ManualClock()
    let recorder = Recorder()
    let registry = BatchRegistry()
    let context = IntakeContext(registry: registry, clock: clock, observer: recorder)
    let limit = try BatchLimit(size: 5, every: .milliseconds(50))
    let collector = CandidateCollector(context, limit: limit, showsFirst: false)
    try await collector.accept(name(1))
    try await collector.accept(name(2))
    await clock.sleeping.wait(for: 1)
    clock.advance(by: .milliseconds(49))
    #expect(await registry.count() == 0)
    clock.advance(by: .milliseconds(1))
    await recorder.flushCount.wait(for: 1)
    #expect(await registry.count() == 2)
    for number in 3...7 { try await collector.accept(name(UInt64(number))) }
    try await collector.accept(name(8))
    await collector.finish(.cancelled)
    #expect(recorder.counts.flushes == ["2 by age", "5 by size", "1 by end"])
    clock.advance(by: .seconds(1))
    #expect(recorder.counts.flushes.count == 3)
  }

  @Test("write-behind shows a candidate before it is stored, batched after")
  func order() async throws {
    for showsFirst in [true, false] {
      let registry = BatchRegistry()
      let shown = Counter()
      let context = IntakeContext(registry: registry, show: { _ in shown.increment() })
      let collector = CandidateCollector(context, limit: .size(5), showsFirst: showsFirst)
      for number in 1...3 { try await collector.accept(name(UInt64(number))) }
      #expect(shown.value == (showsFirst ? 3 : 0))
      #expect(await registry.count() == 0)
      await collector.finish(.finished)
      #expect(shown.value == 3)
      #expect(await registry.count() == 3)
    }
  }

  @Test("what a choice made the collector store is still shown, once")
  func pendingShownLater() async throws {
    let registry = BatchRegistry()
    let shown = Counter()
    let context = IntakeContext(registry: registry, show: { _ in shown.increment() })
    let collector = CandidateCollector(context, limit: .size(5), showsFirst: false)
    try await collector.accept(name(1))
    await collector.storePending()
    #expect(await registry.count() == 1)
    #expect(shown.value == 0)
    try await collector.accept(name(2))
    await collector.finish(.finished)
    #expect(shown.value == 2)
  }

  @Test(
    "a stage that ends while a choice is being stored waits for it: shown or dropped, never lost",
    arguments: [StageEnding.finished, .cancelled, .failed], [false, true])
  func endDuringChoice(ending: StageEnding, showsFirst: Bool) async throws {
    let registry = SlowRegistry()
    let recorder = Recorder()
    let shown = Counter()
    let context = IntakeContext(registry: registry, observer: recorder, show: { _ in shown.increment() })
    let collector = CandidateCollector(context, limit: .size(5), showsFirst: showsFirst)
    try await collector.accept(name(1))
    let choice = Task { await collector.storePending() }
    await registry.gate.arrived.wait(for: 1)
    let end = Task { await collector.finish(ending) }
    // Lets the end run as far as it can before the store goes on; right either way.
    for _ in 0..<100 { await Task.yield() }
    registry.gate.step()
    await choice.value
    await end.value
    #expect(registry.count() == 1)
    #expect(shown.value == (showsFirst || ending == .finished ? 1 : 0))
    #expect(recorder.counts.dropped.count == (showsFirst || ending == .finished ? 0 : 1))
  }

  @Test("limits that cannot work are refused")
  func limits() {
    #expect(throws: InvalidBatchLimit.self) { _ = try BatchLimit(size: 0) }
    #expect(throws: InvalidBatchLimit.self) { _ = try BatchLimit(size: -1) }
    #expect(throws: InvalidBatchLimit.self) { _ = try BatchLimit(every: .zero) }
    #expect(throws: InvalidBatchLimit.self) { _ = try BatchLimit() }
  }
}
