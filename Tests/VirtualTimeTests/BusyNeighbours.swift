// Load beside a test.

import Glibc
import Synchronization

/// Runs `body` while `count` threads of this process spin.
func withBusyNeighbours<Value>(_ count: Int, _ body: () throws -> Value) rethrows -> Value {
  let neighbours = BusyNeighbours()
  var threads: [pthread_t] = []
  for _ in 0..<count {
    var thread = pthread_t()
    pthread_create(&thread, nil, spin, Unmanaged.passUnretained(neighbours).toOpaque())
    threads.append(thread)
  }
  defer {
    neighbours.isOver.store(true, ordering: .relaxed)
    for thread in threads { pthread_join(thread, nil) }
    withExtendedLifetime(neighbours) {}
  }
  return try body()
}

private final class BusyNeighbours: Sendable {
  let isOver = Atomic(false)
}

private func spin(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument else { return nil }
  let neighbours = Unmanaged<BusyNeighbours>.fromOpaque(argument).takeUnretainedValue()
  while !neighbours.isOver.load(ordering: .relaxed) {}
  return nil
}
