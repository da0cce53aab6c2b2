import Dispatch
import Synchronization

/// Flaw: calls that are under way, in a table with a lock of its own; the way of an ending takes the lock of the call
/// and then the table's, the way of a cancel the table's and then that of the call.
///
/// Two threads that meet wait for each other, and the threads of the pool are few. Sound: one order on both ways, or no
/// lock held while another is taken.
final class CrossedLocks: Sendable {
  /// A lock that blocks its thread, as those of a C library do. An ending holds it while the connection is closed.
  final class Call: Sendable {
    fileprivate let lock = DispatchSemaphore(value: 1)
    fileprivate let isOver = Atomic(false)
  }

  private let lock = DispatchSemaphore(value: 1)
  /// Never contended: taken inside `lock` only.
  private let calls = Mutex<[ObjectIdentifier: Call]>([:])

  /// A call begins.
  func begin() -> Call {
    let call = Call()
    locked(lock) { calls.withLock { $0[ObjectIdentifier(call)] = call } }
    return call
  }

  /// A call has ended: its connection is closed, then it leaves the table.
  func ended(_ call: Call) {
    locked(call.lock) {
      call.isOver.store(true, ordering: .relaxed)
      CrossedLocks.close()
      locked(lock) { _ = calls.withLock { $0.removeValue(forKey: ObjectIdentifier(call)) } }
    }
  }

  /// A call is cancelled: it is looked up, then told.
  func cancelled(_ call: Call) {
    locked(lock) {
      guard calls.withLock({ $0[ObjectIdentifier(call)] }) != nil else { return }
      locked(call.lock) { call.isOver.store(true, ordering: .relaxed) }
    }
  }

  private func locked(_ lock: DispatchSemaphore, _ body: () -> Void) {
    lock.wait()
    defer { lock.signal() }
    body()
  }

  /// What closing a connection takes: a system call that blocks for two milliseconds.
  private static func close() { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(2)) }
}
