internal import Measurement
internal import StoryPipeline
internal import Synchronization
internal import WorkloadInterface

/// One story from start to end, as its user lives it.
final class StoryRun: Sendable {
  private let user: ScriptedUser
  private let iteration: Iteration
  private let session: StorySession
  private let observation: StoryObservation
  private let coordinator: StoryCoordinator
  private let consumer: any StoryConsumer
  private let callers: StoryCallers
  private let place = Mutex(Place())
  private let cancelledStage = Signal()

  private struct Place {
    var stage = ProviderKind.names
    /// When the user had enough; nil before.
    var cancelledAt: Int64?
  }

  /// The pipeline, or the user, has given up.
  private struct GivenUp: Error {
    let reason: String
  }

  init(
    user: ScriptedUser, iteration: Iteration, session: StorySession, observation: StoryObservation,
    coordinator: StoryCoordinator, consumer: any StoryConsumer, callers: StoryCallers
  ) {
    self.user = user
    self.iteration = iteration
    self.session = session
    self.observation = observation
    self.coordinator = coordinator
    self.consumer = consumer
    self.callers = callers
  }

  /// Runs it to its end, by itself or by the user's cancel.
  func outcome() async -> IterationOutcome {
    guard let cancelAfter = user.cancelAfter else { return await tell() }
    let outcome = await withTaskGroup(of: IterationOutcome?.self) { group in
      group.addTask { await self.tell() }
      group.addTask {
        let began = await self.waitForCancelledStage()
        guard (try? await self.sleep(until: began + cancelAfter)) != nil else { return nil }
        await self.haveEnough()
        return nil
      }
      var outcome: IterationOutcome?
      for await ended in group {
        if let ended { outcome = ended }
        // Whichever came first ends the other.
        group.cancelAll()
      }
      return outcome
    }
    return outcome ?? .cancelled
  }

  private func tell() async -> IterationOutcome {
    let outcome: IterationOutcome
    do {
      try await chooseNames()
      try await chooseTitle()
      try await repeating(.plot, until: .outlined)
      try await repeating(.prose, until: .written)
      outcome = .completed
    } catch let error as GivenUp {
      outcome = .failed(reason: error.reason)
    } catch is CancellationError {
      outcome = .cancelled
    } catch {
      outcome = .failed(reason: "unexpected-error")
    }
    await consumer.leave()
    let (stage, cancelledAt) = place.withLock { ($0.stage, $0.cancelledAt) }
    if let cancelledAt {
      if session.behaviour.exit != .cancel, !session.behaviour.hasView { observation.see(.stopped) }
      session.figures.cancelled(in: stage, after: session.recorder.clock.now() - cancelledAt, in: iteration)
    }
    callers.left()
    return cancelledAt == nil ? outcome : .cancelled
  }

  /// The stage, or the story, that a cancel is timed from has begun; returns when, in ns.
  private func waitForCancelledStage() async -> Int64 {
    guard session.behaviour.cancelFrom != nil else { return iteration.actualStart }
    await cancelledStage.wait()
    return session.recorder.clock.now()
  }

  /// The user has had enough, in the middle of whatever goes on.
  private func haveEnough() async {
    let now = session.recorder.clock.now()
    place.withLock { $0.cancelledAt = now }
    session.figures.cancels.add()
    callers.wereCancelled(at: now)
    session.keep(callers)
    guard session.behaviour.exit == .cancel else { return }
    await coordinator.cancel()
    observation.see(.stopped)
    callers.left()
  }

  // MARK: Stages

  private func chooseNames() async throws {
    let screen = Screen(for: user)
    let began = try await start(.names, screen)
    try await restart(screen, began)
    try await wait(for: user.nameCount, on: screen)
    try await regenerate(screen)
    try await sleep(until: began + user.nameThinking)
    try await choose(upTo: user.nameCount, on: screen) { ids in
      try await self.coordinator.selectNames(ids).map(\.id)
    }
    if user.choosesAgain {
      try await choose(upTo: user.nameCount, of: .oldest, on: screen) { ids in
        try await self.coordinator.selectNames(ids).map(\.id)
      }
    }
    callers.left(.names)
    ended(.names, began)
  }

  private func chooseTitle() async throws {
    let screen = Screen(for: user)
    let began = try await start(.titles, screen)
    try await wait(for: 1, on: screen)
    try await sleep(until: began + user.titleThinking)
    try await choose(upTo: 1, on: screen) { ids in
      var chosen: [CandidateID] = []
      for id in ids { chosen.append(try await self.coordinator.selectTitle(id).id) }
      return chosen
    }
    callers.left(.titles)
    ended(.titles, began)
  }

  /// An outline or prose: once, and again after a failure if the user is of that mind.
  private func repeating(_ kind: ProviderKind, until done: StoryPhase) async throws {
    var failures = 0
    let began = session.recorder.clock.now()
    while true {
      if kind == .prose { observation.proseStarted() }
      let screen = Screen(for: user)
      _ = try await start(kind, screen)
      _ = await screen.wait(for: .max)
      try checkpoint()
      if await coordinator.phase == done {
        if done == .written { observation.see(.written) }
        break
      }
      failures += 1
      guard user.reaction(to: failures, retryable: true) == .askAgain else {
        throw GivenUp(reason: "no-\(kind.rawValue)")
      }
    }
    ended(kind, began)
  }

  /// Starts a stage; returns when, in ns.
  private func start(_ kind: ProviderKind, _ screen: Screen) async throws -> Int64 {
    try checkpoint()
    place.withLock { $0.stage = kind }
    let began = session.recorder.clock.now()
    try await consumer.start(kind, screen: screen)
    if kind == session.behaviour.cancelFrom { cancelledStage.fire() }
    return began
  }

  /// An impatient user starts names once more.
  private func restart(_ screen: Screen, _ began: Int64) async throws {
    guard let after = user.restartAfter else { return }
    try await wait(for: 1, on: screen)
    try await sleep(until: began + after)
    observation.see(.restarting)
    try await consumer.start(.names, screen: screen)
    observation.see(.restarted)
  }

  private func regenerate(_ screen: Screen) async throws {
    guard let slot = user.regeneratedSlot else { return }
    session.figures.regenerations.add()
    try await consumer.regenerateName(slot: slot, cancels: user.cancelsRegeneration, screen: screen)
    try checkpoint()
  }

  private func wait(for count: Int, on screen: Screen) async throws {
    let sight = await screen.wait(for: count)
    try checkpoint()
    if sight == .givenUp { throw GivenUp(reason: "failed-slot") }
  }

  private func ended(_ kind: ProviderKind, _ began: Int64) {
    session.figures.stage(kind, took: session.recorder.clock.now() - began, in: iteration)
  }

  // MARK: Choices

  /// Which of the shown a user chooses.
  private enum Taste {
    case newest, oldest
  }

  /// Chooses some of those shown, the last of them first. What is refused is chosen again a little later.
  private func choose(
    upTo count: Int, of taste: Taste = .newest, on screen: Screen,
    _ select: ([CandidateID]) async throws -> [CandidateID]
  ) async throws {
    for _ in 0..<Self.patience {
      try checkpoint()
      let shown = screen.shown
      let ids = Array((taste == .newest ? shown.suffix(count) : shown.prefix(count)).reversed())
      guard !ids.isEmpty else { throw GivenUp(reason: "nothing-to-choose") }
      do {
        note(try await select(ids), for: ids)
        return
      } catch is SelectionRefusal {
        session.figures.selectionsRefused.add(Int64(ids.count))
        try await sleep(until: session.recorder.clock.now() + Self.hesitation)
      }
    }
    throw GivenUp(reason: "selection-refused")
  }

  /// A choice of `ids` was taken, and `chosen` came of it.
  private func note(_ chosen: [CandidateID], for ids: [CandidateID]) {
    let missing = ids.count { !chosen.contains($0) }
    let kept = chosen.filter { ids.contains($0) }
    let displaced = missing == 0 ? zip(ids, kept).count { $0 != $1 } : 0
    observation.see(.stopped)
    observation.see(.chose(missing: missing))
    observation.see(.chosen(displaced: displaced, extra: chosen.count - kept.count))
    session.figures.selectionsMade.add(Int64(ids.count))
    session.figures.selectionsLost.add(Int64(missing))
  }

  /// How often a user chooses again after a refusal, and the time between, in ns.
  private static let patience = 100
  private static let hesitation: Int64 = 10_000_000

  private func sleep(until time: Int64) async throws {
    if time > session.recorder.clock.now() { try await session.recorder.clock.sleep(until: time) }
    try checkpoint()
  }

  /// Throws when the user has had enough.
  private func checkpoint() throws {
    try Task.checkCancellation()
    if place.withLock({ $0.cancelledAt != nil }) { throw CancellationError() }
  }
}
