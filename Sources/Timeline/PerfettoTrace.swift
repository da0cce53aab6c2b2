package import RuntimeProbe

/// A trace for Perfetto: tracks of threads, actors and tasks, hops as flows between them.
///
/// Names of lanes and states are those of Instruments' Swift Concurrency template where it has one: Swift Tasks with
/// Creating, Running, Enqueued, Suspended; Swift Actors with Actor Executing.
package struct PerfettoTrace {
  let recording: TraceRecording
  let model: TimelineModel
  let names: FunctionNames
  /// What the trace is of, for people: `batched-5 · real`.
  let title: String
  private var entries: [TrackEntry] = []
  private var declarations: [TrackDeclaration] = []
  private var nextTrack: UInt64 = 1

  /// The bytes of the trace. About 2 µs for each event, and some hundred bytes of memory while it is made.
  package static func bytes(
    _ model: TimelineModel, of recording: TraceRecording, names: FunctionNames, title: String
  ) -> [UInt8] {
    var trace = PerfettoTrace(recording: recording, model: model, names: names, title: title)
    trace.add()
    return trace.written()
  }

  private init(recording: TraceRecording, model: TimelineModel, names: FunctionNames, title: String) {
    self.recording = recording
    self.model = model
    self.names = names
    self.title = title
  }

  private mutating func add() {
    let process = declare(
      TrackDeclaration(
        id: 0, name: "weir: \(title)", kind: .process(recording.process, name: "weir: \(title)"),
        ordersChildren: true))
    addAbout(process)
    addActors(process)
    addTasks(process)
    addInstants(process)
    addThreads(process)
  }

  private func written() -> [UInt8] {
    let isReal = !recording.isVirtual
    let moments =
      isReal
      ? [
        (PerfettoWriter.Clock.boottime, model.start + recording.bootOffset),
        (PerfettoWriter.Clock.monotonic, model.start),
        (PerfettoWriter.Clock.realtime, model.start + recording.realOffset),
      ] : []
    var writer = PerfettoWriter(
      clock: isReal ? PerfettoWriter.Clock.monotonic : PerfettoWriter.Clock.boottime, moments: moments)
    for declaration in declarations { writer.declare(declaration) }
    for entry in entries.sorted(by: TrackEntry.comesBefore) { writer.put(entry) }
    return writer.trace.bytes
  }

  mutating func declare(_ declaration: TrackDeclaration) -> UInt64 {
    var declaration = declaration
    declaration.id = nextTrack
    nextTrack += 1
    declarations.append(declaration)
    return declaration.id
  }

  mutating func put(_ entry: TrackEntry) { entries.append(entry) }

  /// Puts a slice.
  mutating func slice(
    _ track: UInt64, _ name: String, category: String, from start: (Int64, Int), to end: (Int64, Int),
    depth: Int = 0,
    notes: [TrackEntry.Note] = [], flowsOut: [UInt64] = [], flowIn: UInt64? = nil
  ) {
    put(
      TrackEntry(
        kind: .begin(depth: depth), time: start.0, order: start.1, track: track, name: name,
        category: category,
        notes: notes, flowsOut: flowsOut, flowIn: flowIn))
    put(TrackEntry(kind: .end(depth: depth), time: end.0, order: end.1, track: track))
  }

  /// Puts a level at each of its changes, one value for each time.
  mutating func levels(_ track: UInt64, _ changes: [LevelChange]) {
    var level = 0
    put(TrackEntry(kind: .level(0), time: model.start, order: -1, track: track))
    for (index, change) in changes.enumerated() {
      level += change.change
      if index + 1 < changes.count, changes[index + 1].time == change.time { continue }
      put(TrackEntry(kind: .level(Int64(level)), time: change.time, order: index, track: track))
    }
  }

  // MARK: What it is

  /// What the trace cannot show, where it is looked at.
  private mutating func addAbout(_ process: UInt64) {
    let track = declare(
      TrackDeclaration(id: 0, parent: process, name: "About this trace", about: TraceNotes.about, rank: 0))
    for note in TraceNotes.notes(recording, model) {
      put(
        TrackEntry(
          kind: .instant, time: note.isAtEnd ? model.end : model.start, order: note.isAtEnd ? .max : -1,
          track: track,
          name: note.text, category: "Weir"))
    }
  }

  private mutating func addInstants(_ process: UInt64) {
    guard !model.instants.isEmpty else { return }
    let group = declare(TrackDeclaration(id: 0, parent: process, name: "Instants", rank: 3))
    var tracks: [String: UInt64] = [:]
    for name in Set(model.instants.map(\.name)).sorted() {
      tracks[name] = declare(TrackDeclaration(id: 0, parent: group, name: name))
    }
    for instant in model.instants {
      guard let track = tracks[instant.name] else { continue }
      var notes = self.notes(task: instant.task)
      if let value = instant.value {
        notes.append(.init(name: "value", value: .number(Int64(clamping: value))))
      }
      put(
        TrackEntry(
          kind: .instant, time: instant.time, order: instant.order, track: track, name: instant.name,
          category: "Instant", notes: notes))
    }
  }

  func notes(task: UInt64) -> [TrackEntry.Note] {
    guard task != 0 else { return [] }
    var notes = [TrackEntry.Note(name: "task", value: .number(Int64(clamping: task)))]
    if let course = model.tasks[task], course.iteration != 0 {
      notes.append(.init(name: "iteration", value: .number(Int64(clamping: course.iteration) - 1)))
    }
    return notes
  }
}
