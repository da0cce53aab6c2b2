import CDeterminism
import Testing

@testable import VirtualTime

@Suite("The queues of virtual time")
struct QueueTests {
  private func work(_ number: Int) -> QueuedWork { QueuedWork(callback: number) }

  @Test("The ready queue keeps its order across growth and wrap-around")
  func readyOrder() {
    var queue = ReadyQueue(capacity: 4)
    var appended = 0
    var removed = 0
    for round in 0..<200 {
      for _ in 0...(round % 7) {
        queue.append(work(appended))
        appended += 1
      }
      for _ in 0..<(round % 5) where queue.count > 0 {
        #expect(queue.removeFirst().callbackSlot == removed)
        removed += 1
      }
    }
    while queue.count > 0 {
      #expect(queue.removeFirst().callbackSlot == removed)
      removed += 1
    }
    #expect(removed == appended)
  }

  @Test("Removal by index loses nothing and gives nothing twice")
  func readyByIndex() {
    var queue = ReadyQueue(capacity: 4)
    var order = OrderDraw(seed: 3)
    for number in 0..<1_000 { queue.append(work(number)) }
    var seen: [Int] = []
    while queue.count > 0 { seen.append(queue.remove(at: order.next(below: queue.count)).callbackSlot) }
    #expect(seen != Array(0..<1_000))
    #expect(seen.sorted() == Array(0..<1_000))
  }

  @Test("Timers leave in the order of a stable sort by deadline", arguments: [1, 2, 50, 5_000])
  func timerOrder(distinct: Int) {
    var heap = TimerHeap(capacity: 2)
    var order = OrderDraw(seed: 11)
    let deadlines = (0..<3_000).map { _ in UInt64(order.next(below: distinct)) }
    for (number, deadline) in deadlines.enumerated() { heap.insert(work(number), at: deadline) }
    // Swift's sort is stable in fact but not by promise: the index decides.
    let expected = deadlines.indices.sorted { (deadlines[$0], $0) < (deadlines[$1], $1) }
    var left: [Int] = []
    while heap.count > 0 {
      let deadline = heap.earliestDeadline
      left.append(heap.removeEarliest().callbackSlot)
      #expect(deadlines[left[left.count - 1]] == deadline)
    }
    #expect(left == expected)
  }

  @Test("Timers inserted between removals keep their order")
  func timersInterleaved() {
    var heap = TimerHeap(capacity: 2)
    var order = OrderDraw(seed: 5)
    var now: UInt64 = 0
    for number in 0..<5_000 {
      heap.insert(work(number), at: now + UInt64(order.next(below: 100)))
      if number % 3 == 0 {
        #expect(heap.earliestDeadline >= now)
        now = heap.earliestDeadline
        _ = heap.removeEarliest()
      }
    }
    while heap.count > 0 {
      #expect(heap.earliestDeadline >= now)
      now = heap.earliestDeadline
      _ = heap.removeEarliest()
    }
  }

  @Test("A freed callback slot is used again")
  func callbackSlots() {
    var table = CallbackTable()
    var ran: [Int] = []
    let first = table.insert { ran.append(1) }
    let second = table.insert { ran.append(2) }
    table.take(first)()
    let third = table.insert { ran.append(3) }
    #expect(third == first)
    table.take(third)()
    table.take(second)()
    #expect(ran == [1, 3, 2])
  }
}

@Suite("Durations and clocks")
struct ClockTests {
  @Test("Durations become whole nanoseconds, rounded up")
  func conversion() {
    #expect(nanoseconds(of: .zero) == 0)
    #expect(nanoseconds(of: .seconds(-1)) == 0)
    #expect(nanoseconds(of: .nanoseconds(1)) == 1)
    #expect(nanoseconds(of: Duration(secondsComponent: 0, attosecondsComponent: 1)) == 1)
    #expect(nanoseconds(of: Duration(secondsComponent: 0, attosecondsComponent: 1_000_000_001)) == 2)
    #expect(nanoseconds(of: .seconds(18)) == 18_000_000_000)
    #expect(nanoseconds(of: .seconds(19)) == 19_000_000_000)
    #expect(nanoseconds(of: .seconds(86_400 * 365)) == 86_400 * 365 * 1_000_000_000)
    #expect(nanoseconds(of: .seconds(Int64.max)) == 1 << 62)
  }

  @Test("Until it is enabled the clock passes through")
  func passThrough() {
    #expect(!cdt_is_enabled())
    let before = cdt_raw_monotonic_ns()
    let reading = SuspendingClock().systemEpoch.duration(to: .now)
    let after = cdt_raw_monotonic_ns()
    #expect(before <= nanoseconds(of: reading))
    #expect(nanoseconds(of: reading) <= after)
  }

  @Test("Until it is enabled random bytes come from the system")
  func systemRandomness() {
    let drawn = cdt_random_bytes_drawn()
    let draws = Set((0..<8).map { _ in UInt64.random(in: 0...UInt64.max) })
    #expect(draws.count == 8)
    #expect(cdt_random_bytes_drawn() == drawn)
  }
}
