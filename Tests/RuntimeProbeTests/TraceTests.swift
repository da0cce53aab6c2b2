import Foundation
import RuntimeProbe
import Testing

extension RuntimeProbeTests {
  @Suite("Traces")
  final class Traces {
    private let directory = FileManager.default.temporaryDirectory.appending(path: "weir-trace-\(getpid())")

    init() throws {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      try Probe.start(mode: .classifying, file: directory.appending(path: "probe").path)
    }

    /// The probe goes on counting in the file's pages.
    deinit { try? FileManager.default.removeItem(at: directory) }

    /// The trace of some work.
    private func trace(events: Int, _ work: () async -> Void) async throws -> TraceRecording {
      let file = directory.appending(path: "trace").path
      try Probe.openTrace(file: file, events: events, isVirtual: false)
      Probe.startTrace(cellStart: 0)
      await work()
      Probe.stopTrace()
      return try TraceFile.read(file, probeFile: directory.appending(path: "probe").path)
    }

    /// Callers that come at once, each with so many calls.
    private func calls(callers: Int, each: Int, actors: [TracedTally]) async {
      await withTaskGroup(of: Void.self) { group in
        for caller in 0..<callers {
          group.addTask {
            for call in 0..<each {
              _ = await actors[(caller + call) % actors.count].add()
              leave()
            }
          }
        }
      }
    }

    private func tallySlot(_ recording: TraceRecording) -> Int? {
      recording.actorNames.first { $0.value == "TracedTally" }?.key
    }

    @Test("Every hop of known work has a departure and an arrival")
    func hops() async throws {
      let actors = [TracedTally(), TracedTally(), TracedTally()]
      let recording = try await trace(events: 100_000) { await calls(callers: 8, each: 100, actors: actors) }
      let slot = try #require(tallySlot(recording))
      let onto = recording.events.filter { $0.slot == slot && $0.address != 0 }
      #expect(onto.count { $0.kind == .left } == 800)
      #expect(onto.count { $0.kind == .arrived } == 800)
      #expect(Set(onto.map(\.address)).count == 3)
      #expect(recording.lost == 0 && !recording.wasCut)
      #expect(recording.events.count { $0.kind == .taskMade } >= 8)
      var last: [Int: Int64] = [:]
      for event in recording.events {
        #expect(event.time >= last[event.thread] ?? .min)
        last[event.thread] = event.time
      }
    }

    @Test("Times are CLOCK_MONOTONIC's")
    func clock() async throws {
      var moments: [(before: Int64, after: Int64)] = []
      let recording = try await trace(events: 10_000) {
        let mark = Probe.traceMark(named: "now")
        for _ in 0..<5 {
          try? await Task.sleep(for: .milliseconds(20))
          let before = Probe.rawMonotonic()
          if let mark { Probe.traceInstant(mark, value: 0) }
          moments.append((before, Probe.rawMonotonic()))
        }
      }
      let marked = recording.events.filter { $0.kind == .marked }
      #expect(marked.count == 5)
      for (mark, moment) in zip(marked, moments) {
        // The cycle counter is as good as its rate: a thousandth of the time since the start of the trace.
        let tolerance = (moment.after - recording.start) / 1_000 + 1_000
        #expect(moment.before - tolerance...moment.after + tolerance ~= mark.time)
      }
    }

    @Test("A full buffer loses events, counts them, and keeps what is whole")
    func full() async throws {
      let actors = [TracedTally()]
      let recording = try await trace(events: 512) { await calls(callers: 1, each: 1_000, actors: actors) }
      // A departure and an arrival for each way there and back.
      #expect(recording.lost > 2_000)
      #expect(recording.events.count <= 512)
      #expect(recording.events.allSatisfy { $0.time <= recording.end })
      let whole = try await trace(events: 100_000) { await calls(callers: 1, each: 1_000, actors: actors) }
      #expect(whole.lost == 0 && whole.events.count >= 4_000)
    }

    @Test("Actors are seen to be made, tasks to be tagged, marks to be made")
    func others() async throws {
      let recording = try await trace(events: 10_000) {
        let mark = Probe.traceMark(named: "flush")
        #expect(mark != nil && mark == Probe.traceMark(named: "flush"))
        await Task {
          Probe.setIteration(41)
          _ = await TracedTally().add()
          if let mark { Probe.traceInstant(mark, value: 12) }
          Probe.setIteration(0)
        }.value
      }
      #expect(recording.marks == ["flush"])
      let slot = try #require(tallySlot(recording))
      #expect(recording.events.count { $0.kind == .actorMade && $0.slot == slot } == 1)
      #expect(recording.events.filter { $0.kind == .tagged }.map(\.address) == [41, 0])
      #expect(recording.events.filter { $0.kind == .marked }.map(\.address) == [12])
    }

    @Test("Nothing is entered while no trace is on")
    func off() async throws {
      let actors = [TracedTally()]
      let recording = try await trace(events: 10_000) {}
      await calls(callers: 2, each: 100, actors: actors)
      let again = try TraceFile.read(
        directory.appending(path: "trace").path, probeFile: directory.appending(path: "probe").path)
      #expect(again.events.count == recording.events.count)
    }

    @Test("Functions have their names")
    func names() async throws {
      let actors = [TracedTally()]
      let recording = try await trace(events: 10_000) { await calls(callers: 1, each: 10, actors: actors) }
      let slot = try #require(tallySlot(recording))
      let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
      var here = CodeNames()
      var elsewhere = CodeNames(maps: maps)
      let arrivals = recording.events.filter { $0.kind == .arrived && $0.slot == slot }
      #expect(arrivals.count == 10)
      for arrival in arrivals {
        let name = here.name(of: arrival.code)?.text
        #expect(
          name?.contains("TracedTally.add()") == true || name?.contains("calls(callers:each:actors:)") == true
        )
        #expect(elsewhere.name(of: arrival.code)?.text == name)
      }
    }

    private func waitForTask() async -> Int {
      let task = Task {
        try? await Task.sleep(for: .milliseconds(300))
        return 1
      }
      return await task.value
    }

    private func waitForGroup() async {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { try? await Task.sleep(for: .milliseconds(300)) }
        await group.waitForAll()
      }
    }

    @Test("Who waited for a task or a group says where when it goes on")
    func waits() async throws {
      let recording = try await trace(events: 10_000) {
        _ = await waitForTask()
        await waitForGroup()
      }
      var names = CodeNames()
      var isWait: [Int: Bool] = [:]
      var waits: [String] = []
      for event in recording.events {
        if event.kind == .callers, isWait[event.thread] == true {
          waits += [event.task, event.address, event.code].compactMap { names.name(of: $0)?.text }
        } else {
          isWait[event.thread] = event.kind == .jobBegan
        }
      }
      #expect(waits.contains { $0.contains("waitForTask()") }, "\(waits)")
      #expect(waits.contains { $0.contains("waitForGroup()") }, "\(waits)")
    }

    @Test("A file that is none, cut off, or of another version is refused")
    func otherFiles() async throws {
      _ = try await trace(events: 1_000) {}
      let path = directory.appending(path: "trace").path
      let whole = try Data(contentsOf: URL(fileURLWithPath: path))
      let probe = directory.appending(path: "probe").path
      func refusal(_ bytes: Data) throws -> ProbeFileError? {
        try bytes.write(to: URL(fileURLWithPath: path + ".other"))
        do throws(ProbeFileError) {
          _ = try TraceFile.read(path + ".other", probeFile: probe)
          return nil
        } catch { return error }
      }
      #expect(try refusal(whole) == nil)
      #expect(try refusal(Data()) == .notAProbeFile(path: path + ".other"))
      #expect(try refusal(Data("something else entirely".utf8)) == .notAProbeFile(path: path + ".other"))
      #expect(try refusal(whole.dropLast(1)) != nil)
      #expect(try refusal(whole.prefix(100)) != nil)
      var other = whole
      other[8] = 9
      #expect(try refusal(other) == .otherVersion(path: path + ".other", found: 9))
      other = whole
      // Sizes that do not fit together.
      for byte in 24..<32 { other[byte] = 0xFF }
      #expect(try refusal(other) != nil)
    }
  }
}

/// Hops onto it are traced; nobody else uses it.
actor TracedTally {
  private var value = 0

  func add() -> Int {
    value += 1
    return value
  }
}

/// Work that belongs on no actor.
@inline(never) private func leave() { withExtendedLifetime(0) {} }
