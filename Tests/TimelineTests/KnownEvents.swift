import RuntimeProbe

@testable import Timeline

/// Events of callers that do one call each on one of some actors, as the probe enters them.
struct KnownEvents {
  var events: [TraceEvent] = []
  var time: Int64 = 1_000
  static let actorNames = [1: "Counter", 2: "Registry"]

  mutating func add(
    _ kind: TraceEvent.Kind, after delay: Int64 = 10, thread: Int = 0, task: UInt64 = 0, address: UInt64 = 0,
    slot: Int = TraceEvent.noSlot, code: UInt64 = 0
  ) {
    time += delay
    events.append(
      TraceEvent(kind, time: time, thread: thread, task: task, address: address, slot: slot, code: code))
  }

  /// A task that goes onto an actor and comes back, on one thread.
  mutating func call(task: UInt64, actor: UInt64, slot: Int = 1, thread: Int = 0, held: Int64 = 100) {
    add(.taskMade, thread: thread, task: task, code: 0x10)
    add(.jobBegan, thread: thread, task: task)
    add(.left, thread: thread, task: task, address: actor, slot: slot, code: 0x20)
    add(.arrived, thread: thread, task: task, address: actor, slot: slot, code: 0x20)
    add(.left, after: held, thread: thread, task: task, code: 0x11)
    add(.arrived, thread: thread, task: task, code: 0x11)
    add(.jobEnded, thread: thread)
    add(.taskEnded, thread: thread, task: task)
  }

  func recording(isVirtual: Bool = false, lost: Int = 0, wasCut: Bool = false, threads: Int = 4)
    -> TraceRecording
  {
    TraceRecording(
      events: events, threads: (0..<threads).map { .init(number: Int64(100 + $0)) },
      marks: ["flush", "fault"],
      actorNames: Self.actorNames, isVirtual: isVirtual, start: 1_000, end: time + 10, wasCut: wasCut,
      lost: lost)
  }

  static func name(_ code: UInt64) -> FunctionName? {
    switch code {
    case 0x10: FunctionName("closure #1 in run()")
    // A return address is looked up by what is before it.
    case 0x11, 0x50: FunctionName("run()")
    case 0x20: FunctionName("Counter.hit()")
    case 0x30: FunctionName("withCheckedContinuation()", .library)
    case 0x40: FunctionName("CellClock.sleep()", .between)
    default: nil
    }
  }
}

extension TraceRecording {
  var model: TimelineModel { TimelineModel(self) }

  /// As its readers see it.
  func decoded(name: (UInt64) -> FunctionName? = KnownEvents.name) -> DecodedTrace {
    let model = model
    return DecodedTrace(
      PerfettoTrace.bytes(model, of: self, names: FunctionNames(for: model, lookUp: name), title: "cell"))
  }
}
