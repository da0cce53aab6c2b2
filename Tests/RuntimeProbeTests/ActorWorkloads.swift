import Dispatch
import Glibc
import Synchronization

/// Blocks its thread, so that the actor is held and no core is used.
func block(milliseconds: Int) {
  var left = timespec(tv_sec: 0, tv_nsec: milliseconds * 1_000_000)
  var rest = timespec()
  while nanosleep(&left, &rest) != 0 { left = rest }
}

/// Served one after the other, each call for a known time.
actor Counter {
  private var served = 0

  func serve(milliseconds: Int) {
    block(milliseconds: milliseconds)
    served += 1
  }
}

/// Suspends within its methods.
actor Sleeper {
  private var rounds = 0

  func sleep(milliseconds: Int) async {
    try? await Task.sleep(for: .milliseconds(milliseconds))
    rounds += 1
  }

  func awaitContinuation(milliseconds: Int) async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
        continuation.resume()
      }
    }
    rounds += 1
  }

  func next(of stream: AsyncStream<Int>) async {
    for await _ in stream { rounds += 1 }
  }
}

actor Ping {
  private var count = 0
  func hit() { count += 1 }
}

actor Pong {
  private var count = 0
  func hit() { count += 1 }
}

/// Something that has happened, or not yet.
final class Flag: Sendable {
  private let value = Atomic(false)
  var isSet: Bool { value.load(ordering: .acquiring) }
  func set() { value.store(true, ordering: .releasing) }
}

actor Blocker {
  private var count = 0

  func hold(milliseconds: Int) {
    block(milliseconds: milliseconds)
    count += 1
  }

  /// Says that it is held, and ends 50 ms after `other` is set.
  func hold(_ isHeld: Flag, until other: Flag) {
    isHeld.set()
    while !other.isSet { block(milliseconds: 1) }
    block(milliseconds: 50)
  }
}
