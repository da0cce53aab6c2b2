// A program under the probe, for the tests to start.
//
// probe-fixture counts virtual|real
// probe-fixture shapes virtual|real [ROUNDS [AT-ONCE]]
// probe-fixture times
// probe-fixture million
// probe-fixture hot-paths
// probe-fixture late-maker
//
// For comparison, on the real clock only: `probe-off` as the last argument leaves the probe off; `work` is what
// `counts` counts, without counting.

import Dispatch
import Glibc
import RuntimeProbe
import VirtualTime

@main
struct Fixture {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    let clock = arguments.dropFirst().first ?? "real"
    let rounds = arguments.dropFirst(2).first.flatMap { Int($0) } ?? 1
    let atOnce = arguments.dropFirst(3).first.flatMap { Int($0) } ?? 1
    switch arguments.first {
    case "counts": run(clock) { await KnownCounts.check() }
    case "shapes":
      run(clock) {
        await ShapeRounds(
          rounds: rounds, atOnce: atOnce, grace: clock == "virtual" ? 100_000_000 : 500_000_000
        ).run()
      }
    case "times": run("real") { await KnownTimes.check() }
    case "work": run(clock) { await KnownCounts.run() }
    case "hot-paths": run("real") { await HotPaths.check() }
    case "late-maker": run("real") { await LateMaker.check() }
    case "million": run(clock) { await MillionTasks().run() }
    default:
      print("usage: probe-fixture counts|shapes|times|million|hot-paths|late-maker [virtual|real] [ROUNDS [AT-ONCE]]")
      exit(64)
    }
  }

  /// Runs the work on the clock asked for, under the probe; ends the process.
  private static func run(_ clock: String, _ work: @escaping @Sendable () async -> Int32) -> Never {
    if clock == "virtual" { runVirtual(work) }
    if !CommandLine.arguments.contains("probe-off") {
      do throws(ProbeAbsence) { try Probe.start(mode: .classifying) } catch { absent(error) }
    }
    Task.detached { exit(await work()) }
    dispatchMain()
  }

  private static func runVirtual(_ work: @escaping @Sendable () async -> Int32) -> Never {
    do throws(VirtualTimeError) {
      let process = try VirtualProcess.install(seed: 7)
      Probe.setMainExecutor(MainActor.sharedUnownedExecutor)
      do throws(ProbeAbsence) { try Probe.start(mode: .counting) } catch { absent(error) }
      let status = Status()
      let outcome = process.run { status.value = await work() }
      if case .finished = outcome { exit(status.value) }
      print("ended by \(outcome)")
      exit(2)
    } catch {
      print("no virtual time: \(error)")
      exit(3)
    }
  }

  private static func absent(_ absence: ProbeAbsence) -> Never {
    print("absent: \(absence)")
    exit(3)
  }
}

/// Sendable: everything in virtual time takes turns on one thread.
private final class Status: @unchecked Sendable {
  var value: Int32 = 1
}

/// Work whose counts are known beforehand.
enum KnownCounts {
  /// A task is cancelled and takes another 20 ms.
  private static func delayOfCancel() async -> Int64? {
    _ = Probe.takeEndedTasks()
    let task = await Task.detached {
      Probe.setIteration(999)
      let task = Task {
        while !Task.isCancelled { await Task.yield() }
        await Task.detached { try? await Task.sleep(for: .milliseconds(20), tolerance: .zero) }.value
      }
      Probe.setIteration(0)
      return task
    }.value
    task.cancel()
    await task.value
    for _ in 0..<1_000 {
      let ended = Probe.takeEndedTasks().tasks.filter { $0.iteration == 999 }
      if let delay = ended.compactMap(\.cancelDelay).first { return delay }
      try? await Task.sleep(for: .milliseconds(1))
    }
    return nil
  }

  static func run() async -> Int32 {
    for workload in KnownWorkload.all + [KnownWorkload.mainActor] { await workload.run() }
    return 0
  }

  static func check() async -> Int32 {
    let calibration = await Probe.calibrate()
    guard calibration.hops.isExact, calibration.tasks.isExact else {
      print("absent: \(calibration)")
      return 3
    }
    var wrong = 0
    for (index, workload) in (KnownWorkload.all + [KnownWorkload.mainActor]).enumerated() {
      let measured = await measure(tag: UInt64(index + 1), workload.run)
      var faults: [String] = []
      if measured.tasks.created != workload.tasks || measured.tasks.ended != workload.tasks {
        faults.append("tasks \(measured.tasks) instead of \(workload.tasks)")
      }
      for (actor, hops) in workload.hops where measured.counts.actor(actor)?.hops != hops {
        faults.append("hops onto \(actor) \(measured.counts.actor(actor)?.hops ?? 0) instead of \(hops)")
      }
      if measured.counts.eventsLost != 0 { faults.append("lost \(measured.counts.eventsLost)") }
      print("\(faults.isEmpty ? "exact" : "WRONG") \(workload) \(faults.joined(separator: ", "))")
      wrong += faults.count
    }
    if case .absent(let reason) = calibration.cancels {
      print("absent delay of a cancel: \(reason)")
    } else {
      let delay = await delayOfCancel()
      let isRight = delay.map { 20_000_000..<2_000_000_000 ~= $0 } ?? false
      print("\(isRight ? "exact" : "WRONG") delay of a cancel \(delay ?? -1) ns")
      wrong += isRight ? 0 : 1
    }
    return wrong == 0 ? 0 : 1
  }
}
