internal import ProviderScripts
internal import SeededDraws
internal import StoryPipeline
internal import Synchronization
internal import WorkloadInterface

/// A user who reads the coordinator's streams, taking time over each element.
final class DirectConsumer: StoryConsumer {
  private let coordinator: StoryCoordinator
  private let observation: StoryObservation
  private let sink: ScriptedSink
  private let clock: CellClock
  private let iteration: Iteration
  private let reading: (pause: Distribution, stream: DrawStream)?
  private let exit: StoryBehaviour.Exit
  private let followers: Followers
  private let elementsRead = Atomic<Int>(0)

  init(
    coordinator: StoryCoordinator, observation: StoryObservation, sink: ScriptedSink, clock: CellClock,
    iteration: Iteration, exit: StoryBehaviour.Exit, reading: (pause: Distribution, stream: DrawStream)?
  ) {
    self.coordinator = coordinator
    self.observation = observation
    self.sink = sink
    self.clock = clock
    self.iteration = iteration
    self.reading = reading
    self.exit = exit
    followers = Followers(exit: exit)
  }

  func start(_ kind: ProviderKind, screen: Screen) async throws {
    switch kind {
    case .names:
      let stream = try await coordinator.startNames()
      followers.follow(stream, screen: screen) { event in
        await self.see(event, id: \.id, kind: kind, screen: screen)
      }
    case .titles:
      let stream = try await coordinator.startTitles()
      followers.follow(stream, screen: screen) { event in
        await self.see(event, id: \.id, kind: kind, screen: screen)
      }
    case .plot:
      followers.follow(try await coordinator.startOutline(), screen: screen) { _ in await self.read() }
    case .prose:
      followers.follow(try await coordinator.startProse(), screen: screen) { event in
        if case .paragraph = event { await self.read() }
      }
    }
  }

  func regenerateName(slot: Int, cancels: Bool, screen: Screen) async throws {
    let regeneration = try await coordinator.regenerateName(slot: slot)
    if cancels { coordinator.cancelTask(regeneration.task) }
    let follower = followers.follow(regeneration.events, screen: screen) { event in
      if cancels, case .candidate = event { self.observation.see(.cameAfterCancel) }
      await self.see(event, id: \.id, kind: .names, screen: screen)
    }
    await follower.value
  }

  func leave() async { await followers.leave() }

  private func see<Success: Sendable>(
    _ event: GenerationEvent<Success>, id: @Sendable (Success) -> CandidateID, kind: ProviderKind,
    screen: Screen
  ) async {
    switch event {
    case .candidate(let success, _):
      await read()
      screen.show(id(success))
    case .failure(let failure):
      let reaction = screen.failed(slot: failure.slot, retryable: failure.retryable)
      if reaction == .askAgain { await askAgain(kind, slot: failure.slot, screen: screen) }
    case .progress: break
    }
  }

  /// Presses the button next to a failed slot. Too late for it is no matter.
  private func askAgain(_ kind: ProviderKind, slot: Int, screen: Screen) async {
    switch kind {
    case .names:
      guard let again = try? await coordinator.regenerateName(slot: slot) else { return }
      followers.follow(again.events, screen: screen) { event in
        await self.see(event, id: \.id, kind: kind, screen: screen)
      }
    case .titles:
      guard let again = try? await coordinator.regenerateTitle(slot: slot) else { return }
      followers.follow(again.events, screen: screen) { event in
        await self.see(event, id: \.id, kind: kind, screen: screen)
      }
    case .plot, .prose: break
    }
  }

  private func read() async {
    let number = elementsRead.wrappingAdd(1, ordering: .relaxed).oldValue
    sink.update(shown: number + 1)
    guard let reading else { return }
    let pause = iteration.draws.nanoseconds(reading.pause, reading.stream, slot: number)
    if pause > 0 { try? await clock.sleep(until: clock.now() + pause) }
  }
}
