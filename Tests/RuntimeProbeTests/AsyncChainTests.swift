import Synchronization
import Testing

@testable import RuntimeProbe

/// Waits at a place with a name, until it is told to go on.
private final class Waiting: Sendable {
  private let state = Mutex<UnsafeContinuation<Void, Never>?>(nil)

  func waitHere() async {
    await withUnsafeContinuation { continuation in state.withLock { $0 = continuation } }
  }

  var isWaiting: Bool { state.withLock { $0 != nil } }

  func goOn() { state.withLock { $0 }?.resume() }
}

extension RuntimeProbeTests {
  @Suite("Chains of async functions")
  struct Chains {
    init() throws {
      try Probe.start(mode: .classifying)
    }

    private func one(_ tag: UInt64) -> LiveTask? {
      Probe.liveTasks().first { $0.iteration == tag && $0.kind == .unstructured }
    }

    /// A task that has suspended, and whose job the probe has seen return: it is suspended a moment before that.
    private func started(_ waiting: Waiting, tag: UInt64, name: String? = nil) async -> Task<Void, Never> {
      let task = await Task.detached {
        Probe.setIteration(tag)
        let task = Task(name: name) { await outer(waiting) }
        Probe.setIteration(0)
        return task
      }.value
      for _ in 0..<10_000 where !waiting.isWaiting { try? await Task.sleep(for: .microseconds(100)) }
      while one(tag).map({ $0.state == .suspended && $0.lastRan != nil }) != true {
        try? await Task.sleep(for: .microseconds(100))
      }
      return task
    }

    private func outer(_ waiting: Waiting) async { await inner(waiting) }
    private func inner(_ waiting: Waiting) async { await waiting.waitHere() }

    @Test("A suspended task says in which functions it waits, the innermost first")
    func chain() async throws {
      let waiting = Waiting()
      let task = await started(waiting, tag: 4001)
      var found = try #require(one(4001))
      Probe.readChain(of: &found)
      var chains = AsyncChains()
      let text = try #require(chains.chain(of: found)?.description)
      let order = ["Waiting.waitHere", "Chains.inner", "Chains.outer", "Chains.started"].compactMap {
        text.firstRange(of: $0)?.lowerBound
      }
      #expect(order.count == 4, "\(text)")
      #expect(order == order.sorted(), "\(text)")
      #expect(found.lastRan.map { $0 <= Probe.now() } == true)
      waiting.goOn()
      await task.value
      Probe.readChain(of: &found)
      #expect(found.chainAddresses.isEmpty)
    }

    @Test("A task's name is kept, cut to 28 bytes")
    func name() async throws {
      let waiting = Waiting()
      let long = "a name of more than twenty-eight bytes"
      let task = await started(waiting, tag: 4002, name: long)
      #expect(try #require(one(4002)).name == String(long.prefix(28)))
      waiting.goOn()
      await task.value
    }

    @Test("A followed task leaves its end behind, once")
    func followed() async throws {
      let waiting = Waiting()
      let task = await started(waiting, tag: 4003)
      let found = try #require(one(4003))
      _ = Probe.takeEndedTasks()
      #expect(Probe.follow(found))
      let before = Probe.now()
      waiting.goOn()
      await task.value
      var ends: [EndedTask] = []
      for _ in 0..<10_000 where ends.isEmpty {
        ends = Probe.takeEndedTasks().tasks.filter { $0.id == found.id }
        try? await Task.sleep(for: .microseconds(100))
      }
      #expect(ends.count == 1)
      #expect(ends.first.map { $0.endedAt >= before && $0.iteration == 4003 } == true)
      #expect(!Probe.follow(found))
    }

    @Test("What the compiler says of a part of a function is left out of its name")
    func names() {
      for part in ["(2) suspend resume", "(1) await resume"] {
        #expect(AsyncChains.cleaned("\(part) partial function for specialized Feed.next()") == "Feed.next()")
      }
      #expect(AsyncChains.cleaned("Feed.next()") == "Feed.next()")
    }
  }
}
