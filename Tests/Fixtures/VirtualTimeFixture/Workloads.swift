// The workloads, by name.

import CDeterminism
import Dispatch
import Glibc
import VirtualTime

typealias WorkloadBody = (inout VirtualProcess, Int?) -> Void

nonisolated(unsafe) let workloads: [String: WorkloadBody] = [  // Safe: never written.
  "late": { _, _ in print("installed") },
  "medley": { process, _ in
    let log = Log()
    print(describe(process.run { await medley(log) }))
    log.flush()
    print("threads added \(process.threadsAdded)")
  },
  "sleeps": { process, count in
    let tasks = 100
    let each = (count ?? 10_000) / tasks
    print(describe(process.run { await sleeps(tasks: tasks, each: each) }))
  },
  "stories": { process, count in
    print(describe(process.run { await stories(count ?? 200) }))
  },
  "order": { process, _ in
    let log = Log()
    print(describe(process.run { await order(log) }))
    log.flush()
  },
  "equal-deadlines": { process, _ in
    let log = Log()
    for index in 0..<8 { process.schedule(at: 5_000_000) { log.add("callback \(index)") } }
    print(describe(process.run { await equalDeadlines(log) }))
    log.flush()
  },
  "callbacks": { process, _ in callbacks(&process) },
  "deadlock": { process, _ in
    print(describe(process.run { await deadlock() }))
  },
  "foreign": { process, _ in
    print(describe(process.run { await foreign() }))
  },
  "foreign-dispatch": { process, _ in
    print(describe(process.run { await foreignDispatch() }))
    print("threads added \(process.threadsAdded > 0)")
  },
  "pointers": { process, _ in
    let log = Log()
    print(describe(process.run { await pointerOrder(log) }))
    log.flush()
  },
  "stop": { process, _ in stop(&process) },
  "advance": { process, count in advance(&process, repeats: count ?? 1_000) },
  "observe": { process, count in observe(&process, isOn: count != 0) },
  "twice": { _, _ in
    do throws(VirtualTimeError) {
      _ = try VirtualProcess.install(seed: 1)
      print("installed twice")
    } catch {
      print("error \(error.code)")
    }
  },
]

func deadlock() async {
  try? await Task.sleep(for: .seconds(3))
  let abandoned = Task { try? await Task.sleep(for: .seconds(60)) }
  await Task.yield()
  abandoned.cancel()
  await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
}

/// Another thread resumes a continuation, some milliseconds of real time later.
func foreign() async {
  await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
    resumeFromOtherThread(continuation)
  }
}

private func resumeFromOtherThread(_ continuation: UnsafeContinuation<Void, Never>) {
  let box = Unmanaged.passRetained(ContinuationBox(continuation))
  var thread = pthread_t()
  pthread_create(&thread, nil, { meddle($0) }, box.toOpaque())
}

private final class ContinuationBox {
  let continuation: UnsafeContinuation<Void, Never>
  init(_ continuation: UnsafeContinuation<Void, Never>) { self.continuation = continuation }
}

@inline(never)
private func meddle(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  usleep(20_000)
  guard let argument else { return nil }
  Unmanaged<ContinuationBox>.fromOpaque(argument).takeRetainedValue().continuation.resume()
  usleep(1)
  return nil
}

/// A dispatch queue resumes a continuation.
func foreignDispatch() async {
  await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(20)) {
      // The timer fires at once: give the task time to suspend, or there is no enqueue to be seen.
      usleep(20_000)
      answerFromQueue(continuation)
    }
  }
}

@inline(never)
private func answerFromQueue(_ continuation: UnsafeContinuation<Void, Never>) {
  continuation.resume()
  // Keeps this function's frame below the call: without it the call would be a jump.
  usleep(1)
}

/// The order of a set of addresses, which follows the layout of the address space.
func pointerOrder(_ log: Log) async {
  let objects = (0..<16).map { _ in Register() }
  let numbers = Dictionary(uniqueKeysWithValues: objects.enumerated().map { (ObjectIdentifier($1), $0) })
  log.add("order \(numbers.map(\.value))")
}

/// A periodic task that would go on for ever, stopped by a signal.
func stop(_ process: inout VirtualProcess) {
  signal(SIGALRM) { _ in cdt_request_stop() }
  var interval = itimerval()
  interval.it_value.tv_usec = 50_000
  setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &interval, nil)
  let outcome = process.run {
    while true { try? await Task.sleep(for: .seconds(1)) }
  }
  print(describe(outcome))
  print(process.now > 1_000_000_000 ? "ran before" : "did not run")
  // Not part of what is compared: how far it came is up to the signal.
  exit(0)
}

/// "Start sleeper, advance 100 ms, expect wake", over and over.
func advance(_ process: inout VirtualProcess, repeats: Int) {
  final class Counter: @unchecked Sendable { var woken = 0 }  // Safe: one thread.
  let counter = Counter()
  var early = 0
  for round in 0..<repeats {
    Task.detached {
      try? await Task.sleep(for: .milliseconds(100))
      counter.woken += 1
    }
    _ = process.advance(by: 99_999_999)
    early += counter.woken - round
    let second = process.advance(by: 1)
    if second.timersFired != 1 || second.interruption != nil { print("round \(round): \(second)") }
  }
  print("woken \(counter.woken) of \(repeats), early \(early)")
  let empty = process.advance(by: 100_000_000)
  print("advance by 100 ms found \(empty.timersFired) sleepers")
}

/// An arrival plan as callbacks: each starts a task and schedules the next.
func callbacks(_ process: inout VirtualProcess) {
  let log = Log()
  final class Plan {
    var arrivals = 0
    var ended = 0
  }
  // Safe: one thread.
  nonisolated(unsafe) let plan = Plan()
  let handle = process
  func arrive() {
    plan.arrivals += 1
    log.add("arrival \(plan.arrivals) at \(handle.now)")
    Task.detached {
      try? await Task.sleep(for: .milliseconds(15))
      plan.ended += 1
      log.add("end \(plan.ended) at \(cdt_now())")
    }
    if plan.arrivals < 5 { handle.schedule(at: handle.now + 10_000_000, arrive) }
  }
  process.schedule(at: 10_000_000, arrive)
  print(describe(process.run(until: { plan.ended == 5 })))
  log.flush()
  print("callbacks \(process.callbacksRun)")
}

/// The observer is called, and neither it nor its draws shift the program's stream.
func observe(_ process: inout VirtualProcess, isOn: Bool) {
  var calls = 0
  var virtualSeen = 0
  let atStart = UInt64(CDT_VIRTUAL_UPTIME_SECONDS)
  let body = {
    calls += 1
    _ = UInt64.random(in: 0...UInt64.max)
    var reading = timespec()
    clock_gettime(CLOCK_MONOTONIC, &reading)
    let uptime = (UInt64(reading.tv_sec) &- atStart) &* 1_000_000_000 &+ UInt64(reading.tv_nsec)
    if uptime == cdt_now() { virtualSeen += 1 }
  }
  if isOn { process.observe(everyJobs: 16, rawNanoseconds: 0, body) }
  let log = Log()
  print(
    describe(
      process.run {
        for _ in 0..<100 { try? await Task.sleep(for: .milliseconds(1)) }
        log.add("draw \(UInt64.random(in: 0...UInt64.max))")
      }))
  log.flush()
  print("observed \(calls > 0) virtual \(virtualSeen)")
}
