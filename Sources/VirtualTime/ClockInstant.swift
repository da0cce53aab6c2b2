// The runtime's instants and durations as nanoseconds of virtual time.

internal import CDeterminism
internal import _Concurrency

/// `duration` in whole nanoseconds, rounded up so that nobody wakes early; negative ones are 0, and those
/// past 2^62 ns (146 years) stop there.
@inline(__always)
func nanoseconds(of duration: Duration) -> UInt64 {
  let attoseconds = duration.attoseconds
  guard attoseconds._high >= 0 else { return 0 }
  let (high, low) = (UInt64(bitPattern: attoseconds._high), attoseconds._low)
  guard high < 250_000_000 else { return latestDeadline }
  // 2^64 attoseconds are 18.4 s: a plain division by hardware, where Int128's own is a library call.
  let (quotient, remainder) = (1_000_000_000 as UInt64).dividingFullWidth((high, low))
  return min(remainder == 0 ? quotient : quotient &+ 1, latestDeadline)
}

/// The last instant virtual time can reach: 2^62 ns, 146 years.
let latestDeadline: UInt64 = 1 << 62

/// What the monotonic clocks read at virtual time 0, in nanoseconds.
let uptimeAtStart = UInt64(CDT_VIRTUAL_UPTIME_SECONDS) * 1_000_000_000

/// `instant` of `clock` on the base of virtual time.
///
/// Continuous and suspending instants count from the clock's epoch, a second before the start of virtual time;
/// their layout is that of `Duration` (the runtime's inlinable `systemEpoch` relies on the same). Instants of
/// other clocks are taken by their distance from that clock's `now`. Instants before the start are 0.
func deadline<C: Clock>(of instant: C.Instant, clock: C) -> UInt64 {
  if C.self == ContinuousClock.self || C.self == SuspendingClock.self {
    let sinceEpoch = withUnsafePointer(to: instant) {
      UnsafeRawPointer($0).loadUnaligned(as: Duration.self)
    }
    let uptime = nanoseconds(of: sinceEpoch)
    return uptime > uptimeAtStart ? uptime &- uptimeAtStart : 0
  }
  return deadline(after: clock.now.duration(to: instant), clock: clock)
}

/// The instant `delay` from now.
func deadline<C: Clock>(after delay: C.Duration, clock: C) -> UInt64 {
  guard C.Duration.self == Duration.self else {
    fatalError("virtual time cannot serve \(C.self): its durations are \(C.Duration.self), not Duration")
  }
  let plain = withUnsafePointer(to: delay) { UnsafeRawPointer($0).loadUnaligned(as: Duration.self) }
  return min(cdt_now() &+ nanoseconds(of: plain), latestDeadline)
}
