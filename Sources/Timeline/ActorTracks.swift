internal import RuntimeProbe

extension PerfettoTrace {
  /// Hops that begin at each stay. The number of a hop is that of the stay that it leads to, from 1.
  private var flowsOut: [Int: [UInt64]] {
    var flows: [Int: [UInt64]] = [:]
    for (index, stay) in model.stays.enumerated() {
      if let origin = stay.origin { flows[origin, default: []].append(UInt64(index + 1)) }
    }
    return flows
  }

  /// The actors' tracks, each with the tasks that wait for it beneath.
  mutating func addActors(_ process: UInt64) {
    let selection = TrackSelection(model)
    guard !selection.own.isEmpty else { return }
    let flows = flowsOut
    let group = declare(
      TrackDeclaration(id: 0, parent: process, name: "Swift Actors", rank: 1, ordersChildren: true))
    var tracks: [Int: UInt64] = [:]
    for (rank, actor) in selection.own.enumerated() {
      let label = model.actors[actor].label
      let track = declare(TrackDeclaration(id: 0, parent: group, name: label, rank: 2 * rank))
      tracks[actor] = track
      if let made = model.actors[actor].made {
        put(
          TrackEntry(kind: .instant, time: made, order: -1, track: track, name: "Creating", category: "Actor")
        )
      }
      guard let changes = model.waiting[actor] else { continue }
      let counter = declare(
        TrackDeclaration(
          id: 0, parent: group, name: "\(label) waiting", kind: .counter(unit: "tasks"), rank: 2 * rank + 1))
      levels(counter, changes)
    }
    for (index, stay) in model.stays.enumerated() {
      guard let actor = stay.actor, let track = tracks[actor] else { continue }
      hold(index, on: track, flows)
    }
    for (rank, part) in selection.shared.enumerated() {
      for lane in part.lanes {
        let track = declare(
          TrackDeclaration(
            id: 0, parent: group, name: "\(part.type) · \(part.actors) more",
            about: "The less busy actors of this type share this track.", rank: 2 * selection.own.count + rank
          ))
        for index in lane { hold(index, on: track, flows) }
      }
    }
  }

  private mutating func hold(_ index: Int, on track: UInt64, _ flows: [Int: [UInt64]]) {
    let stay = model.stays[index]
    var notes = self.notes(task: stay.task)
    notes.append(.init(name: "thread", value: .number(recording.threads[stay.thread].number)))
    if let origin = stay.origin {
      notes.append(.init(name: "came from", value: .text(place(model.stays[origin].actor))))
    }
    if let wait = stay.wait { notes.append(.init(name: "waited (ns)", value: .number(wait))) }
    if !stay.isEndSeen { notes.append(.init(name: "end", value: .text("may have been earlier"))) }
    slice(
      track, names.function(of: index, in: model) ?? "Actor Executing", category: "Actor Executing",
      from: (stay.start, stay.startOrder), to: (stay.end, stay.endOrder), notes: notes,
      flowsOut: flows[index] ?? [],
      flowIn: stay.origin == nil ? nil : UInt64(index + 1))
  }

  /// An actor as people read it.
  func place(_ actor: Int?) -> String { actor.map { model.actors[$0].label } ?? "no actor" }

  /// The threads' tracks: which actor each served, else what function.
  mutating func addThreads(_ process: UInt64) {
    let flows = flowsOut
    var tracks: [UInt64] = []
    for (index, thread) in recording.threads.enumerated() {
      let name = thread.number == Int64(recording.process) ? "main thread" : "thread"
      tracks.append(
        declare(
          TrackDeclaration(
            id: 0, parent: process,
            kind: .thread(process: recording.process, number: thread.number, name: name),
            rank: 4 + index)))
    }
    for (index, stay) in model.stays.enumerated() {
      let function = names.function(of: index, in: model)
      var notes = self.notes(task: stay.task)
      let isActor = stay.actor != nil
      if isActor, let function { notes.append(.init(name: "function", value: .text(function))) }
      slice(
        tracks[stay.thread], isActor ? place(stay.actor) : function ?? "Running", category: "Running",
        from: (stay.start, stay.startOrder), to: (stay.end, stay.endOrder), notes: notes,
        flowsOut: isActor ? [] : flows[index] ?? [],
        flowIn: isActor || stay.origin == nil ? nil : UInt64(index + 1))
    }
  }
}
