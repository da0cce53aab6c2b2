import Dispatch

/// Work whose counts are known beforehand, whatever the executors, the optimisation and the linking.
struct KnownWorkload: Sendable, CustomStringConvertible {
  var description: String
  /// Hops by actor name.
  var hops: [String: UInt64] = [:]
  /// Tasks created by the work itself.
  var tasks: UInt64 = 0
  var run: @Sendable () async -> Void
}

private actor Tally {
  private var value = 0

  func add() -> Int {
    value += 1
    return value
  }
}

private actor SlowTally {
  private var value = 0

  /// Long enough for another caller to find the actor busy.
  func add() -> Int {
    for step in 0..<2_000 { value = value &* 31 &+ step }
    return value
  }
}

private actor Namesake {
  func visit() {}
}

private enum Elsewhere {
  actor Namesake {
    func visit() {}
  }
}

/// A custom serial executor: one thread of its own, by way of a serial queue.
private final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "known-workloads")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

private actor Guest {
  private let executor = QueueExecutor()
  private var visits = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func visit() {
    visits += 1
  }
}

@MainActor private var mainCount = 0

@MainActor private func countOnMain() {
  mainCount += 1
}

/// Belongs on no actor: without it the optimiser stays on an actor from one call to the next.
@inline(never) func leaveActor() {
  withExtendedLifetime(workloadFence) {}
}

@inline(never) private func fence() -> Int { 0 }
private let workloadFence = fence()

extension KnownWorkload {
  static let all: [KnownWorkload] = [
    KnownWorkload(description: "10,000 calls of one actor by one task", hops: ["Tally": 10_000], tasks: 1) {
      await Task.detached {
        let tally = Tally()
        for _ in 0..<10_000 {
          _ = await tally.add()
          leaveActor()
        }
      }.value
    },
    KnownWorkload(
      description: "8 tasks making 500 calls of 4 contended actors", hops: ["SlowTally": 4_000], tasks: 8
    ) {
      let tallies = (0..<4).map { _ in SlowTally() }
      await withTaskGroup(of: Void.self) { group in
        for worker in 0..<8 {
          group.addTask {
            for call in 0..<500 {
              _ = await tallies[(worker + call) % 4].add()
              leaveActor()
            }
          }
        }
      }
    },
    KnownWorkload(description: "two actor types of one name", hops: [:], tasks: 1) {
      await Task.detached {
        await Namesake().visit()
        leaveActor()
        await Elsewhere.Namesake().visit()
        leaveActor()
      }.value
    },
    KnownWorkload(description: "10,000 × Task {}", tasks: 10_000) {
      for _ in 0..<10_000 { Task {} }
    },
    KnownWorkload(description: "a group of 1,000", tasks: 1_000) {
      await withTaskGroup(of: Int.self) { group in
        for index in 0..<1_000 { group.addTask { index } }
        for await _ in group {}
      }
    },
    KnownWorkload(description: "nested groups, 10 × 10", tasks: 110) {
      await withDiscardingTaskGroup { outer in
        for _ in 0..<10 {
          outer.addTask {
            await withTaskGroup(of: Void.self) { inner in
              for _ in 0..<10 { inner.addTask {} }
            }
          }
        }
      }
    },
    KnownWorkload(description: "100 × async let, awaited", tasks: 100) {
      for _ in 0..<100 {
        async let value = Task.isCancelled
        _ = await value
      }
    },
    KnownWorkload(description: "100 × async let, left without waiting", tasks: 100) {
      for _ in 0..<100 {
        async let _: Void? = try? await Task.sleep(for: .seconds(60))
      }
    },
    KnownWorkload(description: "50 × Task.immediate and detached", tasks: 100) {
      for _ in 0..<50 {
        Task.immediate {}
        Task.immediateDetached { await Task.yield() }
      }
    },
    KnownWorkload(description: "200 sleeps, a task each", tasks: 200) {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<200 { group.addTask { try? await Task.sleep(for: .microseconds(100)) } }
      }
    },
    KnownWorkload(description: "4 tasks yielding 1,000 times each", tasks: 4) {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask {
            for _ in 0..<1_000 { await Task.yield() }
          }
        }
      }
    },
    KnownWorkload(description: "1,000 stream elements", tasks: 1) {
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      let consumer = Task { await stream.reduce(0, +) }
      for element in 0..<1_000 { continuation.yield(element) }
      continuation.finish()
      _ = await consumer.value
    },
  ]

  /// Not for virtual time, where no other thread may enqueue.
  static let customExecutor = KnownWorkload(
    description: "300 calls of an actor with its own executor", hops: ["QueueExecutor": 300], tasks: 1
  ) {
    await Task.detached {
      let guest = Guest()
      for _ in 0..<300 {
        await guest.visit()
        leaveActor()
      }
    }.value
  }

  /// Apart from the others: in a test run the main actor serves other tests as well.
  static let mainActor = KnownWorkload(
    description: "500 round trips to the main actor", hops: ["MainActor": 500], tasks: 1
  ) {
    await Task.detached {
      for _ in 0..<500 {
        await countOnMain()
        leaveActor()
      }
    }.value
  }
}
