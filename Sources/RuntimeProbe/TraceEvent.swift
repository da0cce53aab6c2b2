internal import CRuntimeProbe

/// One thing that a trace saw happen.
package struct TraceEvent: Sendable, Hashable {
  /// What happened; see `crp_trace_kind`.
  package enum Kind: Sendable, Hashable {
    /// A job began on the executor at the place; `task` is 0 where it is no task.
    case jobBegan
    case jobEnded
    /// The task left this thread's executor for the place, where it will run `code`.
    case left
    /// The task goes on at the place.
    case arrived
    /// The task is at the place, though it was not seen to arrive.
    case found
    /// The task suspends for a continuation; `code` is where it will go on.
    case awaited
    /// `address` is the number of the creating task, 0 for none; `code` where the new one begins; `slot` is `timer`
    /// for what `Task.sleep` makes.
    case taskMade
    case taskEnded
    /// `address` is the tag of the iteration, 0 for none.
    case tagged
    case cancelled
    /// An actor was made.
    case actorMade
    /// `slot` is the mark's number and `address` its value.
    case marked
    /// Addresses of code that belong to the thread's event before, in `task`, `address` and `code`; 0: none. After
    /// `awaited`, where the awaiting function's callers go on; after `taskMade`, return addresses of the creation.
    case callers
  }

  package var kind: Kind
  /// In ns: CLOCK_MONOTONIC, or virtual time since the start of the cell.
  package var time: Int64
  /// Index of the thread among `TraceRecording.threads`.
  package var thread: Int
  /// The runtime's number of the task; 0: none.
  package var task: UInt64
  /// The actor's address; 0: the generic executor.
  package var address: UInt64
  /// The slot of the actor's type; `noSlot`: none.
  package var slot: Int
  /// An address of code; 0: not known.
  package var code: UInt64

  /// In place of a slot: the task is a timer.
  package static let timer = Int(CRP_TRACE_TIMER)
  /// The slot of what is no actor.
  package static let noSlot = Int(CRP_TRACE_NO_SLOT)

  /// Makes an event.
  package init(
    _ kind: Kind, time: Int64, thread: Int = 0, task: UInt64 = 0, address: UInt64 = 0, slot: Int = noSlot,
    code: UInt64 = 0
  ) {
    self.kind = kind
    self.time = time
    self.thread = thread
    self.task = task
    self.address = address
    self.slot = slot
    self.code = code
  }
}

extension TraceEvent.Kind {
  /// The kind of a raw event; nil for the file's own entries and for what this program does not know.
  init?(raw: crp_trace_kind) {
    switch raw {
    case CRP_TRACE_JOB_BEGAN: self = .jobBegan
    case CRP_TRACE_JOB_ENDED: self = .jobEnded
    case CRP_TRACE_LEFT: self = .left
    case CRP_TRACE_ARRIVED: self = .arrived
    case CRP_TRACE_FOUND: self = .found
    case CRP_TRACE_AWAITED: self = .awaited
    case CRP_TRACE_TASK_MADE: self = .taskMade
    case CRP_TRACE_TASK_ENDED: self = .taskEnded
    case CRP_TRACE_TAGGED: self = .tagged
    case CRP_TRACE_CANCELLED: self = .cancelled
    case CRP_TRACE_ACTOR_MADE: self = .actorMade
    case CRP_TRACE_MARKED: self = .marked
    case CRP_TRACE_CALLERS: self = .callers
    default: return nil
    }
  }
}

/// What a trace's file holds, in order of time.
package struct TraceRecording: Sendable {
  /// A thread that events come from.
  package struct Thread: Sendable, Hashable {
    /// The kernel's number.
    package var number: Int64
    package init(number: Int64) { self.number = number }
  }

  /// Events until the first one was lost, sorted by time; those of one thread stay in their order.
  package var events: [TraceEvent]
  package var threads: [Thread]
  /// By the `slot` of `.marked`.
  package var marks: [String]
  /// Presented names of actor types by slot.
  package var actorNames: [Int: String]
  package var process: Int32
  package var isVirtual: Bool
  /// When tracing began and ended, in the events' ns; the end is that of the last event where the process was killed.
  package var start: Int64
  package var end: Int64
  /// Whether the process ended without ending the trace.
  package var wasCut: Bool
  /// Events that found no room, and those after the first of them that did: none of these is in `events`.
  package var lost: Int
  /// Nanoseconds to add to a CLOCK_MONOTONIC time for CLOCK_BOOTTIME and CLOCK_REALTIME, as of the reading.
  package var bootOffset: Int64
  package var realOffset: Int64

  /// Makes a recording of events that are in order.
  package init(
    events: [TraceEvent], threads: [Thread], marks: [String] = [], actorNames: [Int: String] = [:],
    process: Int32 = 1, isVirtual: Bool = false, start: Int64, end: Int64, wasCut: Bool = false,
    lost: Int = 0,
    bootOffset: Int64 = 0, realOffset: Int64 = 0
  ) {
    self.events = events
    self.threads = threads
    self.marks = marks
    self.actorNames = actorNames
    self.process = process
    self.isVirtual = isVirtual
    self.start = start
    self.end = end
    self.wasCut = wasCut
    self.lost = lost
    self.bootOffset = bootOffset
    self.realOffset = realOffset
  }
}
