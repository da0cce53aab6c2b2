internal import Glibc

/// Time within a cell, in ns from its start, on the clock that `ContinuousClock` reads on Linux.
///
/// Under virtual time the process's clock is taken over, so the same code reads virtual time. A reading costs
/// one `clock_gettime`.
public struct CellClock: Sendable {
  /// The start of the cell as the system clock reads it, in ns.
  public let origin: Int64
  /// The start of the cell as `ContinuousClock` has it.
  public let start: ContinuousClock.Instant

  /// Starts a cell's time now.
  public init() {
    start = ContinuousClock.now
    origin = Self.reading()
  }

  /// Ns since the start of the cell.
  public func now() -> Int64 { Self.reading() &- origin }

  /// The instant that lies `nanoseconds` after the start of the cell.
  public func instant(at nanoseconds: Int64) -> ContinuousClock.Instant {
    start.advanced(by: .nanoseconds(nanoseconds))
  }

  /// Suspends until `nanoseconds` after the start of the cell.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func sleep(until nanoseconds: Int64) async throws {
    try await Task.sleep(until: instant(at: nanoseconds), tolerance: .zero, clock: .continuous)
  }

  private static func reading() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
