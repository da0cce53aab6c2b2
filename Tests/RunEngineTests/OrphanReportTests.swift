import RuntimeProbe
import Testing
import WorkloadInterface

@testable import RunEngine

@Suite("Findings of tasks")
struct OrphanReportTests {
  private func watch(_ tasks: [LiveTask], iterations: Int) -> OrphanWatch {
    var watch = OrphanWatch(grace: 100)
    for iteration in 0..<iterations { watch.iterationEnded(iteration, at: 0) }
    watch.look(at: tasks, now: 500)
    return watch
  }

  private func task(_ iteration: Int, _ state: LiveTask.State, isCancelled: Bool = false) -> LiveTask {
    LiveTask(
      id: UInt64(iteration) + 100, iteration: OrphanWatch.tag(of: iteration), state: state,
      isCancelled: isCancelled, name: "worker")
  }

  @Test("an orphan's finding says its states and its name, and how many had been cancelled")
  func orphans() {
    let tasks = [
      task(0, .suspended, isCancelled: true), task(1, .suspended, isCancelled: true), task(2, .notStarted),
    ]
    let findings = OrphanReport.findings(watch(tasks, iterations: 3), now: nil)
    #expect(findings.map(\.name) == ["orphaned-task"])
    #expect(
      findings.first?.evidence == [
        "tasks": 3, "cancelled-and-still-alive": 2, "suspended": 2, "not-started": 1,
      ])
    #expect(
      findings.first?.details == [
        "2 × Task \"worker\", suspended, cancelled", "1 × Task \"worker\", not started",
      ])
    #expect(findings.first?.iterations == [0, 1, 2])
  }

  @Test("how long orphans have been suspended is said where there is a real clock for it")
  func suspendedSince() {
    var suspended = task(0, .suspended)
    suspended.lastRan = 1_000
    let watch = watch([suspended], iterations: 1)
    #expect(OrphanReport.findings(watch, now: 5_000).first?.evidence["longest-suspended-ns"] == 4_000)
    #expect(OrphanReport.findings(watch, now: nil).first?.evidence["longest-suspended-ns"] == nil)
  }

  @Test("a table that keeps the tasks of many iterations is a finding, a handle of the last one is not")
  func retained() {
    let kept = (0..<5).map { task($0, .endedButRetained) }
    let findings = OrphanReport.findings(watch(kept, iterations: 5), now: nil)
    #expect(findings.map(\.name) == ["retained-task"])
    #expect(findings.first?.evidence == ["tasks": 5, "iterations": 5])
    #expect(OrphanReport.findings(watch([kept[4]], iterations: 5), now: nil).isEmpty)
    #expect(OrphanReport.findings(watch(kept, iterations: 100), now: nil).isEmpty)
  }
}
