package import WorkloadInterface

/// Which arrivals start, wait or are dropped. A value whose methods are events.
///
/// Conservation: arrived = started + dropped + waiting, and started = finished + running.
package struct Admission: Sendable, Hashable {
  /// What becomes of an arrival.
  package enum Decision: Sendable, Hashable {
    /// It starts now.
    case start
    /// It waits; it starts when an iteration finishes.
    case queue
    /// It never starts.
    case drop
  }

  /// Iterations that may run at once; `nil` is unlimited.
  package let maxInFlight: Int?
  /// What happens at the limit.
  package let atLimit: OpenLoad.AtLimit
  /// Arrivals so far.
  package private(set) var arrived = 0
  /// Arrivals that started, at once or later.
  package private(set) var started = 0
  /// Arrivals that were dropped.
  package private(set) var dropped = 0
  /// Arrivals that wait.
  package private(set) var waiting = 0
  /// Iterations that finished.
  package private(set) var finished = 0

  /// An empty state. A limit below 1 counts as 1.
  package init(maxInFlight: Int? = nil, atLimit: OpenLoad.AtLimit = .drop) {
    self.maxInFlight = maxInFlight.map { max(1, $0) }
    self.atLimit = atLimit
  }

  /// The state for a load; a closed load is not limited here.
  package init(_ model: LoadModel) {
    switch model {
    case .open(let load): self.init(maxInFlight: load.maxInFlight, atLimit: load.atLimit)
    case .closed: self.init()
    }
  }

  /// Iterations that run.
  package var running: Int { started - finished }

  /// An arrival comes.
  package mutating func arrival() -> Decision {
    arrived += 1
    guard let maxInFlight, running >= maxInFlight else {
      started += 1
      return .start
    }
    switch atLimit {
    case .drop:
      dropped += 1
      return .drop
    case .queue:
      waiting += 1
      return .queue
    }
  }

  /// An iteration finishes. Returns whether the arrival that waited longest starts now.
  package mutating func finish() -> Bool {
    finished += 1
    guard waiting > 0 else { return false }
    waiting -= 1
    started += 1
    return true
  }
}
