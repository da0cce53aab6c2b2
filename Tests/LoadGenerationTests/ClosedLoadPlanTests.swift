import SeededDraws
import Testing
import WorkloadInterface

@testable import LoadGeneration

private let second: Int64 = 1_000_000_000

@Suite("Closed load")
struct ClosedLoadPlanTests {
  @Test("Users begin evenly over the ramp")
  func ramp() throws {
    var plan = try ClosedLoadPlan(ClosedLoad(users: 4, ramp: 8 * second, duration: 60 * second), seed: 7)
    #expect(plan.begin().map(\.time) == [0, 2, 4, 6].map { $0 * second })
    #expect(plan.planned == 4)
  }

  @Test("A number of iterations is met exactly")
  func iterations() throws {
    var plan = try ClosedLoadPlan(ClosedLoad(users: 3, iterations: 7), seed: 7)
    var pending = plan.begin()
    var started = pending.map(\.iteration)
    while !pending.isEmpty {
      let next = pending.removeFirst()
      if let start = plan.finished(next.user, at: next.time + second) {
        started.append(start.iteration)
        pending.append(start)
      }
    }
    #expect(started.sorted() == Array(0..<7))
    #expect(plan.planned == 7)
  }

  @Test("Nothing starts after the duration")
  func duration() throws {
    let think = try Distribution(.constant(2 * second))
    var plan = try ClosedLoadPlan(ClosedLoad(users: 1, think: think, duration: 10 * second), seed: 7)
    #expect(plan.begin().map(\.time) == [0])
    #expect(plan.finished(0, at: 3 * second)?.time == 5 * second)
    #expect(plan.finished(0, at: 7 * second)?.time == 9 * second)
    #expect(plan.finished(0, at: 8 * second) == nil)
  }

  @Test("Think times do not depend on which user comes first")
  func thinking() throws {
    let load = ClosedLoad(users: 2, think: try Distribution(.exponential(mean: second)), iterations: 100)
    var one = try ClosedLoadPlan(load, seed: 7)
    var other = one
    _ = one.begin()
    _ = other.begin()
    let first = [one.finished(0, at: 0)?.time, one.finished(1, at: 0)?.time]
    let second = [other.finished(1, at: 0)?.time, other.finished(0, at: 0)?.time]
    #expect(first == second.reversed())
    #expect(first[0] != first[1])
  }

  @Test("Which iterations a user runs does not depend on which user comes first")
  func numbering() throws {
    var plan = try ClosedLoadPlan(ClosedLoad(users: 2, iterations: 100), seed: 7)
    _ = plan.begin()
    #expect(plan.finished(1, at: 5)?.iteration == 3)
    #expect(plan.finished(1, at: 6)?.iteration == 5)
    #expect(plan.finished(0, at: 7)?.iteration == 2)
  }

  @Test("Loads without users or an end are refused")
  func refusals() {
    #expect(throws: LoadPlanError.self) { try ClosedLoadPlan(ClosedLoad(users: 0, iterations: 1), seed: 1) }
    #expect(throws: LoadPlanError.self) { try ClosedLoadPlan(ClosedLoad(users: 1), seed: 1) }
    #expect(throws: LoadPlanError.self) { try ClosedLoadPlan(ClosedLoad(users: 1, iterations: 0), seed: 1) }
  }
}
