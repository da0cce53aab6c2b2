import SeededDraws
import Testing

@testable import ProviderScripts

@Suite("Capacity queue")
struct CapacityQueueTests {
  @Test("Calls beyond the capacity are served first come, first served")
  func order() {
    var queue = CapacityQueue<String>(capacity: 2, limit: nil)
    #expect(queue.arrive(at: 0) == .start)
    #expect(queue.arrive(at: 1) == .start)
    #expect(queue.arrive(at: 2) == .wait(0))
    #expect(queue.arrive(at: 3) == .wait(1))
    #expect(queue.attach("a", to: 0) == .waits)
    #expect(queue.attach("b", to: 1) == .waits)
    let first = queue.finish(at: 10)
    #expect(first?.waiter == "a" && first?.start == 10)
    let second = queue.finish(at: 12)
    #expect(second?.waiter == "b" && second?.start == 12)
    #expect(queue.finish(at: 20) == nil)
    #expect(queue.finish(at: 21) == nil)
    #expect(queue.busy == 0 && queue.waiting == 0)
  }

  @Test("A full queue refuses, and those who leave make room")
  func limit() {
    var queue = CapacityQueue<Int>(capacity: 1, limit: 1)
    #expect(queue.arrive(at: 0) == .start)
    #expect(queue.arrive(at: 0) == .wait(0))
    #expect(queue.arrive(at: 0) == .refuse)
    _ = queue.attach(7, to: 0)
    #expect(queue.leave(0) == 7)
    #expect(queue.leave(0) == nil)
    #expect(queue.arrive(at: 1) == .wait(1))
    _ = queue.attach(8, to: 1)
    #expect(queue.finish(at: 5)?.waiter == 8)
  }

  @Test("A turn or a leaving that comes before the waiter is attached is not lost")
  func races() {
    var queue = CapacityQueue<Int>(capacity: 1, limit: nil)
    _ = queue.arrive(at: 0)
    #expect(queue.arrive(at: 1) == .wait(0))
    #expect(queue.arrive(at: 2) == .wait(1))
    #expect(queue.finish(at: 9) == nil)
    #expect(queue.leave(1) == nil)
    #expect(queue.attach(1, to: 0) == .start(9))
    #expect(queue.attach(2, to: 1) == .left)
    #expect(queue.waiting == 0 && queue.busy == 1)
  }

  @Test("One server follows Lindley's recursion")
  func lindley() throws {
    let stream = DrawStream(seed: 3, name: "queue")
    let gaps = try Distribution(.exponential(mean: 1_250))
    let services = try Distribution(.exponential(mean: 1_000))
    var queue = CapacityQueue<Int>(capacity: 1, limit: nil)
    var arrival: Int64 = 0
    var serving: (end: Int64, call: Int)?
    var sojourns = [Int64](repeating: 0, count: 5_000)
    var arrivals: [Int64] = []
    func service(_ call: Int) -> Int64 { services.sample(stream, iteration: call, slot: 1) }
    func finishAll(until time: Int64) {
      while let (end, call) = serving, end <= time {
        sojourns[call] = end - arrivals[call]
        serving = queue.finish(at: end).map { ($0.start + service($0.waiter), $0.waiter) }
      }
    }
    var wait: Int64 = 0
    var expected: [Int64] = []
    for call in 0..<5_000 {
      let gap = gaps.sample(stream, iteration: call)
      if call > 0 { wait = max(0, wait + service(call - 1) - gap) }
      expected.append(wait + service(call))
      arrival += gap
      arrivals.append(arrival)
      finishAll(until: arrival)
      switch queue.arrive(at: arrival) {
      case .start: serving = (arrival + service(call), call)
      case .wait(let ticket): _ = queue.attach(call, to: ticket)
      case .refuse: Issue.record("refused without a limit")
      }
    }
    finishAll(until: .max)
    #expect(sojourns == expected)
  }
}
