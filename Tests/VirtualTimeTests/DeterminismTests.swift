import CDeterminism
import Testing

extension ProgramTests {
  @Suite("A process in virtual time repeats itself")
  struct DeterminismTests {
    @Test(
      "The same seed gives the same bytes twenty times beside two busy threads",
      arguments: ["production", "every-hop"])
    func repeats(schedule: String) throws {
      let first = try ChildProcess.fixture("medley", seed: 7, schedule: schedule)
      #expect(first.status == 0)
      #expect(first.output.contains("finished"))
      try withBusyNeighbours(2) {
        for round in 1...20 {
          let other = try ChildProcess.fixture("medley", seed: 7, schedule: schedule)
          #expect(other == first, "round \(round)")
        }
      }
    }

    @Test("Another seed draws other random elements")
    func anotherSeed() throws {
      let lines = try [7, 8].map {
        try ChildProcess.fixture("medley", seed: $0).output.split(separator: "\n")
      }
      for prefix in ["elements", "shuffled", "entries"] {
        let found = lines.map { $0.first { $0.hasPrefix(prefix) } }
        #expect(found[0] != nil)
        #expect(found[0] != found[1], "\(prefix)")
      }
    }

    @Test("Without hash seeding a dictionary's order does not depend on the seed")
    func hashing() throws {
      let lines = try [7, 8].map {
        try ChildProcess.fixture("medley", seed: $0).output.split(separator: "\n").first {
          $0.hasPrefix("dictionary")
        }
      }
      #expect(lines[0] != nil)
      #expect(lines[0] == lines[1])
    }

    @Test("Ready jobs run first in, first out")
    func order() throws {
      let result = try ChildProcess.fixture("order")
      let expected = (0..<3).flatMap { step in (0..<8).map { "task \($0) step \(step)" } }
      #expect(result.output.split(separator: "\n").dropFirst().dropLast().map(String.init) == expected)
    }

    @Test("Under every-hop the seed decides the order, and nothing is lost")
    func everyHop() throws {
      let production = try ChildProcess.fixture("order").output.split(separator: "\n").dropLast()
      let seventh = try ChildProcess.fixture("order", seed: 7, schedule: "every-hop").output
      let eighth = try ChildProcess.fixture("order", seed: 8, schedule: "every-hop").output
      #expect(seventh != eighth)
      for output in [seventh, eighth] {
        let lines = output.split(separator: "\n").dropLast()
        #expect(lines != production)
        #expect(lines.sorted() == production.sorted())
      }
    }

    @Test("Timers with one deadline fire in the order they were set")
    func equalDeadlines() throws {
      let result = try ChildProcess.fixture("equal-deadlines")
      let expected = ["finished"] + (0..<8).map { "callback \($0)" } + (0..<8).map { "task \($0)" }
      #expect(result.output.split(separator: "\n").dropLast().map(String.init) == expected)
      #expect(result.output.hasSuffix("now 5000000 jobs 26 timers 16\n"))
    }

    @Test(
      "With address randomisation off the order of sets of objects repeats, too",
      .enabled(if: canDisableRandomisation))
    func pointerOrder() throws {
      let first = try ChildProcess.fixture("pointers", withoutAddressRandomisation: true)
      #expect(first.output.contains("order ["))
      for _ in 0..<4 {
        #expect(try ChildProcess.fixture("pointers", withoutAddressRandomisation: true) == first)
      }
    }

    /// False where a container's filter refuses personality(2).
    static var canDisableRandomisation: Bool {
      let former = cdt_disable_aslr_for_exec()
      cdt_restore_personality(former)
      return former >= 0
    }
  }
}
