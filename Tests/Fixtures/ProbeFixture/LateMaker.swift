import Glibc
import RuntimeProbe
import Synchronization

/// A task that runs, and is given its tag, long before the thread that makes it gets on: that thread is held up inside
/// the runtime, just after it has enqueued the task.
enum LateMaker {
  private typealias Enqueue = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> Void
  private typealias Original = @convention(c) (UnsafeRawPointer) -> Void
  /// The thread that is held up when it next enqueues, 0 for none: another may still be within the hook. Whether its
  /// task has its tag; whether the ledger was looked at since.
  private static let heldUp = Atomic<UInt>(0)
  private static let hasTag = Atomic(false)
  private static let wasSeen = Atomic(false)
  private static let tag: UInt64 = 77

  /// Prints `exact` or `WRONG`; ends with 3 where the runtime's hook cannot be found.
  static func check() async -> Int32 {
    guard let hook = dlsym(nil, "swift_task_enqueueGlobal_hook") else {
      print("absent: no swift_task_enqueueGlobal_hook")
      return 3
    }
    let enqueue: Enqueue = { job, original in
      unsafeBitCast(original, to: Original.self)(job)
      let this = UInt(pthread_self())
      guard LateMaker.heldUp.compareExchange(expected: this, desired: 0, ordering: .relaxed).exchanged else {
        return
      }
      for _ in 0..<20_000 where !LateMaker.hasTag.load(ordering: .acquiring) { usleep(1_000) }
    }
    hook.storeBytes(of: unsafeBitCast(enqueue, to: UnsafeRawPointer?.self), as: UnsafeRawPointer?.self)
    var faults: [String] = []
    for _ in 0..<3 {
      faults += await round()
    }
    hook.storeBytes(of: nil, as: UnsafeRawPointer?.self)
    print(faults.isEmpty ? "exact" : "WRONG \(faults.joined(separator: "; "))")
    return faults.isEmpty ? 0 : 1
  }

  private static func round() async -> [String] {
    let before = Probe.readCounts()
    let isRight = await Task.detached {
      hasTag.store(false, ordering: .relaxed)
      wasSeen.store(false, ordering: .relaxed)
      heldUp.store(UInt(pthread_self()), ordering: .releasing)
      let task = Task.detached {
        Probe.setIteration(tag)
        hasTag.store(true, ordering: .releasing)
        while !wasSeen.load(ordering: .acquiring) { try? await Task.sleep(for: .milliseconds(2)) }
        return Probe.iteration
      }
      let kinds = Probe.liveTasks().filter { $0.iteration == tag }.map(\.kind)
      wasSeen.store(true, ordering: .releasing)
      return await task.value == tag && kinds == [.detached]
    }.value
    // The last end of a round is no part of the next.
    await Probe.settle(within: 10_000_000_000) {
      let counts = Probe.readCounts().since(before)
      return left.isEmpty && counts.tasksCreated == counts.tasksEnded
    }
    let counts = Probe.readCounts().since(before)
    var faults: [String] = []
    if !isRight { faults.append("the task is not in the ledger as it was made, or has lost its tag") }
    if !left.isEmpty { faults.append("left in the ledger: \(left.map(\.kind))") }
    if counts.tasksCreated != counts.tasksEnded {
      faults.append("\(counts.tasksCreated) made, \(counts.tasksEnded) ended")
    }
    return faults
  }

  private static var left: [LiveTask] { Probe.liveTasks().filter { $0.iteration == tag } }
}
