import RuntimeProbe
import Testing

@testable import Timeline

@Suite("Perfetto traces")
struct PerfettoTraceTests {
  @Test("k callers of m actors: k holds, two hops each, every slice with an end")
  func knownWork() {
    var known = KnownEvents()
    for caller in 0..<12 { known.call(task: UInt64(caller + 1), actor: 0x1000 + UInt64(caller % 3) * 0x100) }
    let trace = known.recording().decoded()
    #expect(trace.faults.isEmpty)
    for number in 1...3 {
      let holds = trace.slices(on: "Counter #\(number)")
      #expect(holds.count == 4)
      #expect(holds.allSatisfy { $0.name == "Counter.hit()" && $0.end - $0.start == 100 })
      #expect(holds.allSatisfy { $0.category == "Actor Executing" })
    }
    #expect(trace.flows == 24)
    // Of each caller the job's start, the hold, and the rest.
    #expect(trace.threadSlices.count == 36)
    #expect(trace.threadSlices.filter { $0.name.hasPrefix("Counter #") }.count == 12)
  }

  @Test("Tasks that queue at an actor raise its level, and it is 0 in the end")
  func queue() throws {
    var known = KnownEvents()
    for task in 1...4 {
      known.add(.jobBegan, thread: task - 1, task: UInt64(task))
      known.add(.left, thread: task - 1, task: UInt64(task), address: 0x1000, slot: 1, code: 0x20)
      known.add(.jobEnded, thread: task - 1)
    }
    known.add(.jobBegan, thread: 0)
    for task in 1...4 {
      known.add(.arrived, thread: 0, task: UInt64(task), address: 0x1000, slot: 1, code: 0x20)
      known.add(.left, after: 50, thread: 0, task: UInt64(task), code: 0x11)
    }
    known.add(.jobEnded, thread: 0)
    let trace = known.recording().decoded()
    #expect(trace.faults.isEmpty)
    let track = try #require(trace.track("Counter #1 waiting"))
    let levels = try #require(trace.levels[track])
    #expect(levels.map(\.value).max() == 4)
    #expect(levels.last?.value == 0)
    #expect(levels.map(\.value).min() == 0)
    #expect(trace.slices(on: "Counter #1").count == 4)
    // Who has left and not arrived elsewhere by the end is waiting still.
    let enqueued = trace.slices.filter { $0.name == "Enqueued" }
    #expect(enqueued.count == 8)
  }

  @Test("A fast hop is no queueing")
  func fastHop() {
    var known = KnownEvents()
    known.call(task: 1, actor: 0x1000)
    let model = known.recording().model
    #expect(model.waiting.isEmpty)
    #expect(model.stays.map(\.wait) == [nil, 10, 10])
  }

  @Test("A continuation ends the stay, and what goes on at once does not")
  func suspension() {
    var known = KnownEvents()
    known.add(.jobBegan, task: 1, address: 0x1000, slot: 1, code: 0x20)
    known.add(.awaited, task: 1)
    known.add(.found, task: 1, address: 0x1000, slot: 1)
    known.add(.awaited, after: 30, task: 1)
    known.add(.jobEnded, after: 500)
    let stays = known.recording().model.stays
    #expect(stays.count == 1)
    #expect(stays.first.map { $0.end - $0.start } == 50)
    #expect(stays.first?.isEndSeen == true)
  }

  @Test("A task that was never seen to leave ends where another one is found")
  func unseenEnd() {
    var known = KnownEvents()
    known.add(.jobBegan)
    known.add(.arrived, task: 1, address: 0x1000, slot: 1, code: 0x20)
    known.add(.found, after: 40, task: 2, address: 0x1000, slot: 1, code: 0x20)
    known.add(.jobEnded)
    let recording = known.recording()
    #expect(recording.model.stays.map(\.isEndSeen) == [false, true])
    let trace = recording.decoded()
    #expect(trace.faults.isEmpty)
    #expect(
      trace.instants.contains { $0.name.hasPrefix("1 of 2 slices end where another task was next seen") })
  }

  @Test("One actor is held once at a time, however late an end is seen")
  func overlap() {
    var known = KnownEvents()
    known.add(.arrived, thread: 0, task: 1, address: 0x1000, slot: 1, code: 0x20)
    known.add(.arrived, thread: 1, task: 2, address: 0x1000, slot: 1, code: 0x20)
    known.add(.jobEnded, thread: 0)
    known.add(.jobEnded, thread: 1)
    let trace = known.recording().decoded()
    #expect(trace.faults.isEmpty)
    let holds = trace.slices(on: "Counter #1")
    #expect(holds.map(\.depth) == [1, 1])
    #expect(holds.first?.end == holds.last?.start)
  }

  @Test("Another actor at the same address is another track")
  func reusedAddress() {
    var known = KnownEvents()
    for task in 1...3 {
      known.add(.actorMade, task: UInt64(task), address: 0x1000, slot: 1)
      known.call(task: UInt64(task), actor: 0x1000)
    }
    let trace = known.recording().decoded()
    #expect((1...3).map { trace.slices(on: "Counter #\($0)").count } == [1, 1, 1])
    #expect(trace.instants.count { $0.name == "Creating" } == 3)
  }

  @Test("The least busy actors share a track of their type")
  func cap() {
    var known = KnownEvents()
    for actor in 0..<130 {
      known.call(task: UInt64(actor + 1), actor: 0x1000 + UInt64(actor) * 0x100, held: Int64(1_000 - actor))
    }
    let trace = known.recording().decoded()
    #expect(trace.faults.isEmpty)
    #expect(trace.slices(on: "Counter · 30 more").count == 30)
    #expect(trace.track("Counter #101") == nil)
    #expect(trace.slices.count { $0.category == "Actor Executing" } == 130)
  }

  @Test("At one virtual moment everything stays in its order")
  func virtualTime() {
    var known = KnownEvents()
    for task in 1...5 {
      known.time = 1_000
      known.add(.taskMade, after: 0, task: UInt64(task), code: 0x10)
      known.add(.jobBegan, after: 0, task: UInt64(task))
      known.add(.left, after: 0, task: UInt64(task), address: 0x1000, slot: 1, code: 0x20)
      known.add(.arrived, after: 0, task: UInt64(task), address: 0x1000, slot: 1, code: 0x20)
      known.add(.left, after: 0, task: UInt64(task), code: 0x11)
      known.add(.arrived, after: 0, task: UInt64(task), code: 0x11)
      known.add(.jobEnded, after: 0)
      known.add(.taskEnded, after: 0, task: UInt64(task))
    }
    let trace = known.recording(isVirtual: true).decoded()
    #expect(trace.faults.isEmpty)
    #expect(trace.slices(on: "Counter #1").count == 5)
    #expect(trace.flows == 10)
    #expect(trace.instants.contains { $0.name.hasPrefix("virtual time") })
  }

  @Test("Nested jobs are nested slices")
  func nestedJobs() {
    var known = KnownEvents()
    known.add(.jobBegan, task: 1, code: 0x11)
    known.add(.jobBegan, task: 2, code: 0x10)
    known.add(.jobEnded)
    known.add(.jobEnded)
    let trace = known.recording().decoded()
    #expect(trace.faults.isEmpty)
    #expect(trace.threadSlices.map(\.depth) == [1, 2])
    #expect(trace.threadSlices.map(\.name) == ["run()", "closure #1 in run()"])
  }

  @Test("Losses and a cut end are said")
  func losses() {
    var known = KnownEvents()
    known.call(task: 1, actor: 0x1000)
    known.add(.jobBegan, task: 2)
    let trace = known.recording(lost: 17, wasCut: true).decoded()
    #expect(trace.faults.isEmpty)
    #expect(trace.instants.contains { $0.name == "buffer full: 17 later events are missing" })
    #expect(trace.instants.contains { $0.name.hasPrefix("the process ended without") })
    let whole = known.recording().decoded()
    #expect(!whole.instants.contains { $0.name.contains("missing") || $0.name.contains("ended without") })
  }

  @Test("Cancels and marks are instants, with the iteration of their task")
  func instants() {
    var known = KnownEvents()
    known.add(.tagged, task: 7, address: 5)
    known.add(.marked, task: 7, address: 3, slot: 0)
    known.add(.cancelled, task: 7)
    known.add(.marked, task: 7, address: 3, slot: 9)
    let trace = known.recording().decoded()
    #expect(trace.instants.filter { trace.tracks[$0.track]?.name == "flush" }.count == 1)
    #expect(trace.instants.filter { trace.tracks[$0.track]?.name == "cancel" }.count == 1)
    #expect(known.recording().model.instants.map(\.value) == [3, nil])
  }

  @Test("Iterations go on to the tasks that a task makes")
  func iterations() {
    var known = KnownEvents()
    known.add(.tagged, task: 7, address: 5)
    known.add(.taskMade, task: 8, address: 7)
    known.add(.taskMade, task: 9, address: 8)
    #expect(known.recording().model.tasks[9]?.iteration == 5)
  }

  @Test("What suspends and goes on is the program's function, not the library's")
  func callers() throws {
    var known = KnownEvents()
    known.add(.taskMade, task: 1, code: 0x99)
    known.add(.callers, after: 0, task: 0x31, address: 0x51)
    known.add(.tagged, task: 1, address: 3)
    known.add(.jobBegan, task: 1)
    known.add(.awaited, task: 1, code: 0x30)
    known.add(.callers, after: 0, task: 0x40, address: 0x20, code: 0x11)
    known.add(.jobEnded)
    known.add(.jobBegan, after: 1_000, task: 1, code: 0x30)
    known.add(.jobEnded)
    known.add(.tagged, task: 1, address: 0)
    known.add(.taskEnded, task: 1)
    let recording = known.recording()
    let trace = recording.decoded()
    #expect(trace.faults.isEmpty)
    #expect(trace.threadSlices.map(\.name) == ["task of run()", "Counter.hit()"])
    let lanes = trace.slices.filter { trace.tracks[$0.track]?.name == "iteration 2" }
    #expect(lanes.contains { $0.name == "Suspended" } && lanes.contains { $0.name == "in Counter.hit()" })
    #expect(lanes.contains { $0.name == "iteration 2" && $0.end - $0.start == 1_050 })
  }

  @Test("A wait for a task or a group is in the function that waited, told when it goes on")
  func waits() throws {
    var known = KnownEvents()
    known.add(.taskMade, task: 1, code: 0x10)
    known.add(.jobBegan, task: 1)
    known.add(.jobEnded)
    known.add(.jobBegan, after: 1_000, task: 1, code: 0x30)
    known.add(.callers, after: 0, task: 0x30, address: 0x31, code: 0x32)
    known.add(.callers, after: 0, task: 0x40, address: 0x20, code: 0x11)
    known.add(.jobEnded)
    known.add(.taskEnded, task: 1)
    let stays = known.recording().model.stays
    #expect(stays.map(\.awaits) == [[0x30, 0x31, 0x32, 0x40, 0x20, 0x11], []])
    let trace = known.recording().decoded()
    #expect(trace.faults.isEmpty)
    let waited = trace.slices.filter { $0.name == "in Counter.hit()" }
    #expect(waited.map { $0.end - $0.start } == [1_000])
    #expect(trace.threadSlices.map(\.name) == ["closure #1 in run()", "Counter.hit()"])
  }

  @Test("All callers of what awaits count, however many events they take")
  func manyCallers() {
    var known = KnownEvents()
    known.add(.jobBegan, task: 1, code: 0x10)
    known.add(.awaited, task: 1, code: 0x30)
    known.add(.callers, after: 0, task: 0x31, address: 0x32, code: 0x33)
    known.add(.callers, after: 0, task: 0x40, address: 0x20)
    known.add(.jobEnded)
    #expect(known.recording().model.stays.map(\.awaits) == [[0x30, 0x31, 0x32, 0x33, 0x40, 0x20]])
  }

  @Test("What is told when a task goes on takes the place of what was told when it suspended")
  func toldLater() {
    var known = KnownEvents()
    known.add(.jobBegan, task: 1, code: 0x10)
    known.add(.awaited, task: 1, code: 0x30)
    known.add(.callers, after: 0, task: 0x31)
    known.add(.jobEnded)
    known.add(.jobBegan, after: 1_000, task: 1, code: 0x30)
    known.add(.callers, after: 0, task: 0x40, address: 0x20, code: 0x11)
    known.add(.callers, after: 0, task: 0x21)
    known.add(.jobEnded)
    let stays = known.recording().model.stays
    #expect(stays.map(\.awaits) == [[0x40, 0x20, 0x11, 0x21], []])
    #expect(stays.map(\.resumes) == [[], [0x40, 0x20, 0x11, 0x21]])
  }

  @Test("The first iterations and the longest have tracks of their own")
  func iterationTracks() {
    var known = KnownEvents()
    for index in 1...100 {
      known.add(.tagged, task: UInt64(index), address: UInt64(index))
      known.call(task: UInt64(index), actor: 0x1000, held: index == 77 ? 9_000 : 100 + Int64(index))
      known.add(.tagged, task: UInt64(index), address: 0)
    }
    let model = known.recording().model
    let shown = IterationSpans(model).shown
    #expect(shown == Array(1...20) + [77] + Array(82...100))
    #expect(known.recording().decoded().faults.isEmpty)
  }

  @Test(
    "Hostile names stay one line of sensible length",
    arguments: [
      "a\nb\u{0}c", "\u{202E}right to left", String(repeating: "x", count: 100_000), "\"quotes\" <b>&amp;",
      "", "🦆\u{7F}",
    ])
  func hostileNames(name: String) {
    var known = KnownEvents()
    known.call(task: 1, actor: 0x1000)
    var recording = known.recording()
    recording.actorNames = [1: name]
    recording.marks = [name]
    let trace = recording.decoded { _ in FunctionName(name) }
    #expect(trace.faults.isEmpty)
    let texts = trace.tracks.values.map(\.name) + trace.slices.map(\.name)
    #expect(
      texts.allSatisfy { text in
        text.unicodeScalars.count <= 201
          && !text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F || $0.value == 0x202E }
      })
    #expect(trace.slices.count == 4 + trace.slices.count { $0.category == "Task" })
  }

  @Test("Nothing at all is a trace too")
  func empty() {
    let trace = KnownEvents().recording().decoded()
    #expect(trace.faults.isEmpty && trace.slices.isEmpty)
  }
}
