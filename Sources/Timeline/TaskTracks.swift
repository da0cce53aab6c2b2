extension PerfettoTrace {
  /// Lanes of tasks at most; a task that begins while none is free has none.
  static let laneLimit = 64

  /// The tasks' tracks: how many are alive, and lanes in which one task follows another.
  mutating func addTasks(_ process: UInt64) {
    let group = declare(TrackDeclaration(id: 0, parent: process, name: "Swift Tasks", rank: 2, ordersChildren: true))
    let counter = declare(
      TrackDeclaration(
        id: 0, parent: group, name: "tasks alive", about: "Made since the trace began and not yet gone.",
        kind: .counter(unit: "tasks")))
    levels(counter, model.alive)
    let courses = model.tasks.filter { !$0.value.stays.isEmpty }.sorted { $0.key < $1.key }
    let spans = courses.indices.map { index in
      let (first, last) = ends(courses[index].value)
      // A moment between two tasks of a lane, so that the one has ended before the other begins.
      return (item: index, start: Int(first), end: Int(last) + 1)
    }
    let lanes = Lanes.pack(spans, limit: Self.laneLimit)
    let shown = lanes.reduce(0) { $0 + $1.count }
    let name = shown == courses.count ? "tasks" : "tasks (\(shown) of \(courses.count))"
    for lane in lanes {
      let track = declare(TrackDeclaration(id: 0, parent: group, name: name, rank: 1))
      for item in lane { add(courses[item].value, number: courses[item].key, to: track) }
    }
  }

  /// From its creation, or first sight, to the end of its last stay; of one that is still under way, of the trace.
  private func ends(_ course: TaskCourse) -> (Int64, Int64) {
    let first = course.made ?? model.stays[course.stays[0]].start
    guard let last = course.stays.last, course.ended != nil else { return (first, model.end) }
    return (first, model.stays[last].end)
  }

  private mutating func add(_ course: TaskCourse, number: UInt64, to track: UInt64) {
    let (start, end) = ends(course)
    let function = names.function(of: course)
    let iteration = course.iteration == 0 ? "" : " · iteration \(course.iteration - 1)"
    var notes = self.notes(task: number)
    if course.creator != 0 { notes.append(.init(name: "made by task", value: .number(Int64(clamping: course.creator)))) }
    let firstOrder = model.stays[course.stays[0]].startOrder
    slice(
      track, (function ?? "task \(number)") + iteration, category: "Task", from: (start, course.made == nil ? firstOrder : -1),
      to: (end, .max), notes: notes)
    var last: Stay?
    for index in course.stays {
      let stay = model.stays[index]
      if let last {
        gap(from: last, to: stay.start, order: stay.startOrder, hop: stay.origin != nil ? stay.actor : nil,
          isHop: stay.origin != nil, track)
      } else if start < stay.start {
        slice(track, "Creating", category: "Task", from: (start, -1), to: (stay.start, stay.startOrder), depth: 1)
      }
      running(stay, track)
      last = stay
    }
    guard let last, course.ended == nil, last.end < end else { return }
    gap(from: last, to: end, order: .max - 1, hop: course.hop?.onto, isHop: course.hop != nil, track)
  }

  /// What has no length is left out: on the virtual clock that is all computing.
  private mutating func running(_ stay: Stay, _ track: UInt64) {
    guard stay.end > stay.start else { return }
    let start = (stay.start, stay.startOrder), end = (stay.end, stay.endOrder)
    slice(track, "Running", category: "Task", from: start, to: end, depth: 1)
    let function = names.function(of: stay, in: model)
    let place = stay.actor.map { " on \(model.actors[$0].label)" } ?? ""
    guard function != nil || !place.isEmpty else { return }
    slice(track, (function ?? "") + place, category: "Task", from: start, to: end, depth: 2)
  }

  private mutating func gap(
    from last: Stay, to time: Int64, order: Int, hop onto: Int?, isHop: Bool, _ track: UInt64
  ) {
    guard time > last.end else { return }
    let start = (last.end, last.endOrder), end = (time, order)
    slice(track, isHop ? "Enqueued" : "Suspended", category: "Task", from: start, to: end, depth: 1)
    let detail = isHop ? "for \(place(onto))" : names.function(of: last, in: model).map { "in \($0)" }
    if let detail { slice(track, detail, category: "Task", from: start, to: end, depth: 2) }
  }
}
