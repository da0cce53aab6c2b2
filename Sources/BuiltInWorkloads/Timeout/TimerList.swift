internal import Measurement
internal import Synchronization
internal import WorkloadInterface

/// What the time limits of calls have allocated: an entry for each, with its memory.
final class TimerList: Sendable {
  /// When an entry leaves the list.
  enum Removal: Sendable {
    /// When its call is over: sound.
    case whenOver
    /// When its limit has passed, whatever became of the call, as timers of the runtime do.
    case atDeadline
    /// Never.
    case never
  }

  static let keptToDeadline = FindingDeclaration(
    name: "timers-kept-to-deadline",
    about:
      "Calls were over, and what their time limits had allocated stayed until the limits would have passed: it grows to rate × limit and no further, so it is no leak.",
    advice: "Take the entry out when the call is over; or keep limits short where calls are many.")
  static let neverRemoved = FindingDeclaration(
    name: "timers-never-removed",
    about: "Calls were over and their limits had passed, and what the limits had allocated was still there.",
    advice: "Take the entry out when the call is over.")

  private struct Entry {
    let deadline: Int64
    let memory: [UInt8]
    var overSince: Int64?
  }
  private struct State {
    var entries: [Int: Entry] = [:]
    var lastNumber = 0
    var open = 0
    var mostOpen = 0
    var over = 0
    var mostOver = 0
    /// Entries in the order of their coming, those that are gone included; limits are alike, so deadlines rise.
    var order: [Int] = []
    var swept = 0
  }

  /// Bytes that an entry holds: about what a sleeping task does.
  private static let bytes = 1024

  private let removal: Removal
  private let kept: MaxGauge
  private let state = Mutex(State())

  init(removal: Removal, kept: MaxGauge) {
    self.removal = removal
    self.kept = kept
  }

  /// A call begins whose limit passes at `deadline`; returns its entry.
  func enter(until deadline: Int64, at now: Int64) -> Int {
    state.withLock { state in
      sweep(&state, at: now)
      state.lastNumber += 1
      state.entries[state.lastNumber] = Entry(
        deadline: deadline, memory: Array(repeating: 0, count: Self.bytes))
      if removal == .atDeadline { state.order.append(state.lastNumber) }
      state.open += 1
      state.mostOpen = max(state.mostOpen, state.open)
      kept.set(Int64(state.entries.count))
      return state.lastNumber
    }
  }

  /// The call of an entry is over.
  func over(_ number: Int, at now: Int64) {
    state.withLock { state in
      state.open -= 1
      if removal == .whenOver {
        state.entries[number] = nil
      } else if state.entries[number] != nil {
        state.entries[number]?.overSince = now
        state.over += 1
        state.mostOver = max(state.mostOver, state.over)
      }
    }
  }

  private func sweep(_ state: inout State, at now: Int64) {
    while state.swept < state.order.count {
      let number = state.order[state.swept]
      guard let entry = state.entries[number], entry.deadline <= now, entry.overSince != nil else { return }
      state.entries[number] = nil
      state.over -= 1
      state.swept += 1
    }
  }

  /// The fault, if there is one, when all calls are over; `limit` is that of each, in ns.
  func judge(limit: Int64, at now: Int64) -> ReportedFinding? {
    state.withLock { state in
      sweep(&state, at: now)
      guard state.mostOver > 0 else { return nil }
      let late = state.entries.values.count { $0.overSince != nil && $0.deadline < now }
      if late > 0 {
        return ReportedFinding(
          Self.neverRemoved.name, count: late,
          evidence: [
            "entries-kept": Int64(state.over), "entries-past-limit": Int64(late),
            "bytes-kept": Int64(state.over * Self.bytes), "calls-at-once": Int64(state.mostOpen),
          ])
      }
      return ReportedFinding(
        Self.keptToDeadline.name,
        evidence: [
          "entries-peak": Int64(state.mostOver), "entries-past-limit": 0,
          "bytes-peak": Int64(state.mostOver * Self.bytes), "calls-at-once": Int64(state.mostOpen),
          "limit-ns": limit,
        ])
    }
  }
}
