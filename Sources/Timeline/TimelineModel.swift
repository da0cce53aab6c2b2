package import RuntimeProbe

/// The events of a trace as stays, hops, levels and instants. A value: it is handed events in order of time.
package struct TimelineModel: Sendable {
  package private(set) var stays: [Stay] = []
  package private(set) var actors: [ActorInstance] = []
  /// By the runtime's number.
  package private(set) var tasks: [UInt64: TaskCourse] = [:]
  package private(set) var instants: [TimelineInstant] = []
  /// By actor: tasks that wait for it.
  package private(set) var waiting: [Int: [LevelChange]] = [:]
  package private(set) var alive: [LevelChange] = []
  /// By tag: when an iteration began and, unless it was under way at the end of the trace, ended.
  package private(set) var iterations: [UInt64: (start: Int64, end: Int64?)] = [:]
  /// Where the trace begins and ends.
  package let start: Int64
  package let end: Int64

  private let recording: TraceRecording
  private var threads: [ThreadState]
  private var instances: [ActorKey: Int] = [:]
  private var numbers: [String: Int] = [:]

  /// Which stays have no end yet.
  private var isOpen: [Bool] = []
  /// The number of the event that is being taken.
  private var order = 0

  private enum CallOwner {
    case stay(Int)
    case task(UInt64)
    /// A stay that goes on after a wait, and the one that suspended for it.
    case wait(Int, before: Int, isFirst: Bool)
  }

  private struct Moment {
    var time: Int64
    var order: Int
  }

  private struct ActorKey: Hashable {
    var address: UInt64
    var slot: Int
  }

  /// What runs on a thread as its events have it.
  private struct ThreadState {
    var current: Int?
    /// The current stay's task suspends since then, if the thread's next event does not say otherwise.
    var awaited: Moment?
    /// Whether the current stay began with a job and nothing has been seen of it since.
    var isFresh = false
    /// What the jobs around this one had open.
    var outer: [(stay: Int?, awaited: Moment?)] = []
    /// The task that the thread's last event saw leave.
    var justLeft: UInt64?
    /// What the thread's last event has callers of.
    var calls: CallOwner?
  }

  /// Takes a recording whole.
  package init(_ recording: TraceRecording) {
    self.recording = recording
    start = recording.start
    end = recording.end
    threads = Array(repeating: ThreadState(), count: recording.threads.count)
    for event in recording.events {
      take(event)
      order += 1
    }
    finish()
  }

  private mutating func take(_ event: TraceEvent) {
    let justLeft = threads[event.thread].justLeft
    threads[event.thread].justLeft = nil
    let calls = threads[event.thread].calls
    threads[event.thread].calls = nil
    switch event.kind {
    case .jobBegan: jobBegan(event)
    case .jobEnded: jobEnded(event)
    case .left: left(event)
    case .arrived: arrived(event, isFast: justLeft == event.task)
    case .found: found(event)
    case .awaited: awaited(event)
    case .callers: callers(event, of: calls)
    case .taskMade: taskMade(event)
    case .taskEnded:
      tasks[event.task, default: TaskCourse()].ended = event.time
      alive.append(LevelChange(time: event.time, change: -1))
    case .tagged: tagged(event)
    case .cancelled:
      instants.append(TimelineInstant(name: "cancel", time: event.time, task: event.task, order: order))
    case .actorMade: actorMade(event)
    case .marked:
      guard recording.marks.indices.contains(event.slot) else { return }
      instants.append(
        TimelineInstant(
          name: recording.marks[event.slot], time: event.time, task: event.task, value: event.address,
          order: order))
    }
  }

  // MARK: Jobs

  private mutating func jobBegan(_ event: TraceEvent) {
    let thread = event.thread
    threads[thread].outer.append((threads[thread].current, threads[thread].awaited))
    threads[thread].current = nil
    threads[thread].awaited = nil
    if event.task != 0 {
      let before = tasks[event.task]?.stays.last
      open(event, actor: actor(of: event))
      threads[thread].isFresh = true
      if let before, let current = threads[thread].current {
        threads[thread].calls = .wait(current, before: before, isFirst: true)
      }
    }
  }

  private mutating func jobEnded(_ event: TraceEvent) {
    close(event.thread, at: event.time)
    resumeOuter(event.thread)
  }

  /// What the job around the one that ended had open, if that has not been ended meanwhile.
  private mutating func resumeOuter(_ thread: Int) {
    let outer = threads[thread].outer.popLast()
    threads[thread].current = outer?.stay.flatMap { isOpen[$0] ? $0 : nil }
    threads[thread].awaited = outer?.awaited
  }

  // MARK: Hops

  private mutating func left(_ event: TraceEvent) {
    guard let origin = threads[event.thread].current, stays[origin].task == event.task else { return }
    threads[event.thread].awaited = nil
    close(event.thread, at: event.time)
    let onto = actor(of: event)
    tasks[event.task]?.hop = TaskCourse.Hop(
      origin: origin, left: event.time, onto: onto, thread: event.thread)
    threads[event.thread].justLeft = event.task
  }

  private mutating func arrived(_ event: TraceEvent, isFast: Bool) {
    let actor = actor(of: event)
    if let current = threads[event.thread].current, threads[event.thread].isFresh,
      stays[current].task == event.task
    {
      // The job began a moment ago, for this: what lies between is the runtime's.
      stays[current].start = event.time
      stays[current].startOrder = order
      stays[current].actor = actor
      stays[current].code = event.code
      stays[current].resumes = []
      threads[event.thread].isFresh = false
    } else {
      close(event.thread, at: event.time, isTask: event.task)
      open(event, actor: actor)
    }
    guard let current = threads[event.thread].current, let hop = tasks[event.task]?.hop else { return }
    tasks[event.task]?.hop = nil
    stays[current].origin = hop.origin
    stays[current].wait = max(0, event.time - hop.left)
    if let actor, !(isFast && hop.thread == event.thread) {
      waiting[actor, default: []].append(LevelChange(time: hop.left, change: 1))
      waiting[actor, default: []].append(LevelChange(time: max(hop.left, event.time), change: -1))
    }
  }

  private mutating func found(_ event: TraceEvent) {
    let thread = event.thread
    let actor = actor(of: event)
    if let current = threads[thread].current, stays[current].task == event.task,
      stays[current].actor == actor || threads[thread].isFresh
    {
      stays[current].awaits = []
      // It went on without a pause; of a fresh job the executor was not known.
      threads[thread].awaited = nil
      threads[thread].isFresh = false
      stays[current].actor = actor
      if event.code != 0, stays[current].code == 0 { stays[current].code = event.code }
      return
    }
    close(thread, at: event.time, isTask: event.task)
    open(event, actor: actor)
  }

  private mutating func awaited(_ event: TraceEvent) {
    threads[event.thread].awaited = Moment(time: event.time, order: order)
    guard let current = threads[event.thread].current, stays[current].task == event.task else { return }
    stays[current].awaits = event.code == 0 ? [] : [event.code]
    threads[event.thread].calls = .stay(current)
  }

  private mutating func callers(_ event: TraceEvent, of owner: CallOwner?) {
    let addresses = [event.task, event.address, event.code].filter { $0 != 0 }
    // More of the same chain may follow.
    threads[event.thread].calls = owner
    switch owner {
    case .stay(let stay)?: stays[stay].awaits += addresses
    case .wait(let stay, let before, let isFirst)?:
      stays[before].awaits = (isFirst ? [] : stays[before].awaits) + addresses
      stays[stay].resumes = stays[before].awaits
      threads[event.thread].calls = .wait(stay, before: before, isFirst: false)
    // A return address may be the first of the next function.
    case .task(let task)?: tasks[task]?.creation = addresses.map { $0 - 1 }
    case nil: break
    }
  }

  private mutating func open(_ event: TraceEvent, actor: Int?) {
    // It suspended unseen where it was, and runs here.
    if let last = tasks[event.task]?.stays.last, isOpen[last] {
      let elsewhere = stays[last].thread
      if threads[elsewhere].current == last {
        close(elsewhere, at: event.time, isTask: 0)
      } else {
        end(last, Moment(time: event.time, order: order))
      }
    }
    let resumes = tasks[event.task]?.stays.last.map { stays[$0].awaits } ?? []
    threads[event.thread].current = stays.count
    threads[event.thread].isFresh = false
    tasks[event.task, default: TaskCourse()].stays.append(stays.count)
    stays.append(
      Stay(
        thread: event.thread, task: event.task, actor: actor, code: event.code, start: event.time,
        end: event.time, startOrder: order, endOrder: order))
    stays[stays.count - 1].resumes = resumes
    isOpen.append(true)
  }

  /// Ends what the thread has open. `isTask`: the task that is seen there instead, if one is.
  private mutating func close(_ thread: Int, at time: Int64, isTask next: UInt64? = nil) {
    guard let current = threads[thread].current else { return }
    end(current, threads[thread].awaited ?? Moment(time: time, order: order))
    if let next, next != stays[current].task, threads[thread].awaited == nil {
      stays[current].isEndSeen = false
    }
    threads[thread].current = nil
    threads[thread].awaited = nil
    threads[thread].isFresh = false
  }

  private mutating func end(_ stay: Int, _ moment: Moment) {
    guard isOpen[stay] else { return }
    stays[stay].end = max(stays[stay].start, moment.time)
    stays[stay].endOrder = max(stays[stay].startOrder, moment.order)
    isOpen[stay] = false
  }

  // MARK: Tasks and actors

  private mutating func taskMade(_ event: TraceEvent) {
    let iteration = tasks[event.address]?.iteration ?? 0
    // A task may run before its creator has entered it: what is known of it by then stays.
    var course = tasks[event.task] ?? TaskCourse()
    course.made = min(event.time, course.stays.first.map { stays[$0].start } ?? event.time)
    course.code = event.code
    course.creator = event.address
    if course.iteration == 0 { course.iteration = iteration }
    course.isTimer = event.slot == TraceEvent.timer
    tasks[event.task] = course
    threads[event.thread].calls = .task(event.task)
    if course.isTimer { return }
    alive.append(LevelChange(time: event.time, change: 1))
  }

  /// A task of a load's user takes one tag after the other; what it made keeps the tag that it was made under.
  private mutating func tagged(_ event: TraceEvent) {
    if let before = tasks[event.task]?.iteration, before != 0, event.address == 0, iterations[before] != nil {
      iterations[before]?.end = event.time
    }
    guard event.address != 0 else { return }
    if iterations[event.address] == nil { iterations[event.address] = (event.time, nil) }
    tasks[event.task, default: TaskCourse()].iteration = event.address
  }

  private mutating func actor(of event: TraceEvent) -> Int? {
    guard event.address != 0 else { return nil }
    let key = ActorKey(address: event.address, slot: event.slot)
    return instances[key] ?? newActor(key, made: nil)
  }

  private mutating func actorMade(_ event: TraceEvent) {
    _ = newActor(ActorKey(address: event.address, slot: event.slot), made: event.time)
  }

  /// Another actor at an address takes the place of the one before.
  private mutating func newActor(_ key: ActorKey, made: Int64?) -> Int {
    let type = recording.actorNames[key.slot] ?? "actor"
    numbers[type, default: 0] += 1
    actors.append(ActorInstance(type: type, number: numbers[type] ?? 1, made: made))
    instances[key] = actors.count - 1
    return actors.count - 1
  }

  // MARK: End

  /// What is still open ends with the trace; who still waits has waited until then.
  private mutating func finish() {
    for index in threads.indices {
      close(index, at: end)
      while !threads[index].outer.isEmpty {
        resumeOuter(index)
        close(index, at: end)
      }
    }
    for course in tasks.values {
      guard let hop = course.hop, let actor = hop.onto else { continue }
      waiting[actor, default: []].append(LevelChange(time: hop.left, change: 1))
    }
    for actor in waiting.keys { waiting[actor]?.sort(by: LevelChange.comesBefore) }
    alive.sort(by: LevelChange.comesBefore)
    separateHolds()
  }

  /// An actor is held once at a time: where the end of a hold was seen only after the next one had begun, as on two
  /// threads, it ended there.
  private mutating func separateHolds() {
    var last: [Int: Int] = [:]
    for index in stays.indices.sorted(by: { stays[$0].startOrder < stays[$1].startOrder }) {
      guard let actor = stays[index].actor else { continue }
      if let before = last[actor], stays[before].endOrder > stays[index].startOrder {
        stays[before].end = max(stays[before].start, min(stays[before].end, stays[index].start))
        stays[before].endOrder = stays[index].startOrder
      }
      last[actor] = index
    }
  }
}
