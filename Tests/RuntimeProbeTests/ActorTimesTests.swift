import RuntimeProbe
import Testing

extension RuntimeProbeTests {
  @Suite("Waits and holds of actors")
  struct Times {
    init() throws {
      try Probe.start(mode: .classifying)
    }

    /// What the probe saw during `work`, and how long that took in ns.
    private func times(_ work: () async -> Void) async -> (report: ActorTimesReport, wall: Double) {
      let before = Probe.readActorTimes()
      let start = Probe.rawMonotonic()
      await work()
      let wall = Double(Probe.rawMonotonic() - start)
      return (Probe.readActorTimes().since(before), wall)
    }

    /// Callers that come at once, and how they were served.
    private func burst(callers: Int, milliseconds: Int) async -> (row: ActorTimes, wall: Double)? {
      let before = Probe.readActorTimes()
      let start = Probe.rawMonotonic()
      let counter = Counter()
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<callers { group.addTask { await counter.serve(milliseconds: milliseconds) } }
      }
      let wall = Double(Probe.rawMonotonic() - start)
      // The last stay ends with its job, a moment after its task.
      for _ in 0..<1_000 {
        let row = Probe.readActorTimes().since(before).actor("Counter")
        if let row, row.hold.count >= row.slow { return (row, wall) }
        try? await Task.sleep(for: .milliseconds(1))
      }
      return nil
    }

    @Test("of callers that come at once are 0, h, 2h, … within a tenth")
    func burst() async throws {
      let callers = 6
      var closest = Double.infinity
      // A caller that the machine lets come late waits less: the best of five.
      for _ in 0..<5 where closest > 0.1 {
        let (row, wall) = try #require(await burst(callers: callers, milliseconds: 20))
        #expect(row.arrivals == UInt64(callers))
        #expect(row.contended <= UInt64(callers - 1))
        let held = Double(row.hold.sum)
        let hold = row.hold.mean ?? 0
        let expected = hold * Double(callers * (callers - 1) / 2)
        closest = min(closest, (Double(row.wait.sum) / expected - 1).magnitude)
        // All holds after a wait are timed.
        #expect(held <= wall * 1.01)
        #expect(row.hold.count == 0 || hold >= 20e6)
        #expect(row.holdsUnseen == 0 && row.waitsUnseen == 0)
      }
      #expect(closest <= 0.1)
    }

    @Test("Depths at arrival are how many were there")
    func depths() async throws {
      for _ in 0..<3 {
        let (row, _) = try #require(await burst(callers: 5, milliseconds: 20))
        // Nobody leaves while they arrive: 0, 1, 2, 3, 4.
        if row.contended == 4, row.depth.maximum == 4 {
          #expect(row.depth.count == 4 && row.depth.sum == 10)
          return
        }
      }
      Issue.record("in three bursts never four found the actor busy, the last with four before it")
    }

    @Test("All holds together are no longer than the wall time of the threads that can hold")
    func bounds() async throws {
      let (report, wall) = await times(KnownWorkload.all[1].run)
      let row = try #require(report.actor("SlowTally"))
      let held = Double(row.hold.sum) + Double(row.fastHold.sum) * Double(report.holdStride)
      #expect(row.arrivals == 4_000)
      #expect(held <= wall * 4)
      #expect(held > 0)
      #expect(row.wait.count + row.waitsUnseen == row.slow)
    }

    @Test("A stay ends where the task suspends")
    func suspension() async throws {
      let (report, wall) = await times {
        let sleeper = Sleeper()
        // Often enough that some holds are among the sampled.
        for _ in 0..<40 { await sleeper.sleep(milliseconds: 5) }
        for _ in 0..<40 { await sleeper.awaitContinuation(milliseconds: 5) }
      }
      let row = try #require(report.actor("Sleeper"))
      #expect(wall > 400e6)
      #expect(row.hold.count + row.fastHold.count > 0)
      let held = Double(row.hold.sum) + Double(row.fastHold.sum) * Double(report.holdStride)
      #expect(held < wall / 4)
    }

    @Test("A stay ends where the task waits for a stream")
    func stream() async throws {
      let (report, wall) = await times {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        let sleeper = Sleeper()
        async let done: Void = sleeper.next(of: stream)
        for element in 0..<30 {
          try? await Task.sleep(for: .milliseconds(5))
          continuation.yield(element)
        }
        continuation.finish()
        await done
      }
      let row = try #require(report.actor("Sleeper"))
      #expect(Double(row.hold.sum) + Double(row.fastHold.sum) * Double(report.holdStride) < wall / 4)
    }

    @Test("Routes lead from where the task was")
    func routes() async throws {
      let (report, _) = await times {
        await Task.detached {
          let ping = Ping()
          let pong = Pong()
          for _ in 0..<1_000 {
            await ping.hit()
            leaveActor()
            await pong.hit()
            leaveActor()
          }
        }.value
      }
      let onto = { (name: String) in
        report.routes.filter { $0.key.onto == name }.reduce(UInt64(0)) { $0 + $1.value }
      }
      #expect(onto("Ping") == 1_000 && onto("Pong") == 1_000)
      let known = [nil, "Ping", "Pong"] as [String?]
      #expect(
        report.routes.keys.filter { ["Ping", "Pong"].contains($0.onto) }.allSatisfy {
          known.contains($0.from)
        })
    }

    @Test("The main actor and actors with their own executor are measured")
    func otherExecutors() async throws {
      let (main, _) = await times(KnownWorkload.mainActor.run)
      let row = try #require(main.actor("MainActor"))
      #expect(row.slow >= 500 && row.fast == 0)
      #expect(row.wait.count == row.slow && row.wait.sum > 0)
      #expect(main.routes[ActorRoute(from: nil, onto: "MainActor")] ?? 0 >= 500)
      let (custom, _) = await times(KnownWorkload.customExecutor.run)
      let guest = try #require(custom.actor("QueueExecutor"))
      #expect(guest.wait.count == 300)
      #expect(guest.hold.count + guest.holdsUnseen >= 300)
    }

    @Test("An uncontended actor is never found busy, and its fast holds are sampled")
    func uncontended() async throws {
      let (report, wall) = await times(KnownWorkload.all[0].run)
      let row = try #require(report.actor("Tally"))
      #expect(row.contended == 0 && row.fast == 10_000 && row.depth.count == 0)
      #expect(row.fastHold.count > 10_000 / 16 / 2 && row.fastHold.count < 10_000 / 16 * 2)
      // One that was kept from its core counts for sixteen: without the longest of those that were timed.
      let held = Double(row.fastHold.sum - min(row.fastHold.sum, row.fastHold.maximum))
      #expect(held * Double(report.holdStride) <= wall * 1.1)
      #expect(report.stateMismatches == 0 && report.timesLost == 0)
    }

    @Test("A holder of low priority before a waiter of high priority is told; of equal priority it is not")
    func inversion() async throws {
      try Probe.watchHolds()
      defer { Probe.unwatchHolds() }
      for (low, expected) in [(TaskPriority.background, true), (.high, false)] {
        let before = Probe.invertedHolds().count
        // Holds of other tasks before, on the same threads, timed ones among them.
        await KnownWorkload.all[0].run()
        var row = try await heldBefore(.high, by: low)
        // On a busy machine the waiter may come only after the hold, or the watcher.
        for _ in 0..<10 where expected && (row.inversions == 0 || Probe.invertedHolds().count == before) {
          row = try await heldBefore(.high, by: low)
          // It is settled with the watcher's next look.
          try? await Task.sleep(for: .milliseconds(50))
        }
        #expect((row.inversions == 1) == expected)
        if expected { #expect(row.inversionTime > 0) }
        #expect(row.holdsUnseen == 0)
        #expect((Probe.invertedHolds().count > before) == expected)
      }
      let hold = try #require(Probe.invertedHolds().last)
      #expect(hold.qualifiedName.hasSuffix("Blocker"))
      #expect(hold.holderPriority < hold.waiterPriority && hold.waited > 10_000_000)
      let stack = CreationPlaces().stack(of: hold.addresses).map(\.function)
      #expect(
        stack.contains { $0.contains("hold(_:until:)") || $0.contains("block(milliseconds:)") },
        "\(stack)")
    }

    /// One task holds the actor until another is on its way there, and then for a while.
    private func heldBefore(_ waiter: TaskPriority, by holder: TaskPriority) async throws -> ActorTimes {
      let (report, _) = await times {
        let blocker = Blocker()
        let isHeld = Flag()
        let isComing = Flag()
        let holding = Task.detached(priority: holder) { await blocker.hold(isHeld, until: isComing) }
        while !isHeld.isSet { try? await Task.sleep(for: .milliseconds(1)) }
        await Task.detached(priority: waiter) {
          isComing.set()
          await blocker.hold(milliseconds: 1)
        }.value
        await holding.value
      }
      return try #require(report.actor("Blocker"))
    }

    @Test("A long hold is told with its place; a short one is not")
    func longHold() async throws {
      try Probe.watchHolds()
      defer { Probe.unwatchHolds() }
      let before = Probe.longHolds().seen
      let blocker = Blocker()
      await blocker.hold(milliseconds: 40)
      #expect(Probe.longHolds().seen == before)
      await blocker.hold(milliseconds: 200)
      let (kept, seen) = Probe.longHolds()
      #expect(seen == before + 1)
      let hold = try #require(kept.last)
      #expect(hold.qualifiedName.hasSuffix("Blocker"))
      #expect(hold.duration > 100_000_000 && hold.duration < 2_000_000_000)
      #expect(hold.blocked > 50_000_000)
      var places = CreationPlaces()
      let found = places.place(of: hold.addresses)
      let place = try #require(found, "\(hold.addresses.map { String($0, radix: 16) })")
      // The C library keeps no frame pointers, so the frame that called it may be missing.
      let function = place.function
      #expect(
        function.contains("block(milliseconds:)") || function.contains("hold(milliseconds:)"), "\(place)")
    }

    @Test("The clock on the path keeps time with the kernel's")
    func clock() {
      #expect(Probe.clockDrift.magnitude < 0.01)
    }
  }
}
