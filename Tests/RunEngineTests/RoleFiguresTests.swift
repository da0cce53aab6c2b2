import RunRecords
import Testing
import WorkloadInterface

@testable import RunEngine
@testable import RuntimeProbe

@Suite("Roles")
struct RoleFiguresTests {
  private func figures(roles: [String: String], without: Set<String> = []) -> CellFigures {
    var counts = ProbeCounts(
      coverage: .wholeRuntime, mode: .counting, actors: [], switchesSame: 0, switchesMoved: 7,
      switchesFast: 0,
      switchesSlow: 0, tasksCreated: 1, tasksEnded: 1, iterationTasksCreated: 1, iterationTasksEnded: 1,
      tasksAliveMax: 1, cancels: nil, eventsLost: 0)
    counts.actors = [ActorCounts(name: "Cache", qualifiedName: "App.Cache", hops: 7, fast: 0, slow: 0)]
    var figures = CellFigures()
    figures.set(
      whole: counts, window: counts,
      calibration: Calibration(hops: .exact, outcomes: .exact, tasks: .exact, cancels: .exact), roles: roles,
      rolesWithoutActor: without, clock: .virtual)
    return figures
  }

  @Test("a role's hops are those of its actors")
  func counted() {
    #expect(figures(roles: ["Cache": "cache"]).metrics["hops{role=cache}"] == .integer(7))
  }

  @Test("a role whose actor was not seen is absent, and the actors that were seen are named")
  func mistyped() {
    let figures = figures(roles: ["Cach": "cache"])
    #expect(figures.metrics["hops{role=cache}"] == nil)
    #expect(figures.absent["hops{role=cache}"]?.contains("actors seen: Cache") == true)
  }

  @Test("a role that no actor plays has a measured zero")
  func withoutActor() {
    let figures = figures(roles: ["Cach": "cache"], without: ["cache"])
    #expect(figures.metrics["hops{role=cache}"] == .integer(0))
  }
}
