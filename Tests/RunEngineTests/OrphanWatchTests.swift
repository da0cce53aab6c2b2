import Measurement
import RuntimeProbe
import Testing

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

  @Test("the time to settle is that of the task's own end where it is known, else that of the look")
  func settleTime() {
    var watch = OrphanWatch(grace: 100)
    watch.iterationEnded(0, at: 1000)
    let look = watch.look(at: [task(1, iteration: 0), task(2, iteration: 0)], now: 1010)
    #expect(look.suspects.map(\.id) == [1, 2])
    let settled = watch.look(at: [], now: 1090, ends: [1: 1080]).settled
    #expect(settled.map(\.after).sorted() == [80, 90])
    #expect(watch.settleTimes.maximum == 90)
  }

  @Test("an orphan that ends later stays one, and is shown as it was last seen")
  func endsLater() {
    var watch = OrphanWatch(grace: 100)
    watch.iterationEnded(0, at: 0)
    watch.look(at: [task(1, iteration: 0)], now: 200)
    watch.look(at: [task(1, iteration: 0, state: .running)], now: 300)
    #expect(watch.orphans.first?.task.state == .running)
    #expect(watch.orphans.first?.isAlive == true)
    watch.look(at: [], now: 400)
    #expect(watch.orphans.count == 1)
    #expect(watch.orphans.first?.isAlive == false)
  }

  @Test("a leak of one iteration is never charged to the next, in whatever order and at once")
  func charged() {
    var watch = OrphanWatch(grace: 100)
    for iteration in 0..<3 { watch.iterationEnded(iteration, at: 10 * Int64(iteration)) }
    for now in stride(from: Int64(50), through: 400, by: 50) {
      watch.look(at: [task(9, iteration: 1)], now: now)
    }
    #expect(watch.orphans.map(\.iteration) == [1])
  }

  @Test("tasks that are over and kept are counted apart once the grace time has passed")
  func retained() {
    var watch = OrphanWatch(grace: 100)
    watch.iterationEnded(0, at: 0)
    let kept = [task(1, iteration: 0, state: .endedButRetained)]
    watch.look(at: kept, now: 50)
    #expect(watch.retained.isEmpty)
    watch.look(at: kept, now: 150)
    #expect(watch.retained.map(\.iteration) == [0])
    #expect(watch.alive == 0)
    watch.look(at: [], now: 200)
    #expect(watch.retained.isEmpty)
  }
}
