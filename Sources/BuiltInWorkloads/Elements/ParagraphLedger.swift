/// What became of the paragraphs of one story, as a value. They come in order and have no identity.
struct ParagraphLedger {
  /// The time, in ns, before a paragraph that was delivered.
  enum Gap {
    /// Since the stage's start.
    case first(Int64)
    /// Since the paragraph before.
    case between(Int64)
  }

  private var isClosed = false
  private var startedAt: Int64 = 0
  private var lastAt: Int64?
  /// Paragraphs that were neither delivered nor dropped yet.
  private(set) var undetermined = 0

  /// The stage starts, perhaps again.
  mutating func start(at time: Int64) {
    startedAt = time
    lastAt = nil
  }

  /// A paragraph exists. False if the books are closed.
  mutating func make() -> Bool {
    guard !isClosed else { return false }
    undetermined += 1
    return true
  }

  /// Its consumer has it. Nil if the books are closed.
  mutating func deliver(at time: Int64) -> Gap? {
    guard !isClosed else { return nil }
    undetermined -= 1
    defer { lastAt = time }
    return lastAt.map { .between(time - $0) } ?? .first(time - startedAt)
  }

  /// Paragraphs were withdrawn by a cancel. False if the books are closed.
  mutating func drop(_ count: Int) -> Bool {
    guard !isClosed else { return false }
    undetermined -= count
    return true
  }

  /// The cell is over. Returns the paragraphs without a fate.
  mutating func close() -> Int {
    isClosed = true
    return undetermined
  }
}
