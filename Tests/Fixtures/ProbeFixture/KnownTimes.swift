import Dispatch
import Glibc
import RuntimeProbe

/// Waits and stays that are known beforehand: callers that come to one actor at once wait 0, h, 2h, …, whatever
/// executor the actor has or the callers prefer.
enum KnownTimes {
  private static let callers = 6
  private static let milliseconds = 20

  private struct Kind: Sendable {
    var name: String
    /// Of the row in which the probe keeps what it saw.
    var actor: String
    var serve: @Sendable () async -> Void
  }

  /// What one burst came to.
  private struct Burst {
    /// All waits, as a share of what they must be.
    var waits: Double
    /// All stays, as a share of the wall time.
    var stays: Double
    var unseen: UInt64
    var row: ActorTimes
  }

  /// A caller that the machine lets come late waits less: one of five bursts must fit, all must be possible.
  static func check() async -> Int32 {
    var wrong = 0
    for kind in kinds() {
      var closest: Burst?
      var isPossible = true
      for _ in 0..<5 {
        guard let burst = await burst(kind) else { continue }
        isPossible = isPossible && burst.stays <= 1.01
        if (burst.waits - 1).magnitude < ((closest?.waits ?? 9) - 1).magnitude { closest = burst }
        if (burst.waits - 1).magnitude <= 0.1, burst.unseen == 0 { break }
      }
      let fits = closest.map { ($0.waits - 1).magnitude <= 0.1 && $0.unseen == 0 } ?? false
      let isRight = fits && isPossible
      let figures = closest.map { "waits \($0.waits) stays \($0.stays) unseen \($0.unseen)" } ?? "never whole"
      print("\(isRight ? "exact" : "WRONG") \(kind.name): \(figures)")
      if !isRight { wrong += 1 }
    }
    return wrong == 0 ? 0 : 1
  }

  private static func burst(_ kind: Kind) async -> Burst? {
    let before = Probe.readActorTimes()
    let start = Probe.rawMonotonic()
    await kind.serve()
    // The last stay ends with its job, a moment after its task.
    for _ in 0..<1_000 {
      if let row = Probe.readActorTimes().since(before).actor(kind.actor),
        row.hold.count >= UInt64(callers) - 1,
        row.hold.count + row.fastHold.count >= row.slow
      {
        // Until all ends were seen: no stay lies outside of this time.
        let wall = Double(Probe.rawMonotonic() - start)
        let held = Double(row.hold.sum) + Double(row.fastHold.sum)
        let each = row.hold.mean ?? 0
        let expected = each * Double(callers * (callers - 1) / 2)
        return Burst(
          waits: Double(row.wait.sum) / expected, stays: held / wall,
          unseen: row.holdsUnseen + row.waitsUnseen,
          row: row)
      }
      try? await Task.sleep(for: .milliseconds(1))
    }
    return nil
  }

  // MARK: Kinds

  private static func kinds() -> [Kind] {
    let executor = QueueTaskExecutor()
    return [
      Kind(name: "callers of the pool, a default actor", actor: "TimedActor") {
        let actor = TimedActor()
        await all { await actor.serve() }
      },
      Kind(name: "callers with a task executor, a default actor", actor: "TimedActor") {
        let actor = TimedActor()
        await all(executor) { await actor.serve() }
      },
      Kind(name: "callers of the pool, an actor with its own executor", actor: "SerialQueueExecutor") {
        let actor = TimedGuest()
        await all { await actor.serve() }
      },
      Kind(name: "callers with a task executor, an actor with its own executor", actor: "SerialQueueExecutor")
      {
        let actor = TimedGuest()
        await all(executor) { await actor.serve() }
      },
      Kind(name: "callers of the pool, the main actor", actor: "MainActor") {
        await all { await serveOnMain() }
      },
    ]
  }

  private static func all(_ executor: QueueTaskExecutor? = nil, _ call: @escaping @Sendable () async -> Void)
    async
  {
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<callers { group.addTask(executorPreference: executor) { await call() } }
    }
  }

  fileprivate static func block() {
    var left = timespec(tv_sec: 0, tv_nsec: milliseconds * 1_000_000)
    var rest = timespec()
    while nanosleep(&left, &rest) != 0 { left = rest }
  }
}

private actor TimedActor {
  private var served = 0

  func serve() {
    KnownTimes.block()
    served += 1
  }
}

@MainActor private var servedOnMain = 0

@MainActor private func serveOnMain() {
  KnownTimes.block()
  servedOnMain += 1
}

/// Runs tasks on a concurrent queue.
private final class QueueTaskExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "known-times.tasks", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// Runs an actor on a serial queue.
private final class SerialQueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "known-times.serial")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

private actor TimedGuest {
  private let executor = SerialQueueExecutor()
  private var served = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func serve() {
    KnownTimes.block()
    served += 1
  }
}
