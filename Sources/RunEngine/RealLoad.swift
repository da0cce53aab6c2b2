internal import Foundation
internal import LoadGeneration
internal import Measurement
internal import RunRecords
internal import RuntimeProbe
internal import Scenarios
internal import Synchronization
internal import WorkloadInterface

/// Drives the load of a real cell from a plain thread, which also looks at the books in between.
///
/// Not Sendable: it lives on the cell's own thread.
final class RealLoad {
  private let run: CellRun
  private let scenario: Scenario
  private var windowStart: WindowSnapshot?
  private var planLength: Int64 = 0
  private var published = ProgressBlock()
  private var publishedSwitches: UInt64 = 0
  private var looks = 0
  private var memory = MemoryWatch()
  private var standstill: Int64 = 0

  /// How often the books are looked at, in seconds.
  private static let lookInterval = 0.05

  init(run: CellRun) {
    self.run = run
    scenario = run.plan.scenario
  }

  func drive(from start: WindowSnapshot) throws -> CellEnding {
    windowStart = scenario.load.warmUp == 0 ? start : nil
    let generator = try RealGenerator(run)
    generator.start()
    planLength = generator.planLength
    let cause = watch(until: { generator.isOver && self.run.isDrained }, stop: generator.stop)
    generator.stop()
    generator.awaitReport()
    let end = WindowSnapshot.end(run)
    var ending = CellEnding(
      windowStart: windowStart ?? end, windowEnd: end, settled: end, planLength: max(planLength, 1),
      lateness: generator.lateness())
    ending.generatorShare = generator.cpuShare(of: end.time)
    ending.standstill = standstill
    if cause == .stopped {
      ending.verdict = .interrupted
      ending.reasons = [
        "interrupted at \(seconds(end.time))" + (planLength > 0 ? " of \(seconds(planLength))" : "")
      ]
    } else {
      settle()
      ending.arrivalsOfPlan = generator.arrivalsOfPlan()
    }
    ending.settled = WindowSnapshot.end(run)
    ending.memory = memory
    if cause != .stopped { Validity.check(run, ending: &ending) }
    return ending
  }

  private enum End { case drained, drainExpired, stopped }

  /// Looks until the load is over and drained, its drain time is over, or the driver asks for a stop.
  private func watch(until isOver: () -> Bool, stop: () -> Void) -> End {
    var stopTime: Int64?
    while true {
      let now = run.clock.now()
      if isOver() { return stopTime == nil ? .drained : .stopped }
      if let stopTime {
        if run.accounts.running == 0 || now - stopTime > 5_000_000_000 { return .stopped }
      } else if CellSignals.isStopRequested {
        run.isStopping.store(true, ordering: .relaxed)
        stop()
        stopTime = now
      } else if isDrainOver(at: now) {
        return .drainExpired
      }
      look(at: now, phase: stopTime == nil ? "load" : "stopping")
      sleep(for: waitTime(now))
    }
  }

  /// A load that is bounded by iterations has no planned end: its drain time runs from the last sign of life.
  private func isDrainOver(at now: Int64) -> Bool {
    planLength > 0
      ? now > planLength + scenario.load.drain
      : run.accounts.stand(stillFor: scenario.load.drain, at: now)
  }

  /// Sleeps, and keeps in mind by how much it was too long: no task can keep this thread from running.
  private func sleep(for wanted: Double) {
    let before = run.clock.now()
    Thread.sleep(forTimeInterval: wanted)
    standstill = max(standstill, run.clock.now() - before - Int64(wanted * 1e9))
  }

  /// Until the next look, or the end of the warm-up where that comes first.
  private func waitTime(_ now: Int64) -> Double {
    guard windowStart == nil, scenario.load.warmUp > now else { return Self.lookInterval }
    return min(Self.lookInterval, Double(scenario.load.warmUp - now) / 1e9)
  }

  private func look(at now: Int64, phase: String) {
    looks += 1
    if windowStart == nil, now >= scenario.load.warmUp { windowStart = .begin(run) }
    memory.look(at: now, isMeasured: windowStart != nil && phase == "load")
    run.sampleInFlight()
    let every = max(1, Int(Double(scenario.grace) / 2e9 / Self.lookInterval))
    if looks % every == 0 { run.lookForOrphans() }
    publish(phase)
  }

  /// Publishes progress only when something has moved, so that the driver's watchdog sees a standstill.
  private func publish(_ phase: String) {
    let block = run.progress(phase: phase, at: run.clock.now(), plannedEnd: planLength)
    var moved =
      block.started != published.started || block.completed != published.completed
      || block.failed != published.failed || block.cancelled != published.cancelled
      || block.dropped != published.dropped || block.phase != published.phase
    if !moved, looks % 20 == 0 {
      let counts = Probe.readCounts()
      let switches = counts.switchesSame &+ counts.switchesMoved &+ counts.tasksCreated
      moved = switches != publishedSwitches
      publishedSwitches = switches
    }
    if moved {
      block.store()
      published = block
    }
  }

  /// Lets the grace time pass, looking more than once.
  private func settle() {
    run.lookForOrphans()
    for _ in 0..<4 {
      Thread.sleep(forTimeInterval: Double(scenario.grace) / 4e9)
      run.lookForOrphans()
      publish("settling")
    }
    run.describeOrphans()
  }

  private func seconds(_ nanoseconds: Int64) -> String {
    String(format: "%.1f s", Double(nanoseconds) / 1e9)
  }
}
