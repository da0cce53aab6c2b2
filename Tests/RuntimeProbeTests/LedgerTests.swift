import RuntimeProbe
import Testing

/// A stream whose producing task is cancelled by nobody, and its sound twin.
private struct Producer {
  var isSound: Bool

  func start() -> AsyncStream<Int> {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let task = Task {
      var element = 0
      while !Task.isCancelled {
        continuation.yield(element)
        element += 1
        try? await Task.sleep(for: .microseconds(200))
      }
    }
    keepForTheEnd(task)
    if isSound { continuation.onTermination = { _ in task.cancel() } }
    return stream
  }
}

extension RuntimeProbeTests {
  @Suite("The task ledger")
  struct Ledger {
    init() throws {
      try Probe.start(mode: .counting)
    }

    private func consumeThree(_ producer: Producer) async {
      var taken = 0
      for await _ in producer.start() {
        taken += 1
        if taken == 3 { break }
      }
    }

    private func tasks(of iteration: UInt64) -> [LiveTask] {
      Probe.liveTasks().filter { $0.iteration == iteration && $0.state != .endedButRetained }
    }

    @Test("names an abandoned task with the place where it was made")
    func abandonedTask() async {
      _ = await measure(tag: 2001) { await consumeThree(Producer(isSound: false)) }
      let alive = tasks(of: 2001)
      #expect(alive.count == 1)
      var places = CreationPlaces()
      let place = alive.first.flatMap { places.place(of: $0) }
      #expect(place?.function.hasSuffix("Producer.start()") == true)
      #expect(place?.description.contains("(RuntimeProbeTests/LedgerTests.swift:10)") == true)
      #expect(alive.first?.kind == .unstructured)
      #expect(alive.first?.isCancelled == false)
      cancelKept()
      for _ in 0..<5_000 where !tasks(of: 2001).isEmpty { try? await Task.sleep(for: .microseconds(200)) }
      #expect(tasks(of: 2001).isEmpty)
    }

    @Test("holds nothing of its sound twin")
    func soundTwin() async {
      _ = await measure(tag: 2002) { await consumeThree(Producer(isSound: true)) }
      for _ in 0..<5_000 where !tasks(of: 2002).isEmpty { try? await Task.sleep(for: .microseconds(200)) }
      #expect(tasks(of: 2002).isEmpty)
    }

    @Test("tells a task that is over but referenced from one that runs")
    func retained() async {
      let held = HeldTask()
      _ = await measure(tag: 2003) { await held.keep(Task {}) }
      let found = Probe.liveTasks().filter { $0.iteration == 2003 }
      #expect(found.map(\.state) == [.endedButRetained])
      await held.drop()
      #expect(Probe.liveTasks().contains { $0.iteration == 2003 } == false)
    }

    @Test("gives tasks of tasks the tag of their iteration, also detached ones")
    func inheritance() async {
      let measured = await measure(tag: 2004) {
        await Task.detached {
          await withTaskGroup(of: Void.self) { group in
            group.addTask { await Task {}.value }
          }
        }.value
      }
      #expect(measured.tasks.created == 3)
    }

    @Test("shows an async let that its parent is waiting for, and lets go of it afterwards")
    func asyncLet() async {
      let seen = SeenKinds()
      let measured = await measure(tag: 2005) {
        async let answer = seen.look(at: 2005)
        await answer
      }
      #expect(seen.kinds == [.asyncLet])
      #expect(measured.tasks.ended == 1)
      #expect(Probe.liveTasks().contains { $0.iteration == 2005 } == false)
    }
  }
}
