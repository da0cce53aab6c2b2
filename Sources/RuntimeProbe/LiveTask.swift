internal import CRuntimeProbe

/// A task that the ledger held when it was looked at.
package struct LiveTask: Sendable, Hashable, Codable {
  /// How it was made.
  package enum Kind: String, Sendable, Hashable, Codable {
    case unstructured = "Task"
    case detached = "Task.detached"
    case groupChild = "task group"
    case asyncLet = "async let"
    /// `Task.immediate` and `Task.immediateDetached`.
    case immediate = "Task.immediate"
    /// Made before the probe was started.
    case adopted = "earlier"
  }

  /// What it was doing.
  package enum State: String, Sendable, Hashable, Codable {
    /// Made, and waiting for its first thread.
    case notStarted = "not started"
    case running
    /// Waiting for a thread or an actor, to go on.
    case enqueued
    case suspended
    /// Over, but something still refers to it.
    case endedButRetained = "ended but retained"
  }

  /// The runtime's number of the task.
  package var id: UInt64
  /// The number of the task that made it; 0: made outside any task.
  package var parentID: UInt64
  /// The tag of the iteration it belongs to; 0: none.
  package var iteration: UInt64
  package var kind: Kind
  package var state: State
  package var isCancelled: Bool
  /// Return addresses of its creation, innermost first. For `CreationPlaces`.
  package var creationAddresses: [UInt64]
  /// The name it was given, cut to 28 bytes of UTF-8.
  package var name: String?
  /// The priority it was made with, e.g. 0x19; 0: none given.
  package var priority: UInt32 = 0
  /// When it was first cancelled, in ns of the cell's clock (CLOCK_BOOTTIME, virtual where that is); `nil` where
  /// it was not or this linking does not see it.
  package var cancelledAt: Int64?
  /// When it was last seen to run, on the same clock: the return of a job, or a look. Only when classifying. Runs
  /// on an actor that goes on to other work are not seen.
  package var lastRan: Int64?
  /// The functions that it will go on with, innermost first; set by `Probe.readChain`. For `AsyncChains`.
  package var chainAddresses: [UInt64] = []
  /// Where the task lies. Another may lie there by now.
  var address: UInt64 = 0

  /// Makes a task from its parts.
  package init(
    id: UInt64, parentID: UInt64 = 0, iteration: UInt64, kind: Kind = .unstructured,
    state: State = .suspended,
    isCancelled: Bool = false, creationAddresses: [UInt64] = [], name: String? = nil
  ) {
    self.name = name
    self.id = id
    self.parentID = parentID
    self.iteration = iteration
    self.kind = kind
    self.state = state
    self.isCancelled = isCancelled
    self.creationAddresses = creationAddresses
  }

  init(_ raw: crp_live_task) {
    id = raw.id
    parentID = raw.parent_id
    iteration = raw.iteration
    kind =
      switch crp_task_kind(rawValue: raw.kind) {
      case CRP_TASK_UNSTRUCTURED: .unstructured
      case CRP_TASK_DETACHED: .detached
      case CRP_TASK_GROUP_CHILD: .groupChild
      case CRP_TASK_ASYNC_LET: .asyncLet
      case CRP_TASK_IMMEDIATE: .immediate
      default: .adopted
      }
    state = Self.state(raw)
    isCancelled = raw.is_cancelled != 0
    creationAddresses = withUnsafeBytes(of: raw.addresses) { bytes in
      Array(bytes.bindMemory(to: UInt64.self).prefix(Int(raw.address_count)))
    }
    name = withUnsafeBytes(of: raw.name) { bytes in
      bytes[0] == 0 ? nil : String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    priority = raw.priority
    cancelledAt = raw.cancelled_at == 0 ? nil : raw.cancelled_at
    lastRan = raw.last_ran == 0 ? nil : raw.last_ran
    address = raw.address
  }

  private static func state(_ raw: crp_live_task) -> State {
    if raw.is_complete != 0 { return .endedButRetained }
    if raw.is_running != 0 { return .running }
    if raw.has_started == 0 { return .notStarted }
    return raw.is_enqueued != 0 ? .enqueued : .suspended
  }
}

extension Probe {
  /// Reads the chain of functions that the task will go on with; empty where it has ended or runs. A task that runs is
  /// tried again for some milliseconds; one that still does has `running` for its state. Else about 20 microseconds.
  package static func readChain(of task: inout LiveTask) {
    var isRunning = false
    task.chainAddresses = [UInt64](unsafeUninitializedCapacity: Int(CRP_CHAIN_LIMIT)) { buffer, count in
      count = buffer.baseAddress.map { crp_task_chain(task.address, task.id, $0, &isRunning) } ?? 0
    }
    if isRunning { task.state = .running }
  }

  /// The bytes that the ledger has mapped, and how many tasks it holds.
  package static var ledgerMemory: (bytes: UInt64, tasks: UInt64) {
    var tasks: UInt64 = 0
    let bytes = crp_ledger_memory(&tasks)
    return (bytes, tasks)
  }

  /// Nanoseconds of the clock that `cancelledAt` and `lastRan` are on.
  package static func now() -> Int64 { crp_now() }

  /// The tasks in the ledger, by number: alive, or complete and still referenced. Tasks go on meanwhile; each
  /// one's state is from one moment, the states of two are not. Allocates about 250 bytes for each.
  package static func liveTasks() -> [LiveTask] {
    var capacity = crp_live_tasks(nil, 0) + 64
    while true {
      let raw = [crp_live_task](unsafeUninitializedCapacity: capacity) { buffer, count in
        let found = crp_live_tasks(buffer.baseAddress, capacity)
        count = min(found, capacity)
        capacity = found
      }
      if capacity <= raw.count {
        return raw.map(LiveTask.init).sorted { $0.id < $1.id }
      }
      capacity += 64
    }
  }
}
