import Scenarios
import Testing
import WorkloadInterface

@testable import WeirCLI

@Suite("Which cells run when")
struct CellScheduleTests {
  private static let workload = WorkloadDeclaration(
    name: "pipe", about: "", strategies: [StrategyDeclaration(name: "plain", about: "")], providers: [])

  /// Cells of these clocks: `v` is virtual.
  private func plans(_ clocks: String) throws -> [CellPlan] {
    let text = "name: a\npipeline: pipe\nstrategies: [plain]\nload: { model: closed, users: 1, for: 10s }\n"
    let scenario = try ScenarioReader(workloads: [Self.workload]).read(text: text, file: "a.yaml").get()
    return clocks.enumerated().map { index, clock in
      CellPlan(
        scenario: scenario, strategy: scenario.strategies[0], variant: "sound",
        clock: clock == "v" ? .virtual : .real, repetition: 1, number: index + 1)
    }
  }

  /// The numbers that start while nothing ends.
  private func start(_ schedule: inout CellSchedule) -> [Int] {
    var numbers: [Int] = []
    while let plan = schedule.next() { numbers.append(plan.number) }
    return numbers
  }

  @Test("those of the virtual clock a few at a time and first, those of the real clock alone")
  func order() throws {
    var schedule = CellSchedule(try plans("vrvvr"), atOnce: 2, traced: nil)
    #expect(start(&schedule) == [1, 3])
    schedule.ended()
    #expect(start(&schedule) == [4])
    schedule.ended()
    // One of the virtual clock still runs.
    #expect(start(&schedule) == [])
    schedule.ended()
    #expect(start(&schedule) == [2])
    schedule.ended()
    #expect(start(&schedule) == [5])
    schedule.ended()
    #expect(start(&schedule) == [])
  }

  @Test("one that is traced has the machine to itself")
  func traced() throws {
    var schedule = CellSchedule(try plans("vvv"), atOnce: 8, traced: 2)
    #expect(start(&schedule) == [1, 3])
    schedule.ended()
    #expect(start(&schedule) == [])
    schedule.ended()
    #expect(start(&schedule) == [2])
  }

  @Test("where nobody says, as many as there are cores, within bounds")
  func number() {
    #expect([0, 1, 2, 64].map(CellSchedule.atOnce) == [1, 1, 2, 8])
  }
}
