import StoryPipeline
import Synchronization

struct Malformed: Error, Equatable {}

/// Answers at once, or when its gate lets it; keeps a log of what it was asked.
final class FakeNames: NameProvider, BlockingNameProvider {
  let failingCalls: Set<Int>
  let gate: Gate?
  let isDeaf: Bool
  private let log = Mutex<[ProviderCall]>([])
  private let roles = Mutex<[CharacterArchetype?]>([])

  init(failingCalls: Set<Int> = [], gate: Gate? = nil, isDeaf: Bool = false) {
    self.failingCalls = failingCalls
    self.gate = gate
    self.isDeaf = isDeaf
  }

  var calls: [ProviderCall] { log.withLock { $0 } }
  var archetypes: [CharacterArchetype?] { roles.withLock { $0 } }

  func generateName(
    for request: GenerationRequest, archetype: CharacterArchetype?, call: ProviderCall
  ) async throws -> CharacterName {
    let number = note(call, archetype)
    if let gate { try await gate.pass(deaf: isDeaf) }
    if !isDeaf { try Task.checkCancellation() }
    return try answer(number, call)
  }

  func generateNameBlocking(
    for request: GenerationRequest, archetype: CharacterArchetype?, call: ProviderCall
  ) throws -> CharacterName {
    try answer(note(call, archetype), call)
  }

  private func note(_ call: ProviderCall, _ archetype: CharacterArchetype?) -> Int {
    roles.withLock { $0.append(archetype) }
    return log.withLock { log in
      log.append(call)
      return log.count
    }
  }

  private func answer(_ number: Int, _ call: ProviderCall) throws -> CharacterName {
    if failingCalls.contains(number) { throw Malformed() }
    return CharacterName("Name \(call.slot).\(call.attempt)", explanation: "fits slot \(call.slot)")
  }
}

final class FakeTitles: TitleProvider {
  let calls = Counter()
  func generateTitle(for request: GenerationRequest, call: ProviderCall) async throws -> StoryTitle {
    calls.increment()
    return StoryTitle("Title \(call.slot)", explanation: "after \(request.selectedNames?.count ?? 0) names")
  }
}

final class FakePlot: PlotProvider {
  let calls = Counter()
  let failingCalls: Set<Int>
  init(failingCalls: Set<Int> = []) { self.failingCalls = failingCalls }
  func generatePlotPoint(for request: GenerationRequest, call: ProviderCall) async throws -> String {
    calls.increment()
    if failingCalls.contains(calls.value) { throw Malformed() }
    return "Step \(call.slot)"
  }
}

/// Writes a paragraph for each step of its gate and stops when it is cancelled.
final class FakeProse: ProseProvider {
  let gate: Gate?
  let paragraphs: Int
  let failsAfter: Int?
  let calls = Counter()
  let written = Counter()
  /// Counts each paragraph and the end: what a test waits for.
  let steps = Counter()
  let ended = Counter()

  init(paragraphs: Int = 4, gate: Gate? = nil, failsAfter: Int? = nil) {
    self.paragraphs = paragraphs
    self.gate = gate
    self.failsAfter = failsAfter
  }

  func generateProse(
    for request: GenerationRequest, call: ProviderCall, onEvent: @escaping @Sendable (ProseEvent) -> Void
  ) async throws {
    calls.increment()
    defer {
      ended.increment()
      steps.increment()
    }
    for number in 1...paragraphs {
      try await gate?.pass()
      try Task.checkCancellation()
      if let failsAfter, number > failsAfter { throw Malformed() }
      onEvent(.paragraph("Paragraph \(number)"))
      onEvent(.progress(Double(number) / Double(paragraphs) * 0.9))
      written.increment()
      steps.increment()
    }
  }
}

/// Counts what the pipeline tells it.
final class Recorder: StoryObserver {
  struct Counts: Equatable {
    var started = 0
    var outcomes: [CallOutcome] = []
    var made: [CandidateID] = []
    var stored: [CandidateID] = []
    var flushes: [String] = []
    var delivered: [CandidateID] = []
    var dropped: [CandidateID] = []
    var refused = 0
    var lost = 0
    var cancellationsAsFailures = 0
    var paragraphsMade = 0
    var paragraphsDelivered = 0
    var paragraphsDropped = 0
  }
  private let state = Mutex(Counts())
  let storedCount = Counter()
  let flushCount = Counter()
  let failedSlots = Counter()
  var counts: Counts { state.withLock { $0 } }

  func providerCallStarted(_ call: ProviderCall) { state.withLock { $0.started += 1 } }
  func providerCallEnded(_ call: ProviderCall, outcome: CallOutcome) {
    state.withLock { $0.outcomes.append(outcome) }
  }
  func candidateMade(_ id: CandidateID, slot: Int) { state.withLock { $0.made.append(id) } }
  func candidateStored(_ id: CandidateID) {
    state.withLock { $0.stored.append(id) }
    storedCount.increment()
  }
  func batchFlushed(size: Int, cause: FlushCause) {
    state.withLock { $0.flushes.append("\(size) by \(cause.rawValue)") }
    flushCount.increment()
  }
  func candidateDelivered(_ id: CandidateID) { state.withLock { $0.delivered.append(id) } }
  func candidateDropped(_ id: CandidateID) { state.withLock { $0.dropped.append(id) } }
  func slotFailed(_ kind: ProviderKind, slot: Int, isCancellation: Bool) {
    if isCancellation { state.withLock { $0.cancellationsAsFailures += 1 } }
    failedSlots.increment()
  }
  func selectionRefused(count: Int) { state.withLock { $0.refused += count } }
  func selectionLost(count: Int) { state.withLock { $0.lost += count } }
  func paragraphMade(index: Int) { state.withLock { $0.paragraphsMade += 1 } }
  func paragraphDelivered(index: Int) { state.withLock { $0.paragraphsDelivered += 1 } }
  func paragraphsDropped(count: Int) { state.withLock { $0.paragraphsDropped += count } }
}

/// Keeps every version in memory.
actor MemoryStore: RequestPersisting {
  var saved: [GenerationRequest] = []
  func save(_ request: GenerationRequest) { saved.append(request) }
}

extension GenerationRequest {
  static let sample = GenerationRequest(
    genre: .mystery, tone: .wistful, archetypes: [.hero, .mentor, .shadow], personality: "stubborn",
    culturalOrigin: "Frisian", setting: "an island in winter", conflictDescription: "the ferry does not come",
    comparableTitles: ["The Lighthouse"], market: .literary)
}

/// A story with its fakes.
struct Story {
  var names = FakeNames()
  var titles = FakeTitles()
  var plot = FakePlot()
  var prose = FakeProse()
  var recorder = Recorder()
  var store = MemoryStore()
  var request = GenerationRequest.sample

  func coordinator(_ components: StoryComponents = .init()) -> StoryCoordinator {
    StoryCoordinator(
      request: request, providers: StoryProviders(names: names, titles: titles, plot: plot, prose: prose),
      dependencies: StoryDependencies(
        choices: RotatingChoices(), observer: recorder, persistence: store, plotPointCount: 3),
      components: components)
  }

  func nameSource() -> NameSource {
    NameSource(
      request: request, provider: names, identifiers: CountingIdentifiers(), choices: RotatingChoices(),
      observer: recorder)
  }
}

/// What came out of a stream.
struct Taken<Success: Sendable> {
  var successes: [Success] = []
  var slots: [Int] = []
  var failedSlots: [Int] = []
  var progress: [Double] = []
  var error: (any Error)?

  init() {}

  mutating func add(_ event: GenerationEvent<Success>) {
    switch event {
    case .candidate(let success, let slot):
      successes.append(success)
      slots.append(slot)
    case .failure(let failure): failedSlots.append(failure.slot)
    case .progress(let value): progress.append(value)
    }
  }
}

func take<Success: Sendable>(_ stream: Publication<GenerationEvent<Success>>) async -> Taken<Success> {
  var taken = Taken<Success>()
  do {
    for try await event in stream { taken.add(event) }
  } catch {
    taken.error = error
  }
  return taken
}

func name(_ number: UInt64, slot: Int = 0) -> Candidate {
  .name(
    CharacterNameCandidate(
      id: CandidateID(number), slot: slot, archetype: nil,
      name: CharacterName("Name \(number)", explanation: "")))
}
