// Workloads that use the language alone, as a program under test would.

import Glibc

actor Register {
  private(set) var entries: [Int] = []
  func store(_ value: Int) { entries.append(value) }
}

@MainActor
final class Screen {
  var shown: [Int] = []
  func show(_ value: Int) { shown.append(value) }
}

@MainActor
func showOnMain(_ value: Int, screen: Screen, log: Log) async {
  screen.show(value)
  MainActor.assertIsolated()
  try? await Task.sleep(for: .milliseconds(value))
  MainActor.assertIsolated()
  log.add("main \(value) \(screen.shown.count)")
}

/// Some of everything the runtime offers, with random draws and dictionary orders in it.
func medley(_ log: Log) async {
  let start = ContinuousClock.now
  let register = Register()
  await withTaskGroup(of: Int.self) { group in
    for worker in 0..<8 {
      group.addTask {
        for step in 0..<5 {
          try? await Task.sleep(for: .milliseconds(Int.random(in: 1...20)))
          await register.store(worker * 10 + step)
          await Task.yield()
        }
        return worker
      }
    }
    for await worker in group { log.add("worker \(worker)") }
  }
  log.add("entries \(await register.entries)")

  let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
  let producer = Task {
    for value in 0..<10 {
      try? await Task.sleep(for: .microseconds(Int.random(in: 1...900)), clock: .suspending)
      continuation.yield(value)
    }
    continuation.finish()
  }
  for await value in stream { log.add("stream \(value) after \(start.duration(to: .now))") }
  await producer.value

  async let left = slowSquare(7)
  async let right = slowSquare(8)
  log.add("async let \(await left) \(await right)")

  let screen = await MainActor.run { Screen() }
  await withTaskGroup(of: Void.self) { group in
    for value in 1...5 { group.addTask { await showOnMain(6 - value, screen: screen, log: log) } }
  }

  let cancelled = Task {
    await withTaskCancellationHandler {
      do {
        try await Task.sleep(for: .seconds(3_600))
        return "slept"
      } catch {
        return "cancelled"
      }
    } onCancel: {
      log.add("cancel handler")
    }
  }
  try? await Task.sleep(nanoseconds: 5_000_000)
  cancelled.cancel()
  log.add("\(await cancelled.value) after \(start.duration(to: .now))")

  log.add("timeout \(await withTimeout(.milliseconds(250)) { try? await Task.sleep(for: .seconds(9)) })")
  log.add("elements \((0..<6).map { _ in ["a", "b", "c", "d", "e"].randomElement() ?? "-" })")
  log.add("shuffled \((0..<12).shuffled())")
  let names = Dictionary(uniqueKeysWithValues: (0..<12).map { ("key \($0)", $0) })
  log.add("dictionary \(names.map(\.key))")
  log.add("suspending \(SuspendingClock().systemEpoch.duration(to: .now))")
  var wall = timespec()
  clock_gettime(CLOCK_REALTIME, &wall)
  log.add("wall \(wall.tv_sec) \(wall.tv_nsec)")
}

private func slowSquare(_ value: Int) async -> Int {
  try? await Task.sleep(for: .milliseconds(value))
  return value * value
}

private func withTimeout(_ limit: Duration, _ work: @escaping @Sendable () async -> Void) async -> String {
  await withTaskGroup(of: String.self) { group in
    group.addTask {
      await work()
      return "done"
    }
    group.addTask {
      try? await Task.sleep(for: limit)
      return "timed out"
    }
    let first = await group.next() ?? "none"
    group.cancelAll()
    return first
  }
}

func sleeps(tasks: Int, each: Int) async {
  await withTaskGroup(of: Void.self) { group in
    for task in 0..<tasks {
      group.addTask {
        for step in 0..<each {
          try? await Task.sleep(for: .milliseconds((task &* 31 &+ step &* 17) % 97 + 1))
        }
      }
    }
  }
}

/// Story-like: for each story ten names onto a shared actor and a stream of 400 tokens, each after a sleep.
func stories(_ count: Int) async {
  let register = Register()
  await withTaskGroup(of: Void.self) { group in
    for story in 0..<count {
      group.addTask {
        for name in 0..<10 {
          try? await Task.sleep(for: .milliseconds(100 + (story + name) % 50))
          await register.store(name)
        }
        let (stream, continuation) = AsyncStream.makeStream(
          of: Int.self, bufferingPolicy: .bufferingOldest(64))
        let producer = Task {
          for token in 0..<400 {
            try? await Task.sleep(for: .milliseconds(10 + token % 7))
            continuation.yield(token)
          }
          continuation.finish()
        }
        var received = 0
        for await _ in stream { received += 1 }
        await producer.value
        await register.store(received)
      }
    }
  }
}

/// Starts eight tasks at once, each of which yields thrice.
func order(_ log: Log) async {
  await withTaskGroup(of: Void.self) { group in
    for task in 0..<8 {
      group.addTask {
        for step in 0..<3 {
          log.add("task \(task) step \(step)")
          await Task.yield()
        }
      }
    }
  }
}

func equalDeadlines(_ log: Log) async {
  await withTaskGroup(of: Void.self) { group in
    for task in 0..<8 {
      group.addTask {
        try? await Task.sleep(until: ContinuousClock().systemEpoch + .seconds(1) + .milliseconds(5))
        log.add("task \(task)")
      }
    }
  }
}
