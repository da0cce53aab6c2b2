/// What became of the prices of one stream, as a value: events in, what to count out.
///
/// With several threads the events of one price may come in any order, so each looks at what is known already.
struct TickLedger {
  private var window = FateWindow()
  private var isClosed = false
  /// Prices that were offered and neither delivered, dropped nor refused.
  private(set) var waiting = 0
  /// Of those, the ones that the stream has said to have.
  private(set) var level = 0
  /// The highest level so far.
  private(set) var peak = 0
  /// Prices said to be dropped that were delivered all the same, before or after.
  private(set) var droppedAndDelivered = 0

  /// The source called back. False if the books are closed.
  mutating func offer(_ number: Int) -> Bool {
    guard !isClosed else { return false }
    waiting += 1
    _ = window.mark(number, .offered)
    return true
  }

  /// The stream has it.
  mutating func accept(_ number: Int) {
    // Another thread may have pushed it out already.
    guard !isClosed, window.mark(number, .waiting) != .dropped else { return }
    level += 1
    peak = max(peak, level)
  }

  /// The stream gave it up. False if the books are closed.
  mutating func drop(_ number: Int) -> Bool {
    guard !isClosed else { return false }
    waiting -= 1
    let before = window.mark(number, .dropped)
    if before == .delivered { droppedAndDelivered += 1 }
    if before == .waiting { level -= 1 }
    return true
  }

  /// It reached nobody. False if the books are closed.
  mutating func refuse(_ number: Int) -> Bool {
    guard !isClosed else { return false }
    waiting -= 1
    _ = window.mark(number, .refused)
    return true
  }

  /// A consumer has it. False if the books are closed.
  mutating func deliver(_ number: Int) -> Bool {
    guard !isClosed else { return false }
    waiting -= 1
    level -= 1
    if window.mark(number, .delivered) == .dropped { droppedAndDelivered += 1 }
    return true
  }

  /// Prices that are neither delivered nor said to be dropped.
  var unaccounted: Int { window.openCount }

  /// Nothing more comes: returns the prices without a fate.
  mutating func close() -> Int {
    isClosed = true
    defer { waiting = 0 }
    return waiting
  }
}
