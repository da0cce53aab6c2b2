internal import Measurement
internal import StoryPipeline
internal import Synchronization
internal import WorkloadInterface

/// Watches one story from all seams: counts its elements, and shows everything to the oracles.
///
/// It reports what the oracles found once: when the cell is over, or before that when the last part of the
/// pipeline has let go of it.
final class StoryObservation: StoryObserver {
  private struct State {
    var ledger = ElementLedger()
    var paragraphs = ParagraphLedger()
    var oracles: StoryOracles
    var openCalls = 0
    var openWorkers = 0
    var hasEnded = false
    var isReported = false
    var table: (any TaskTracking)?
  }

  private let iteration: Iteration
  private let figures: StoryFigures
  private let recorder: Recorder
  private let state: Mutex<State>
  private let model = WeakModel()

  init(_ iteration: Iteration, strategy: RegistryStrategy, figures: StoryFigures, recorder: Recorder) {
    self.iteration = iteration
    self.figures = figures
    self.recorder = recorder
    state = Mutex(State(oracles: StoryOracles(strategy)))
  }

  deinit { report() }

  /// Shows the oracles what they cannot see from here.
  func see(_ event: StoryEvent) { state.withLock { $0.oracles.see(event) } }

  /// The table to look into at the end.
  func watch(_ table: any TaskTracking) { state.withLock { $0.table = table } }

  /// The view model that is about to be let go of.
  func watch(_ model: StoryViewModel?) { self.model.set(model) }

  /// The iteration has ended.
  func ended() { state.withLock { $0.hasEnded = true } }

  // MARK: Calls

  func providerCallStarted(_ call: ProviderCall) {
    let task = Self.currentTask
    state.withLock {
      $0.openCalls += 1
      $0.oracles.see(.callStarted(call, task: task))
    }
    if call.attempt > 0 { figures.retries.add() }
  }

  func providerCallEnded(_ call: ProviderCall, outcome: CallOutcome) {
    let task = Self.currentTask
    state.withLock {
      $0.openCalls -= 1
      $0.oracles.see(.callEnded(call, outcome, task: task))
    }
  }

  private static var currentTask: Int { withUnsafeCurrentTask { $0?.hashValue ?? 0 } }

  func slotFailed(_ kind: ProviderKind, slot: Int, isCancellation: Bool) {
    figures.failedSlots.add()
    see(.slotFailed(kind, slot: slot, isCancellation: isCancellation))
  }

  // MARK: Candidates

  func workerStarted(_ kind: ProviderKind) {
    state.withLock {
      $0.openWorkers += 1
      $0.oracles.see(.workerStarted(kind))
    }
  }

  func workerEnded(_ kind: ProviderKind) {
    state.withLock {
      $0.openWorkers -= 1
      $0.oracles.see(.workerEnded(kind))
    }
  }

  func candidateMade(_ id: CandidateID, slot: Int) {
    let now = recorder.clock.now()
    state.withLock {
      if $0.ledger.make(id.rawValue, at: now) { figures.elements.made.add() }
      $0.oracles.see(.made(id, slot: slot))
    }
  }

  func candidateStored(_ id: CandidateID) {
    let now = recorder.clock.now()
    state.withLock {
      if let age = $0.ledger.store(id.rawValue, at: now) {
        figures.elements.visibleInRegistry(age: age, in: iteration)
      }
      $0.oracles.see(.stored(id))
    }
  }

  func batchFlushed(size: Int, cause: FlushCause) {
    figures.elements.flushed(size, cause: cause, in: iteration)
  }

  func candidateDelivered(_ id: CandidateID) {
    let now = recorder.clock.now()
    state.withLock {
      if let age = $0.ledger.deliver(id.rawValue, at: now) {
        figures.elements.visibleInView(age: age, in: iteration)
      }
      $0.oracles.see(.delivered(id))
    }
  }

  func candidateDropped(_ id: CandidateID) {
    state.withLock {
      if $0.ledger.drop(id.rawValue) { figures.elements.dropped.add() }
      $0.oracles.see(.dropped(id))
    }
  }

  // MARK: Paragraphs

  /// The prose stage starts now.
  func proseStarted() {
    let now = recorder.clock.now()
    state.withLock { $0.paragraphs.start(at: now) }
  }

  func paragraphMade(index: Int) {
    state.withLock { if $0.paragraphs.make() { figures.elements.made.add() } }
  }

  func paragraphsDropped(count: Int) {
    state.withLock { if $0.paragraphs.drop(count) { figures.elements.dropped.add(Int64(count)) } }
  }

  func paragraphDelivered(index: Int) {
    let now = recorder.clock.now()
    state.withLock {
      guard let gap = $0.paragraphs.deliver(at: now) else { return }
      figures.elements.delivered.add()
      switch gap {
      case .first(let time): figures.timeToFirst.record(time, in: iteration)
      case .between(let time): figures.interElement.record(time, in: iteration)
      }
    }
  }
}

extension StoryObservation: Books {
  var isBalanced: Bool {
    state.withLock {
      $0.ledger.undetermined == 0 && $0.paragraphs.undetermined == 0 && $0.openCalls == 0
        && ($0.table?.count ?? 0) == 0
    } && !model.isAlive
  }

  func close(ended: Bool) {
    // What a worker still holds may yet arrive; it is nowhere else to be looked for once no worker runs.
    let (open, isHeld) = state.withLock {
      ($0.ledger.close() + $0.paragraphs.close(), $0.openWorkers > 0)
    }
    (ended && !isHeld ? figures.elements.lost : figures.elements.buffered).add(Int64(open))
    report()
  }

  private func report() {
    let isModelAlive = model.isAlive
    let findings = state.withLock { state -> [ReportedFinding] in
      guard !state.isReported else { return [] }
      state.isReported = true
      let end = StoryEnd(
        hasEnded: state.hasEnded, tableEntries: state.table?.count ?? 0, openCalls: state.openCalls,
        openWorkers: state.openWorkers, isModelAlive: state.hasEnded && isModelAlive)
      state.table = nil
      return state.oracles.findings(at: end, iteration: iteration.index)
    }
    for finding in findings { recorder.report(finding) }
  }
}

/// A view model that somebody else keeps, or does not.
private final class WeakModel: Sendable {
  private struct Box {
    weak var model: StoryViewModel?
  }
  private let box = Mutex(Box())

  func set(_ model: StoryViewModel?) { box.withLock { $0.model = model } }

  var isAlive: Bool { box.withLock { $0.model != nil } }
}
