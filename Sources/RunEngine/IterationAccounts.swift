internal import WorkloadInterface

/// The books of a cell's iterations, as a value: every arrival is entered once and leaves once.
///
/// planned = started + dropped + queued, and started = completed + failed + cancelled + running, at any moment.
struct IterationAccounts: Sendable {
  private(set) var planned: Int64 = 0
  private(set) var started: Int64 = 0
  private(set) var completed: Int64 = 0
  private(set) var failed: Int64 = 0
  private(set) var cancelled: Int64 = 0
  private(set) var dropped: Int64 = 0
  private(set) var queued: Int64 = 0
  private(set) var queuedMax: Int64 = 0
  private(set) var inFlightMax: Int64 = 0
  /// Completed within the objective, warm-up left out.
  private(set) var good: Int64 = 0
  /// Sum over ended iterations of the time from intended start to end, in ns. A few hundred years in all are more
  /// than 64 bits hold: a thousand iterations that take months are enough.
  private(set) var sojournSum: Int128 = 0
  /// The number in the system summed over time, in ns; meaningful where arrivals are entered at their time.
  private(set) var area: Int128 = 0
  private(set) var lastStart: Int64 = 0
  private(set) var lastEnd: Int64 = 0
  private(set) var reasons: [String: Int64] = [:]
  private var inSystem: Int64 = 0
  private var areaTime: Int64 = 0

  /// Iterations running now.
  var running: Int64 { started - completed - failed - cancelled }
  /// Nothing runs and nothing waits.
  var isEmpty: Bool { running == 0 && queued == 0 }

  /// Whether iterations run and none has begun or ended for longer than `time`.
  func stand(stillFor time: Int64, at now: Int64) -> Bool {
    running > 0 && now - max(lastStart, lastEnd) > time
  }

  /// An arrival came, at `now`.
  mutating func arrived(at now: Int64) {
    passTime(to: now)
    planned += 1
    inSystem += 1
  }

  /// The arrival was given up.
  mutating func wasDropped() {
    dropped += 1
    inSystem -= 1
  }

  /// The arrival waits for its turn.
  mutating func wasQueued() {
    queued += 1
    queuedMax = max(queuedMax, queued)
  }

  /// A waiting arrival got its turn; `begins` follows.
  mutating func leftQueue() { queued -= 1 }

  /// An iteration begins at `now`.
  mutating func begins(at now: Int64) {
    started += 1
    lastStart = max(lastStart, now)
    inFlightMax = max(inFlightMax, running)
  }

  /// An iteration ended at `now`.
  mutating func ended(_ iteration: Iteration, _ outcome: IterationOutcome, at now: Int64, objective: Int64?) {
    passTime(to: now)
    inSystem -= 1
    sojournSum += Int128(now - iteration.intendedStart)
    lastEnd = max(lastEnd, now)
    switch outcome {
    case .completed:
      completed += 1
      if let objective, !iteration.isWarmUp, now - iteration.intendedStart <= objective { good += 1 }
    case .failed(let reason):
      failed += 1
      reasons[reason, default: 0] += 1
    case .cancelled:
      cancelled += 1
    }
  }

  private mutating func passTime(to now: Int64) {
    area += Int128(inSystem) * Int128(max(0, now - areaTime))
    areaTime = max(areaTime, now)
  }
}
