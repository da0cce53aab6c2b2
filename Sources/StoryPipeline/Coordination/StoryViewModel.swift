/// What a screen shows of a story, on the main actor; no user interface framework is needed.
///
/// Its loops do not keep it: when the screen lets go of it, it is freed, its loops are cancelled,
/// and with them the stages behind the streams.
@MainActor
public final class StoryViewModel {
  /// A slot that has no candidate yet.
  public struct FailedSlot: Sendable {
    /// The slot, from 0.
    public let slot: Int
    /// True if asking again may help: the place for a button.
    public let retryable: Bool
  }

  /// Names by slot.
  public private(set) var names: [Int: CharacterNameCandidate] = [:]
  /// Titles by slot.
  public private(set) var titles: [Int: TitleCandidate] = [:]
  /// Plot points by slot.
  public private(set) var plot: [Int: PlotPoint] = [:]
  /// The prose so far.
  public private(set) var paragraphs: [String] = []
  /// Failed slots of the current stage, in the order in which they failed.
  public private(set) var failedSlots: [FailedSlot] = []
  /// How far the current stage is, from 0 to 1.
  public private(set) var progress = 0.0
  /// True from the start of the prose stage's last event on.
  public private(set) var isComplete = false
  /// What to tell the user, if the last action could not be done.
  public private(set) var message: String?
  /// Called after each change, on the main actor: where a screen draws.
  public var onChange: (@MainActor () -> Void)?

  /// The coordinator behind it.
  public nonisolated let coordinator: StoryCoordinator
  private nonisolated let loops = LoopTasks()
  private let viewLoop: any ViewLoop

  /// A model for one coordinator; `viewLoop` is how it follows streams.
  public init(coordinator: StoryCoordinator, viewLoop: any ViewLoop = WeakViewLoop()) {
    self.coordinator = coordinator
    self.viewLoop = viewLoop
  }

  deinit { loops.cancelAll() }

  /// Starts names and shows them as they come. Returns when the stream has ended or the model is gone.
  @discardableResult
  public func startNames() -> Task<Void, Never> {
    reset { $0.names = [:] }
    return follow({ [coordinator] in try await coordinator.startNames() }) { model, event in
      model.apply(event) { model.names[$1] = $0 }
    }
  }

  /// Asks for one name again.
  @discardableResult
  public func regenerateName(slot: Int) -> Task<Void, Never> {
    failedSlots.removeAll { $0.slot == slot }
    return follow({ [coordinator] in try await coordinator.regenerateName(slot: slot).events }) {
      model, event in
      model.apply(event) { model.names[$1] = $0 }
    }
  }

  /// Chooses names. Throws as ``StoryCoordinator/selectNames(_:)``.
  public func selectNames(_ ids: [CandidateID]) async throws { try await coordinator.selectNames(ids) }

  /// Starts titles and shows them as they come.
  @discardableResult
  public func startTitles() -> Task<Void, Never> {
    reset { $0.titles = [:] }
    return follow({ [coordinator] in try await coordinator.startTitles() }) { model, event in
      model.apply(event) { model.titles[$1] = $0 }
    }
  }

  /// Chooses a title. Throws as ``StoryCoordinator/selectTitle(_:)``.
  public func selectTitle(_ id: CandidateID) async throws { try await coordinator.selectTitle(id) }

  /// Starts the outline and shows it as it comes.
  @discardableResult
  public func startOutline() -> Task<Void, Never> {
    reset { _ in }
    return follow({ [coordinator] in try await coordinator.startOutline() }) { model, event in
      model.apply(event) { model.plot[$1] = $0 }
    }
  }

  /// Starts the prose and shows it as it comes.
  @discardableResult
  public func startProse() -> Task<Void, Never> {
    reset { $0.paragraphs = [] }
    return follow({ [coordinator] in try await coordinator.startProse() }) { $0.apply($1) }
  }

  /// The user has had enough: stops what runs.
  public func cancel() async { await coordinator.cancel() }

  // MARK: Showing

  private func reset(_ clear: (StoryViewModel) -> Void) {
    failedSlots = []
    progress = 0
    isComplete = false
    message = nil
    clear(self)
  }

  private func follow<Element: Sendable>(
    _ open: @escaping @Sendable () async throws -> Publication<Element>,
    apply: @escaping @MainActor @Sendable (StoryViewModel, Element) -> Void
  ) -> Task<Void, Never> {
    let task = viewLoop.follow(self, open: open) { model, element in
      apply(model, element)
      model.onChange?()
    }
    loops.add(task)
    return task
  }

  private func apply<Success: Sendable>(
    _ event: GenerationEvent<Success>, show: (Success, Int) -> Void
  ) {
    switch event {
    case .candidate(let success, let slot):
      failedSlots.removeAll { $0.slot == slot }
      show(success, slot)
    case .failure(let failure):
      failedSlots.append(FailedSlot(slot: failure.slot, retryable: failure.retryable))
    case .progress(let value): progress = value
    }
  }

  private func apply(_ event: ProseEvent) {
    switch event {
    case .paragraph(let text): paragraphs.append(text)
    case .progress(let value): progress = value
    case .complete: isComplete = true
    case .failure(let failure): message = "\(failure.error)"
    }
  }

  /// A stream could not be opened, or ended with an error that is not a cancellation.
  public func report(_ error: any Error) {
    guard !(error is CancellationError) else { return }
    message = "\(error)"
    onChange?()
  }
}
