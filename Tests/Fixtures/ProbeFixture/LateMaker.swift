import Glibc
import RuntimeProbe
import Synchronization

/// A task that runs, and is given its tag, long before the thread that makes it gets on: that thread is held up inside
/// the runtime, just after it has enqueued the task.
enum LateMaker {
  private typealias Enqueue = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> Void
  private typealias Original = @convention(c) (UnsafeRawPointer) -> Void
  private static let isHeldUp = Atomic(false)
  private static let tag: UInt64 = 77

  /// Prints `exact` or `WRONG`; ends with 3 where the runtime's hook cannot be found.
  static func check() async -> Int32 {
    guard let hook = dlsym(nil, "swift_task_enqueueGlobal_hook") else {
      print("absent: no swift_task_enqueueGlobal_hook")
      return 3
    }
    let enqueue: Enqueue = { job, original in
      unsafeBitCast(original, to: Original.self)(job)
      if LateMaker.isHeldUp.exchange(false, ordering: .relaxed) { usleep(300_000) }
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
    let began = Probe.rawMonotonic()
    let (seen, ranAt) = await Task.detached {
      isHeldUp.store(true, ordering: .relaxed)
      let task = Task.detached {
        Probe.setIteration(tag)
        let ranAt = Probe.rawMonotonic()
        try? await Task.sleep(for: .milliseconds(600))
        return (Probe.iteration, ranAt)
      }
      let kinds = Probe.liveTasks().filter { $0.iteration == tag }.map(\.kind)
      let (kept, ranAt) = await task.value
      return (kinds == [.detached] && kept == tag, ranAt)
    }.value
    await Probe.settle(within: 10_000_000_000) { left.isEmpty }
    let counts = Probe.readCounts().since(before)
    var faults: [String] = []
    if ranAt - began > 250_000_000 { faults.append("the task came late, nothing was tried") }
    if !seen { faults.append("the task is not in the ledger as it was made, or has lost its tag") }
    if !left.isEmpty { faults.append("left in the ledger: \(left.map(\.kind))") }
    if counts.tasksCreated != counts.tasksEnded {
      faults.append("\(counts.tasksCreated) made, \(counts.tasksEnded) ended")
    }
    return faults
  }

  private static var left: [LiveTask] { Probe.liveTasks().filter { $0.iteration == tag } }
}
