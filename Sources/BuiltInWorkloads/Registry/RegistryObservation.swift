internal import Measurement
internal import StoryPipeline
internal import Synchronization
internal import WorkloadInterface

/// Counts one iteration of `registry`, and publishes what its stores have made visible.
final class RegistryObservation: StoryObserver {
  private let iteration: Iteration
  private let clock: CellClock
  private let figures: ElementFigures
  private let ledger = Mutex(ElementLedger())

  init(_ iteration: Iteration, clock: CellClock, figures: ElementFigures) {
    self.iteration = iteration
    self.clock = clock
    self.figures = figures
  }

  func candidateMade(_ id: CandidateID, slot: Int) {
    let now = clock.now()
    ledger.withLock { if $0.make(id.rawValue, at: now) { figures.made.add() } }
  }

  func candidateStored(_ id: CandidateID) {
    let now = clock.now()
    ledger.withLock {
      if let age = $0.store(id.rawValue, at: now) { figures.visibleInRegistry(age: age, in: iteration) }
    }
  }

  func candidateDropped(_ id: CandidateID) {
    ledger.withLock { if $0.drop(id.rawValue) { figures.dropped.add() } }
  }

  func batchFlushed(size: Int, cause: FlushCause) { figures.flushed(size, cause: cause, in: iteration) }

  /// The view shows it.
  func shown(_ candidate: Candidate) {
    let now = clock.now()
    ledger.withLock {
      if let age = $0.deliver(candidate.id.rawValue, at: now) {
        figures.visibleInView(age: age, in: iteration)
      }
    }
  }

  /// Elements made, and those of them that stores have made visible.
  var published: (made: Int, visible: Int) { ledger.withLock { ($0.made, $0.stored) } }
}

extension RegistryObservation: Books {
  var isBalanced: Bool { ledger.withLock { $0.undetermined == 0 } }

  func close(ended: Bool) {
    let open = Int64(ledger.withLock { $0.close() })
    (ended ? figures.lost : figures.buffered).add(open)
  }
}
