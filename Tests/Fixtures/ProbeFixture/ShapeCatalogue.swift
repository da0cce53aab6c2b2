import RuntimeProbe

/// The ten shapes. Each starts its task in a function of its own, whose name and line the probe must give.
enum Shapes {
  static let all: [Shape] = [
    Shape(name: "orphaned stream task") {
      Expected(function: "Shapes.orphanedStream", chain: "Gate.wait")
    } start: {
      await orphanedStream($0)
    },
    Shape(name: "unresumed continuation") {
      Expected(
        function: "Shapes.unresumedContinuation", chain: "closure #1 in static Shapes.unresumedContinuation")
    } start: {
      await unresumedContinuation($0)
    },
    Shape(name: "group child deaf to cancel") {
      Expected(
        kind: .groupChild, isCancelled: true, function: "Shapes.deafGroup", chain: "Gate.wait", count: 2)
    } start: {
      await deafGroup($0)
    },
    Shape(name: "detached loop") {
      Expected(
        kind: .detached, states: [.suspended, .running, .enqueued], function: "Shapes.detachedLoop",
        chain: "sleep")
    } start: {
      await detachedLoop($0)
    },
    Shape(name: "timer loop") {
      Expected(states: [.suspended, .running, .enqueued], function: "Shapes.timerLoop", chain: "sleep")
    } start: {
      await timerLoop($0)
    },
    Shape(name: "task parked in a channel") {
      Expected(function: "Shapes.parkedSender", chain: "Rendezvous.send")
    } start: {
      await parkedSender($0)
    },
    Shape(name: "table that keeps ended tasks") {
      Expected(fate: .retained, states: [.endedButRetained], function: "Shapes.keptAfterEnd")
    } start: {
      await keptAfterEnd($0)
    },
    Shape(name: "task retained by its own closure") {
      Expected(function: "SelfKeeping.start", chain: "SelfKeeping.run")
    } start: {
      await selfKeeping($0)
    },
    Shape(name: "late clean-up that settles") {
      Expected(fate: .settled, function: "Shapes.lateCleanUp")
    } start: {
      await lateCleanUp($0)
    },
    Shape(name: "task not yet started") {
      Expected(states: [.notStarted], function: "Shapes.notStarted")
    } start: {
      await notStarted($0)
    },
  ]

  private static func orphanedStream(_ ending: Ending) async -> Remains {
    let gate = Gate()
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let task = Task {
      for element in 0..<3 { continuation.yield(element) }
      await gate.wait(heedsCancel: true)
      continuation.finish()
    }
    let remains = Remains(line: #line - 5, gate: gate, tasks: [task])
    if ending == .cancelled { continuation.onTermination = { _ in task.cancel() } }
    var taken = 0
    for await _ in stream {
      taken += 1
      if taken == 3 { break }
    }
    return remains
  }

  private static func unresumedContinuation(_ ending: Ending) async -> Remains {
    let gate = Gate()
    let task = Task {
      if ending != .never { return await gate.wait(heedsCancel: true) }
      await withUnsafeContinuation { forgotten.keep($0, gate) }
    }
    return Remains(line: #line - 4, gate: gate, tasks: [task])
  }

  private static func deafGroup(_ ending: Ending) async -> Remains {
    let gate = Gate()
    let isDeaf = ending == .never
    let task = Task {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await gate.wait(heedsCancel: !isDeaf) }
        if isDeaf { group.cancelAll() }
      }
    }
    return Remains(line: #line - 4, gate: gate, tasks: [task])
  }

  private static func detachedLoop(_ ending: Ending) async -> Remains {
    let gate = Gate()
    let task = Task.detached {
      while !gate.isOpen && !(Task.isCancelled && ending == .cancelled) {
        try? await Task.sleep(for: .milliseconds(1))
      }
    }
    return Remains(line: #line - 5, gate: gate, tasks: [task])
  }

  private static func timerLoop(_ ending: Ending) async -> Remains {
    let gate = Gate()
    let task = Task(name: "ticks") {
      while !gate.isOpen && !Task.isCancelled { try? await Task.sleep(for: .milliseconds(3)) }
    }
    return Remains(line: #line - 3, gate: gate, tasks: [task])
  }

  private static func parkedSender(_ ending: Ending) async -> Remains {
    let channel = Rendezvous(gate: Gate())
    let task = Task {
      await channel.send(1)
    }
    return Remains(line: #line - 3, gate: channel.gate, tasks: [task])
  }

  private static func keptAfterEnd(_ ending: Ending) async -> Remains {
    let table = KeepingTable()
    let task = Task {
      await Task.yield()
    }
    let line = #line - 3
    if ending == .never { table.keep(task) }
    await task.value
    return Remains(line: line, gate: Gate(), release: { table.empty() })
  }

  private static func selfKeeping(_ ending: Ending) async -> Remains {
    let gate = Gate()
    let owner = SelfKeeping(gate: gate)
    let task = owner.start()
    return Remains(line: 0, gate: gate, tasks: [task], release: { [weak owner] in owner?.drop() })
  }

  /// Cancelled when its consumer leaves, it takes 80 ms, deaf to that.
  private static func lateCleanUp(_ ending: Ending) async -> Remains {
    let gate = Gate()
    let task = Task {
      await gate.wait(heedsCancel: true)
      if ending == .never { await cleanUp.wait(milliseconds: 80) }
    }
    let line = #line - 4
    if ending == .never { task.cancel() }
    return Remains(line: line, gate: gate, tasks: [task])
  }

  private static func notStarted(_ ending: Ending) async -> Remains {
    let executor = IdleExecutor()
    let gate = Gate()
    let task = Task(executorPreference: executor) {
      await gate.wait(heedsCancel: true)
    }
    let line = #line - 3
    if ending != .never { executor.open() }
    return Remains(line: line, gate: gate, tasks: [task], release: { executor.open() })
  }
}
