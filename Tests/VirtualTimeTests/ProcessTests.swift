import Glibc
import Testing

extension ProgramTests {
  @Suite("A process in virtual time")
  struct ProcessTests {
    @Test("Ten thousand sleeps of a hundred tasks pass in their sum, not in real time")
    func sleeps() throws {
      let result = try ChildProcess.fixture("sleeps", count: 10_000)
      // The longest chain of (task * 31 + step * 17) mod 97 + 1 ms over a hundred steps.
      let longest = (0..<100).map { task in
        (0..<100).reduce(0) { $0 + (task * 31 + $1 * 17) % 97 + 1 }
      }.max()
      #expect(result.output.hasPrefix("finished\nnow \((longest ?? 0) * 1_000_000) jobs "))
      #expect(result.output.hasSuffix(" timers 10000\n"))
    }

    @Test(
      "Main actor, streams, groups, async let, cancellation and timeouts do what they do on the real clock")
    func medley() throws {
      let lines = try ChildProcess.fixture("medley").output.split(separator: "\n").map(String.init)
      #expect(lines.first == "finished")
      #expect(lines.filter { $0.hasPrefix("worker ") }.sorted() == (0..<8).map { "worker \($0)" })
      #expect(
        lines.filter { $0.hasPrefix("stream ") }.map { $0.split(separator: " ")[1] }
          == (0..<10).map { "\($0)" }
      )
      #expect(lines.filter { $0.hasPrefix("main ") } == (1...5).map { "main \($0) 5" })
      #expect(lines.contains("async let 49 64"))
      #expect(lines.contains("cancel handler"))
      #expect(lines.contains { $0.hasPrefix("cancelled after ") })
      #expect(lines.contains("timeout timed out"))
      #expect(lines.contains("threads added 0"))
    }

    @Test("Both clocks and the wall clock read virtual time")
    func clocks() throws {
      let lines = try ChildProcess.fixture("medley").output.split(separator: "\n").map(String.init)
      let now = try #require(lines.last?.split(separator: " ").dropFirst().first.flatMap { Int($0) })
      #expect(lines.contains("wall \(1_735_689_600 + now / 1_000_000_000) \(now % 1_000_000_000)"))
      #expect(lines.contains("suspending \(Duration.seconds(1) + .nanoseconds(now))"))
    }

    @Test("Callbacks run at their time, between jobs, and may schedule themselves again")
    func callbacks() throws {
      let result = try ChildProcess.fixture("callbacks")
      let arrivals = (1...5).map { (time: $0 * 10, order: 0, line: "arrival \($0) at \($0 * 10_000_000)") }
      let ends = (1...5).map {
        (time: $0 * 10 + 15, order: 1, line: "end \($0) at \(($0 * 10 + 15) * 1_000_000)")
      }
      let expected = (arrivals + ends).sorted { ($0.time, $0.order) < ($1.time, $1.order) }.map(\.line)
      #expect(result.output.split(separator: "\n").map(String.init).dropFirst().prefix(10) == expected[...])
      #expect(result.output.contains("\ncallbacks 5\n"))
    }

    @Test("A standstill is a deadlock, with the time of the last progress")
    func deadlock() throws {
      // A cancelled sleep of a minute leaves its timer behind: time goes on to 63 s, progress ended at 3 s.
      let result = try ChildProcess.fixture("deadlock")
      #expect(result.output.hasPrefix("deadlock at 63000000000 last progress 3000000000\n"))
    }

    @Test("A job enqueued by another thread is reported with its function")
    func foreignThread() throws {
      let result = try ChildProcess.fixture("foreign")
      #expect(result.output.hasPrefix("foreign enqueue thread="))
      #expect(result.output.contains("caller=meddle"))
    }

    @Test("A job enqueued from a dispatch queue is reported with its function")
    func foreignQueue() throws {
      let result = try ChildProcess.fixture("foreign-dispatch")
      #expect(result.output.hasPrefix("foreign enqueue thread="))
      #expect(result.output.contains("caller=answerFromQueue"))
      #expect(result.output.contains("threads added true"))
    }

    @Test("A stop asked for by a signal handler ends a run that would go on for ever")
    func stop() throws {
      #expect(try ChildProcess.fixture("stop").output == "stopped\nran before\n")
    }

    @Test(
      "A sleeper started and time advanced: a thousand of a thousand wake beside twice as many busy neighbours as cores (B25)"
    )
    func advance() throws {
      let neighbours = 2 * max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
      let start = ContinuousClock.now
      let result = try withBusyNeighbours(neighbours) {
        try ChildProcess.fixture("advance", count: 1_000, limit: 10_000_000_000)
      }
      #expect(!result.timedOut && ContinuousClock.now - start < .seconds(10))
      #expect(
        result.output.hasPrefix(
          "woken 1000 of 1000, early 0\nadvance by 100 ms found 0 sleepers\nnow 100100000000 "))
    }

    @Test("The observer sees the real clock, and its draws do not shift the program's")
    func observer() throws {
      let observed = try ChildProcess.fixture("observe")
      #expect(observed.output.contains("observed true virtual 0\n"))
      let plain = try ChildProcess.fixture("observe", count: 0)
      let draws = [observed, plain].map { $0.output.split(separator: "\n").first { $0.hasPrefix("draw ") } }
      #expect(draws[0] != nil)
      #expect(draws[0] == draws[1])
      #expect(plain.output.contains("observed false"))
    }

    @Test("Installing late or twice is a typed error")
    func installation() throws {
      #expect(try ChildProcess.fixture("late").output == "error tasks-created-before\n")
      #expect(try ChildProcess.fixture("late").status == 3)
      #expect(try ChildProcess.fixture("twice").output.hasPrefix("error virtual-time-already-installed\n"))
    }
  }
}
