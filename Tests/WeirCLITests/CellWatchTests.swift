import Glibc
import RunRecords
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
    #expect(watch.ending == .hung(phase: "start", HangRecord(silent: 51)))
    #expect(watch.tick(now: 500, stopWanted: true) == .none)
  }

  @Test(
    "A deadlock and a busy loop differ in the processor's share of the silence",
    arguments: [(0, 0), (400, 100)])
  func share(used: Int64, percent: Int64) {
    var watch = CellWatch(start: 0, watchdog: 500, stopLimit: 20)
    // Used before the cell came to its stand, and not told.
    #expect(watch.tick(now: 100, stopWanted: false, cpu: 90) == .none)
    for step: Int64 in 0...3 {
      #expect(watch.tick(now: 101 + step * 100, stopWanted: false, cpu: 90 + used * step / 4) == .none)
    }
    #expect(watch.tick(now: 501, stopWanted: false, cpu: 90 + used) == .kill)
    var hang = HangRecord(silent: 501)
    hang.watched = 401
    hang.cpuPercent = percent
    #expect(watch.ending == .hung(phase: "start", hang))
  }

  @Test("The processor time of a process is that of all its threads; of none there is none")
  func processorTime() throws {
    func own() -> Int64 {
      var time = timespec()
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
      return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
    let before = own()
    let used = try #require(ProcessorTime.used(by: getpid()))
    #expect(before > 0 && used >= before && used <= own())
    #expect(ProcessorTime.used(by: -1) == nil)
    // Beyond the greatest number that the kernel gives.
    #expect(ProcessorTime.used(by: 5_000_000) == nil)
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
