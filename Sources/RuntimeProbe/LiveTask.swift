internal import CRuntimeProbe

/// A task that the ledger held when it was looked at.
package struct LiveTask: Sendable, Hashable {
  /// How it was made.
  package enum Kind: String, Sendable, Hashable {
    case unstructured = "Task"
    case detached = "Task.detached"
    case groupChild = "task group"
    case asyncLet = "async let"
    /// Made before the probe was started.
    case adopted = "earlier"
  }

  /// What it was doing.
  package enum State: String, Sendable, Hashable {
    case running
    /// Waiting for a thread or an actor.
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

  /// Makes a task from its parts.
  package init(
    id: UInt64, parentID: UInt64 = 0, iteration: UInt64, kind: Kind = .unstructured,
    state: State = .suspended,
    isCancelled: Bool = false, creationAddresses: [UInt64] = []
  ) {
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
      default: .adopted
      }
    state =
      raw.is_complete != 0
      ? .endedButRetained : raw.is_running != 0 ? .running : raw.is_enqueued != 0 ? .enqueued : .suspended
    isCancelled = raw.is_cancelled != 0
    creationAddresses = withUnsafeBytes(of: raw.addresses) { bytes in
      Array(bytes.bindMemory(to: UInt64.self).prefix(Int(raw.address_count)))
    }
  }
}

extension Probe {
  /// The tasks in the ledger, by number: alive, or complete and still referenced. Tasks go on meanwhile; each
  /// one's state is from one moment, the states of two are not. Allocates about 170 bytes for each.
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
