import RuntimeProbe
import Testing

@testable import WeirCLI

@Suite("The watch over a cell")
struct CellWatchTests {
  @Test("A cell without progress is killed once, with its silence told")
  func watchdog() {
    var watch = CellWatch(start: 100, watchdog: 50, stopLimit: 20)
    #expect(watch.tick(now: 150, stopWanted: false) == .none)
    #expect(watch.tick(now: 151, stopWanted: false) == .kill)
    #expect(watch.ending == .hung(phase: "start", silent: 51))
    #expect(watch.tick(now: 500, stopWanted: true) == .none)
  }

  @Test("A wish to stop is passed on once and its limit kept")
  func stopping() {
    var watch = CellWatch(start: 0, watchdog: 1_000, stopLimit: 20)
    #expect(watch.tick(now: 10, stopWanted: true) == .askToStop)
    #expect(watch.tick(now: 30, stopWanted: true) == .none)
    #expect(watch.tick(now: 31, stopWanted: true) == .kill)
    #expect(watch.ending == .overstayed)
  }

  @Test("A block without a stamp is no progress")
  func noStamp() {
    var watch = CellWatch(start: 0, watchdog: 50, stopLimit: 20)
    watch.saw(ProgressBlock())
    #expect(watch.tick(now: 51, stopWanted: false) == .kill)
  }
}
