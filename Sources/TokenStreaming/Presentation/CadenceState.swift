/// The cadence as a value: events in, the reader's next step out.
///
/// Text is shown when it comes and the last update is old enough; else when it is. A timer is asked for when text
/// has to wait, so a stream that goes silent has nothing in hand for longer than the cadence.
struct CadenceState<Instant: Sendable, Waiter> {
  enum Step {
    /// Start a timer for then, and ask again.
    case startTimer(Instant)
    /// Show this, and ask again.
    case show(TextUpdate)
    /// The stream is over and all is shown.
    case over(StreamEnd)
  }

  private var pending = PendingText()
  private var nextUpdate: Instant?
  private var isTimerRunning = false
  private var end: StreamEnd?
  private var waiter: Waiter?

  /// The reader's next step; nil if it has to wait.
  mutating func step(now: Instant, isEarlier: (Instant, Instant) -> Bool, after: (Instant) -> Instant)
    -> Step?
  {
    if let end { return pending.takeAll().map { .show($0) } ?? .over(end) }
    guard pending.canBeShown else { return nil }
    if let nextUpdate, isEarlier(now, nextUpdate) {
      guard !isTimerRunning else { return nil }
      isTimerRunning = true
      return .startTimer(nextUpdate)
    }
    nextUpdate = after(now)
    return pending.take(cause: .age).map { .show($0) }
  }

  /// Whether the reader has a step to make.
  var isReady: Bool { end != nil || (pending.canBeShown && !isTimerRunning) }

  /// The reader waits for something to happen.
  mutating func wait(_ waiter: Waiter) { self.waiter = waiter }

  /// A token came. Returns whom to wake.
  mutating func add(_ token: Token) -> Waiter? {
    pending.append(token)
    return pending.canBeShown && !isTimerRunning ? takeWaiter() : nil
  }

  /// The timer's time has come.
  mutating func timerFired() -> Waiter? {
    isTimerRunning = false
    return takeWaiter()
  }

  /// The stream is over.
  mutating func finish(_ end: StreamEnd) -> Waiter? {
    self.end = end
    return takeWaiter()
  }

  private mutating func takeWaiter() -> Waiter? {
    defer { waiter = nil }
    return waiter
  }
}
