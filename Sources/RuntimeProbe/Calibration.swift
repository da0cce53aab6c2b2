internal import CRuntimeProbe
internal import Glibc

/// Whether the probe's counts came out exactly right on work whose counts are known.
package struct Calibration: Sendable, Hashable {
  /// A family of metrics: exact, or absent for a reason.
  package enum Family: Sendable, Hashable {
    case exact
    case absent(reason: String)

    package var isExact: Bool { self == .exact }
  }

  /// Hops by actor.
  package var hops: Family
  /// Fast and slow switches; absent when only counting.
  package var outcomes: Family
  /// Tasks created and ended.
  package var tasks: Family
  /// Cancellations; absent where the linking does not see them.
  package var cancels: Family

  /// Stands in where no known work can be run: in somebody's program, whose runtime's layout was checked instead.
  package static let byLayout = Calibration(hops: .exact, outcomes: .exact, tasks: .exact, cancels: .exact)
}

/// Hops onto it are counted; nobody else uses it.
private actor CalibrationActor {
  private var value = 0

  func increment() -> Int {
    value += 1
    return value
  }
}

/// Work that belongs on no actor. Without it the optimiser stays on the actor from one call to the next.
@inline(never) private func leaveActor() {
  withExtendedLifetime(Probe.calibrationTag) {}
}

extension Probe {
  /// The tag of calibration's own tasks; iterations use others.
  package static let calibrationTag: UInt64 = 1 << 63

  /// Runs known work on the executors in place and compares. The probe must be started. Under a millisecond.
  package static func calibrate() async -> Calibration {
    if let reason = reasonNotToCalibrate {
      return Calibration(
        hops: .absent(reason: reason), outcomes: .absent(reason: reason), tasks: .absent(reason: reason),
        cancels: .absent(reason: reason))
    }
    let (hops, outcomes) = await calibrateHops()
    let tasks = await calibrateTasks()
    return Calibration(hops: hops, outcomes: outcomes, tasks: tasks, cancels: await calibrateCancels())
  }

  private static var reasonNotToCalibrate: String? {
    if case .failure(let absence) = coverage { return absence.reason }
    return crp_current_mode() == CRP_MODE_OFF ? "the probe is not started" : nil
  }

  private static func calibrateHops() async -> (hops: Calibration.Family, outcomes: Calibration.Family) {
    let calls = 500
    let before = readCounts()
    await Task.detached {
      let actor = CalibrationActor()
      for _ in 0..<calls {
        _ = await actor.increment()
        leaveActor()
      }
    }.value
    let after = readCounts()
    let counts = after.since(before)
    let counted = counts.actors.first { $0.qualifiedName == "RuntimeProbe.CalibrationActor" }
    let hops = counted?.hops ?? 0
    guard hops == calls else {
      let reason = "\(calls) calls of an actor counted as \(hops) hops"
      return (.absent(reason: reason), .absent(reason: reason))
    }
    guard counts.mode == .classifying else {
      return (.exact, .absent(reason: "the probe counts only; outcomes are told apart on the real clock"))
    }
    let resumed = (counted?.fast ?? 0) + (counted?.slow ?? 0)
    return (
      .exact,
      resumed == calls
        ? .exact : .absent(reason: "\(calls) hops counted as \(resumed) fast and slow switches")
    )
  }

  /// Three tasks each of `Task {}`, a group, and `async let`, and the one they run in.
  private static func calibrateTasks() async -> Calibration.Family {
    watchIteration(calibrationTag)
    let previous = iteration
    guard setIteration(calibrationTag) else { return .absent(reason: "the probe is not started") }
    await knownTasks()
    setIteration(previous)
    // The last references go when the tasks' own jobs have returned, perhaps on threads that have no core just now.
    await settle(within: 10_000_000_000) { watchedTasks.ended >= watchedTasks.created }
    let (created, ended) = watchedTasks
    watchIteration(0)
    if created == 10 && ended == 10 { return .exact }
    return .absent(reason: "10 tasks counted as \(created) created and \(ended) ended")
  }

  /// Waits until something has come true that other threads bring about, at most so many ns by the kernel's clock.
  ///
  /// It yields first; later it also gives up its own core, so that a thread that waits for one gets on.
  package static func settle(within limit: Int64, until isSettled: () -> Bool) async {
    let end = rawMonotonic() + limit
    var looks = 0
    while !isSettled() && rawMonotonic() < end {
      await Task.yield()
      looks += 1
      if looks > 1_000 { usleep(100) }
    }
  }

  private static func knownTasks() async {
    await Task {
      for _ in 0..<3 { await Task {}.value }
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<3 { group.addTask {} }
      }
      async let first = CalibrationActor().increment()
      async let second = CalibrationActor().increment()
      async let third = CalibrationActor().increment()
      _ = await (first, second, third)
    }.value
  }

  private static func calibrateCancels() async -> Calibration.Family {
    guard case .success(.wholeRuntime) = coverage else {
      return .absent(reason: "this linking does not see Task.cancel()")
    }
    let before = readCounts().cancels ?? 0
    let task = Task {}
    for _ in 0..<3 { task.cancel() }
    await task.value
    let counted = (readCounts().cancels ?? 0) - before
    return counted == 3 ? .exact : .absent(reason: "3 cancellations counted as \(counted)")
  }
}
