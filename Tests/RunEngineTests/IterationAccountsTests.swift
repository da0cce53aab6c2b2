import SeededDraws
import Testing
import WorkloadInterface

@testable import RunEngine

private func iteration(_ index: Int, intended: Int64, actual: Int64? = nil, warmUp: Bool = false) -> Iteration
{
  Iteration(
    index: index, intendedStart: intended, actualStart: actual ?? intended, isWarmUp: warmUp,
    draws: IterationDraws(seed: 1, iteration: index))
}

@Suite("Iteration accounts")
struct IterationAccountsTests {
  @Test("every arrival is entered once and leaves once")
  func conservation() {
    var accounts = IterationAccounts()
    for index in 0..<10 {
      accounts.arrived(at: Int64(index))
      switch index % 3 {
      case 0: accounts.begins(at: Int64(index))
      case 1: accounts.wasDropped()
      default: accounts.wasQueued()
      }
      #expect(accounts.planned == accounts.started + accounts.dropped + accounts.queued)
    }
    accounts.ended(iteration(0, intended: 0), .completed, at: 20, objective: nil)
    accounts.leftQueue()
    accounts.begins(at: 20)
    accounts.ended(iteration(3, intended: 3), .failed(reason: "timeout"), at: 21, objective: nil)
    accounts.ended(iteration(6, intended: 6), .cancelled, at: 22, objective: nil)
    #expect(accounts.planned == accounts.started + accounts.dropped + accounts.queued)
    #expect(accounts.started == 5)
    #expect(accounts.running == 2)
    #expect(!accounts.isEmpty)
    #expect(accounts.reasons == ["timeout": 1])
  }

  @Test("the area under the number in the system is the sum of sojourns once drained")
  func littlesLaw() {
    var accounts = IterationAccounts()
    let stays: [(Int64, Int64)] = [(0, 7), (2, 9), (2, 3), (8, 30), (31, 31)]
    var events: [(time: Int64, isEnd: Bool, index: Int)] = []
    for (index, stay) in stays.enumerated() {
      events.append((stay.0, false, index))
      events.append((stay.1, true, index))
    }
    for event in events.sorted(by: { ($0.time, $0.isEnd ? 1 : 0) < ($1.time, $1.isEnd ? 1 : 0) }) {
      if event.isEnd {
        accounts.ended(
          iteration(event.index, intended: stays[event.index].0), .completed, at: event.time, objective: nil)
      } else {
        accounts.arrived(at: event.time)
        accounts.begins(at: event.time)
      }
    }
    #expect(accounts.isEmpty)
    #expect(accounts.area == accounts.sojournSum)
    #expect(accounts.area == 7 + 7 + 1 + 22 + 0)
  }

  @Test("goodput counts completions within the objective, warm-up left out")
  func goodput() {
    var accounts = IterationAccounts()
    let ends: [(Int64, Bool, IterationOutcome)] = [
      (5, false, .completed), (50, false, .completed), (5, true, .completed), (5, false, .cancelled),
    ]
    for (index, end) in ends.enumerated() {
      accounts.arrived(at: 0)
      accounts.begins(at: 0)
      accounts.ended(iteration(index, intended: 0, warmUp: end.1), end.2, at: end.0, objective: 10)
    }
    #expect(accounts.good == 1)
  }

  @Test("an equation that does not hold is a finding with its figures")
  func brokenConservation() throws {
    var accounts = IterationAccounts()
    accounts.arrived(at: 0)
    accounts.wasDropped()
    #expect(Conservation.check(accounts, counters: [:]) == nil)
    let balanced: [String: Int64] = ["elements.made": 5, "elements.delivered": 4, "elements.dropped": 1]
    #expect(Conservation.check(accounts, counters: balanced) == nil)
    let leaking: [String: Int64] = ["elements.made": 5, "elements.delivered": 4]
    let finding = try #require(Conservation.check(accounts, counters: leaking))
    #expect(finding.name == "conservation-broken")
    #expect(finding.evidence["elements-made"] == 5)
    accounts.arrived(at: 1)
    #expect(Conservation.check(accounts, counters: [:])?.evidence["planned"] == 2)
  }

  @Test("times that add up to more than 64 bits of nanoseconds are summed all the same")
  func centuries() {
    let year: Int64 = 31_557_600_000_000_000
    var accounts = IterationAccounts()
    for _ in 0..<1000 {
      accounts.arrived(at: 0)
      accounts.begins(at: 0)
    }
    for index in 0..<1000 {
      let iteration = Iteration(
        index: index, intendedStart: 0, actualStart: 0, isWarmUp: false,
        draws: IterationDraws(seed: 1, iteration: index))
      accounts.ended(iteration, .completed, at: year, objective: nil)
    }
    #expect(accounts.sojournSum == 1000 * Int128(year))
    #expect(accounts.area == accounts.sojournSum)
    var figures = CellFigures()
    figures.set("sum", wide: accounts.area)
    #expect(figures.metrics["sum"] == nil)
    #expect(figures.absent["sum"] != nil)
  }
}
