import Testing

@testable import RunEngine

@Suite("A pool without a free thread")
struct PoolJudgeTests {
  /// Looks each 100 ms after the last beat at 0; `cpu` is what a core did of each 100 ms.
  private func looks(
    _ count: Int, from first: Int = 1, beat: Int64 = 0, threads: Int = 2, blocked: Int = 2, cpu: Double = 0
  ) -> [PoolJudge.Look] {
    (first..<first + count).map { index in
      let time = Int64(index) * 100_000_000
      return PoolJudge.Look(
        time: time, beat: beat, cpu: Int64(Double(time) * cpu), threads: threads, blocked: blocked)
    }
  }

  private func judge(_ looks: [PoolJudge.Look]) -> PoolJudge.Exhaustion? {
    var judge = PoolJudge()
    for look in looks { judge.saw(look) }
    return judge.worst
  }

  @Test("All threads blocked for a second, and no processor used: exhausted, once however long")
  func blocked() throws {
    #expect(judge(looks(10)) == nil)
    let seen = try #require(judge(looks(30)))
    #expect(seen == .init(silence: 3_000_000_000, blockedThreads: 2, cpuPercent: 0, count: 1))
  }

  @Test("Threads that compute, one that is free, and none in a job are no exhaustion")
  func busy() {
    #expect(judge(looks(50, blocked: 0, cpu: 2)) == nil)
    #expect(judge(looks(50, blocked: 1)) == nil)
    #expect(judge(looks(50, threads: 0, blocked: 0)) == nil)
    // Blocked at the looks, computing in between.
    #expect(judge(looks(50, cpu: 0.5)) == nil)
  }

  @Test("After a busy second without a beat, a blocked one is found all the same")
  func busyThenBlocked() throws {
    var all = looks(20, blocked: 0, cpu: 2)
    all += looks(20, from: 21).map { look in
      var look = look
      look.cpu = 4_000_000_000
      return look
    }
    let seen = try #require(judge(all))
    #expect(seen.silence == 4_000_000_000)
    #expect(seen.count == 1)
  }

  @Test("A beat in between begins anew, and a second exhaustion is counted")
  func beats() throws {
    #expect(judge(looks(9) + looks(9, from: 10, beat: 950_000_000)) == nil)
    let seen = try #require(judge(looks(15) + looks(15, from: 17, beat: 1_600_000_000)))
    #expect(seen.count == 2)
  }
}
