import RuntimeProbe
import Testing

@testable import RunEngine

@Suite("Orphan watch")
struct OrphanWatchTests {
  private func task(_ id: UInt64, iteration: Int, state: LiveTask.State = .suspended) -> LiveTask {
    LiveTask(id: id, iteration: OrphanWatch.tag(of: iteration), state: state)
  }

  @Test("a task alive after the grace time is an orphan of its own iteration, counted once")
  func orphan() {
    var watch = OrphanWatch(grace: 100)
    watch.iterationEnded(3, at: 1000)
    watch.look(at: [task(7, iteration: 3)], now: 1050)
    #expect(watch.orphans.isEmpty)
    watch.look(at: [task(7, iteration: 3)], now: 1100)
    watch.look(at: [task(7, iteration: 3)], now: 1200)
    #expect(watch.orphans.count == 1)
    #expect(watch.orphans.first?.iteration == 3)
    #expect(watch.settled == 0)
  }

  @Test("a task that ends within the grace time has settled")
  func settled() {
    var watch = OrphanWatch(grace: 100)
    watch.iterationEnded(0, at: 0)
    watch.look(at: [task(1, iteration: 0)], now: 50)
    watch.look(at: [], now: 90)
    watch.look(at: [], now: 500)
    #expect(watch.orphans.isEmpty)
    #expect(watch.settled == 1)
  }

  @Test("tasks of running iterations, of none, and ended ones that are still referenced are no suspects")
  func innocent() {
    var watch = OrphanWatch(grace: 10)
    watch.iterationEnded(0, at: 0)
    let live = [
      task(1, iteration: 5), LiveTask(id: 2, iteration: 0), task(3, iteration: 0, state: .endedButRetained),
    ]
    for now in stride(from: Int64(0), to: 1000, by: 50) { watch.look(at: live, now: now) }
    #expect(watch.orphans.isEmpty)
    #expect(watch.settled == 0)
  }

  @Test("nothing grows with ended iterations")
  func bounded() {
    var watch = OrphanWatch(grace: 10)
    for index in 0..<10_000 {
      watch.iterationEnded(index, at: Int64(index))
      if index % 100 == 99 { watch.look(at: [], now: Int64(index)) }
    }
    #expect(watch.iterationsRemembered <= 100)
  }
}
