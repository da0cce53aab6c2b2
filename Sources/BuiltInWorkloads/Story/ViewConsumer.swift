internal import ProviderScripts
internal import StoryPipeline
internal import Synchronization
internal import WorkloadInterface

/// A user who looks at a view model on the main actor, and lets go of it when leaving.
final class ViewConsumer: StoryConsumer {
  private let coordinator: StoryCoordinator
  private let observation: StoryObservation
  private let sink: ScriptedSink
  private let followers = Followers()
  private let loop: OpeningLoop
  private let model: Mutex<StoryViewModel?>
  private let place = Mutex<Place?>(nil)

  /// What the user is looking at.
  private struct Place {
    let kind: ProviderKind
    let screen: Screen
    /// Failed slots that the user puts up with.
    var accepted: Set<Int> = []
  }

  /// Opens the screen.
  @MainActor
  init(
    coordinator: StoryCoordinator, loop: any ViewLoop, observation: StoryObservation, sink: ScriptedSink
  ) {
    self.coordinator = coordinator
    self.observation = observation
    self.sink = sink
    self.loop = OpeningLoop(loop)
    let model = StoryViewModel(coordinator: coordinator, viewLoop: self.loop)
    self.model = Mutex(model)
    model.onChange = { [weak self, weak model, observation] in
      observation.see(.viewUpdated)
      if let self, let model { self.changed(model) }
    }
  }

  func start(_ kind: ProviderKind, screen: Screen) async throws {
    let opened = Signal()
    try await begin(kind, screen: screen, opened: opened)
    await opened.wait()
  }

  @MainActor
  private func begin(_ kind: ProviderKind, screen: Screen, opened: Signal) throws {
    guard let model = model.withLock({ $0 }) else { throw CancellationError() }
    place.withLock { $0 = Place(kind: kind, screen: screen) }
    loop.expect(opened)
    let loop =
      switch kind {
      case .names: model.startNames()
      case .titles: model.startTitles()
      case .plot: model.startOutline()
      case .prose: model.startProse()
      }
    followers.wait(for: loop, screen: screen)
  }

  @MainActor
  func regenerateName(slot: Int, cancels: Bool, screen: Screen) async throws {
    guard let loop = model.withLock({ $0?.regenerateName(slot: slot) }) else { throw CancellationError() }
    await followers.wait(for: loop, screen: screen).value
  }

  func leave() async {
    observation.watch(model.withLock { $0 })
    observation.see(.leftScreen)
    model.withLock { $0 = nil }
    await followers.leave()
  }

  @MainActor
  private func changed(_ model: StoryViewModel) {
    guard let place = place.withLock({ $0 }) else { return }
    let shown = model.names.count + model.titles.count + model.plot.count + model.paragraphs.count
    sink.update(shown: shown)
    switch place.kind {
    case .names: show(model.names.mapValues(\.id), in: place)
    case .titles: show(model.titles.mapValues(\.id), in: place)
    case .plot, .prose: return
    }
    for failed in model.failedSlots where !place.accepted.contains(failed.slot) {
      react(to: failed, in: place, model)
    }
  }

  @MainActor
  private func show(_ candidates: [Int: CandidateID], in place: Place) {
    for (_, id) in candidates.sorted(by: { $0.key < $1.key }) { place.screen.show(id) }
  }

  @MainActor
  private func react(to failed: StoryViewModel.FailedSlot, in place: Place, _ model: StoryViewModel) {
    guard place.screen.failed(slot: failed.slot, retryable: failed.retryable) == .askAgain else {
      self.place.withLock { _ = $0?.accepted.insert(failed.slot) }
      return
    }
    if place.kind == .names {
      // The model takes the slot off its list of failures.
      followers.wait(for: model.regenerateName(slot: failed.slot), screen: place.screen)
      return
    }
    // The model has no button for titles, so the list keeps the slot; the user asks the coordinator.
    self.place.withLock { _ = $0?.accepted.insert(failed.slot) }
    let (coordinator, followers, screen) = (coordinator, followers, place.screen)
    screen.followerBegan()
    Task {
      await Self.askForTitle(failed.slot, of: coordinator, followers, screen)
      screen.followerEnded()
    }
  }

  private static func askForTitle(
    _ slot: Int, of coordinator: StoryCoordinator, _ followers: Followers, _ screen: Screen
  ) async {
    guard let again = try? await coordinator.regenerateTitle(slot: slot) else { return }
    let follower = followers.follow(again.events, screen: screen) { event in
      switch event {
      case .candidate(let title, _): screen.show(title.id)
      case .failure(let failure):
        if screen.failed(slot: failure.slot, retryable: failure.retryable) == .askAgain {
          await askForTitle(slot, of: coordinator, followers, screen)
        }
      case .progress: break
      }
    }
    await follower.value
  }
}
