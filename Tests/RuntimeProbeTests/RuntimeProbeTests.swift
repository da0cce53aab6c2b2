import RuntimeProbe
import Testing

/// All of them use the one probe of the process.
@Suite("Runtime probe", .serialized)
struct RuntimeProbeTests {}

extension RuntimeProbeTests {
  @Suite("Counts of known work")
  struct Counts {
    init() throws {
      try Probe.start(mode: .classifying)
    }

    @Test("are exact", arguments: KnownWorkload.all)
    func exact(_ workload: KnownWorkload) async {
      let measured = await measure(tag: 1001, workload.run)
      #expect(measured.tasks.created == workload.tasks)
      #expect(measured.tasks.ended == workload.tasks)
      #expect(measured.counts.eventsLost == 0)
      for (actor, hops) in workload.hops {
        let counted = measured.counts.actor(actor)
        #expect(counted?.hops == hops)
        #expect((counted?.fast ?? 0) + (counted?.slow ?? 0) == hops)
      }
    }

    @Test("Hops onto the main actor are never fast and bear its name")
    func mainActor() async {
      let measured = await measure(tag: 1002, KnownWorkload.mainActor.run)
      let counted = measured.counts.actor("MainActor")
      #expect((counted?.hops ?? 0) >= 500)
      #expect(counted?.fast == 0)
    }

    @Test("Hops onto an actor with its own executor are slow and bear the executor's name")
    func customExecutor() async {
      let measured = await measure(tag: 1007, KnownWorkload.customExecutor.run)
      #expect(measured.counts.actor("QueueExecutor")?.hops == 300)
      #expect(measured.counts.actor("QueueExecutor")?.slow == 300)
      #expect(measured.counts.actor("Guest") == nil)
    }

    @Test("Uncontended hops are all fast")
    func uncontended() async {
      let measured = await measure(tag: 1003, KnownWorkload.all[0].run)
      #expect(measured.counts.actor("Tally")?.fast == 10_000)
      #expect(measured.counts.actor("Tally")?.slow == 0)
    }

    @Test("Two types of one name bear their module; private ones show no address")
    func names() async {
      let measured = await measure(tag: 1004, KnownWorkload.all[2].run)
      let names = measured.counts.actors.map(\.name).filter { $0.hasSuffix("Namesake") }
      #expect(names == ["RuntimeProbeTests.Elsewhere.Namesake", "RuntimeProbeTests.Namesake"])
    }

    @Test("Counting alone counts the same hops and tells no outcomes apart")
    func countingOnly() async throws {
      Probe.stop()
      try Probe.start(mode: .counting)
      let measured = await measure(tag: 1005, KnownWorkload.all[0].run)
      let counted = measured.counts.actor("Tally")
      #expect(counted?.hops == 10_000)
      #expect(counted?.fast == 0 && counted?.slow == 0)
      #expect(measured.counts.mode == .counting)
    }

    @Test("Nothing is counted while the probe is stopped")
    func stopped() async throws {
      Probe.stop()
      let measured = await measure(tag: 1006, KnownWorkload.all[0].run)
      #expect(measured.counts.actor("Tally") == nil)
      #expect(measured.tasks.created == 0)
    }

    @Test("Calibration finds hops, outcomes and tasks exact, and says what this linking does not see")
    func calibration() async {
      let calibration = await Probe.calibrate()
      #expect(calibration.hops.isExact)
      #expect(calibration.outcomes.isExact)
      #expect(calibration.tasks.isExact)
      if case .success(.userCode) = Probe.coverage {
        #expect(calibration.cancels == .absent(reason: "this linking does not see Task.cancel()"))
      }
    }

    @Test("Calibration waits for a thread that has no core for a while, and not for ever")
    func settling() async {
      let began = Probe.rawMonotonic()
      await Probe.settle(within: 10_000_000_000) { Probe.rawMonotonic() - began > 300_000_000 }
      let waited = Probe.rawMonotonic() - began
      #expect(waited >= 300_000_000 && waited < 10_000_000_000)
      let again = Probe.rawMonotonic()
      await Probe.settle(within: 50_000_000) { false }
      #expect(Probe.rawMonotonic() - again >= 50_000_000)
    }

    @Test("Calibration says why outcomes are absent when only counting")
    func calibrationCounting() async throws {
      try Probe.start(mode: .counting)
      let calibration = await Probe.calibrate()
      #expect(calibration.hops.isExact)
      #expect(!calibration.outcomes.isExact)
    }

    @Test("Calibration of a stopped probe finds nothing exact")
    func calibrationStopped() async {
      Probe.stop()
      let calibration = await Probe.calibrate()
      #expect(!calibration.hops.isExact)
      #expect(!calibration.tasks.isExact)
    }
  }
}
