extension PerfettoTrace {
  /// Lanes of tasks of no iteration at most; a task that begins while none is free has none.
  static let laneLimit = 32

  /// The tasks' tracks: how many are alive, and for some iterations a track with all of their tasks, one lane each or
  /// one after the other.
  mutating func addTasks(_ process: UInt64) {
    let group = declare(
      TrackDeclaration(id: 0, parent: process, name: "Swift Tasks", rank: 2, ordersChildren: true))
    let counter = declare(
      TrackDeclaration(
        id: 0, parent: group, name: "tasks alive", about: "Made since the trace began and not yet gone.",
        kind: .counter(unit: "tasks")))
    levels(counter, model.alive)
    let numbers = model.tasks.filter { !$0.value.stays.isEmpty && !$0.value.isTimer }.keys.sorted()
    let byIteration = Dictionary(grouping: numbers) { model.tasks[$0]?.iteration ?? 0 }
    let iterations = IterationSpans(model)
    for (rank, tag) in iterations.shown.enumerated() {
      guard let span = iterations.spans.first(where: { $0.tag == tag }) else { continue }
      let track = declare(
        TrackDeclaration(
          id: 0, parent: group, name: "iteration \(tag - 1)", about: about(iterations), rank: rank + 1))
      slice(
        track, "iteration \(tag - 1)\(span.isOpen ? " (unfinished)" : "")", category: "Iteration",
        from: (span.start, -2),
        to: (span.end, .max))
      addLanes(byIteration[tag] ?? [], name: "iteration \(tag - 1)", to: group, rank: rank + 1)
    }
    addLanes(
      byIteration[0] ?? [], name: iterations.spans.isEmpty ? "tasks" : "tasks of no iteration", to: group,
      rank: iterations.shown.count + 1, limit: Self.laneLimit)
  }

  private func about(_ iterations: IterationSpans) -> String {
    "Of \(iterations.spans.count) iterations the first \(IterationSpans.firstShown) and the "
      + "\(IterationSpans.longestShown) longest are shown."
  }

  /// Tracks of one name: they stand as one, with as many rows as are needed.
  private mutating func addLanes(
    _ numbers: [UInt64], name: String, to group: UInt64, rank: Int, limit: Int = .max
  ) {
    let spans = numbers.enumerated().compactMap { index, number in
      model.tasks[number].map { course in
        let (first, last) = ends(course)
        // A moment between two tasks of a lane, so that the one has ended before the other begins.
        return (item: index, start: Int(first), end: Int(last) + 1)
      }
    }
    let lanes = Lanes.pack(spans, limit: limit)
    let shown = lanes.reduce(0) { $0 + $1.count }
    let title = shown == numbers.count ? name : "\(name) (\(shown) of \(numbers.count))"
    for lane in lanes {
      let track = declare(TrackDeclaration(id: 0, parent: group, name: title, rank: rank))
      for item in lane { add(numbers[item], to: track) }
    }
  }

  /// From its creation, or first sight, to the end of its last stay; of one that is still under way, of the trace.
  private func ends(_ course: TaskCourse) -> (Int64, Int64) {
    let first = course.made ?? model.stays[course.stays[0]].start
    guard let last = course.stays.last, course.ended != nil else { return (first, model.end) }
    return (first, model.stays[last].end)
  }

  private mutating func add(_ number: UInt64, to track: UInt64) {
    guard let course = model.tasks[number] else { return }
    let (start, end) = ends(course)
    var notes = self.notes(task: number)
    if course.creator != 0 {
      notes.append(.init(name: "made by task", value: .number(Int64(clamping: course.creator))))
    }
    let firstOrder = course.made == nil ? model.stays[course.stays[0]].startOrder : -1
    slice(
      track, names.function(of: course) ?? "task \(number)", category: "Task", from: (start, firstOrder),
      to: (end, .max),
      notes: notes)
    var last: Int?
    for index in course.stays {
      let stay = model.stays[index]
      if let last {
        gap(
          after: last, to: (stay.start, stay.startOrder), isHop: stay.origin != nil, onto: stay.actor, track)
      } else if start < stay.start {
        slice(
          track, "Creating", category: "Task", from: (start, -1), to: (stay.start, stay.startOrder), depth: 1)
      }
      running(index, track)
      last = index
    }
    guard let last, course.ended == nil else { return }
    gap(after: last, to: (end, .max - 1), isHop: course.hop != nil, onto: course.hop?.onto, track)
  }

  /// What has no length is left out: on the virtual clock that is all computing.
  private mutating func running(_ index: Int, _ track: UInt64) {
    let stay = model.stays[index]
    guard stay.end > stay.start else { return }
    let start = (stay.start, stay.startOrder), end = (stay.end, stay.endOrder)
    slice(track, "Running", category: "Task", from: start, to: end, depth: 1)
    let parts = [names.function(of: index, in: model), stay.actor.map { "on \(model.actors[$0].label)" }]
      .compactMap(\.self)
    if !parts.isEmpty {
      slice(track, parts.joined(separator: " "), category: "Task", from: start, to: end, depth: 2)
    }
  }

  /// Between two stays: on its way to `onto`, or suspended.
  private mutating func gap(
    after index: Int, to end: (Int64, Int), isHop: Bool, onto: Int?, _ track: UInt64
  ) {
    let last = model.stays[index]
    guard end.0 > last.end else { return }
    let start = (last.end, last.endOrder)
    let chain = names.chain(last.awaits).map { [TrackEntry.Note(name: "awaits", value: .text($0))] } ?? []
    slice(
      track, isHop ? "Enqueued" : "Suspended", category: "Task", from: start, to: end, depth: 1,
      notes: isHop ? [] : chain)
    let detail = isHop ? "for \(place(onto))" : names.suspension(of: last).map { "in \($0)" }
    if let detail { slice(track, detail, category: "Task", from: start, to: end, depth: 2) }
  }
}
