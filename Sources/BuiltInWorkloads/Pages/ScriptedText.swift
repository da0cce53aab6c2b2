internal import LiveFeeds

/// The text of one iteration, and what is to come of it.
struct ScriptedText {
  /// The lines, or the events' data, in order.
  let expected: [String]
  /// All of it.
  let bytes: [UInt8]

  private static let words = ["Straße", "naïve", "price 12.50 €", "日本", "👩‍🚀 lift-off", "plain"]

  init(_ behaviour: PagesBehaviour) {
    expected = (0..<behaviour.lines).map {
      "\($0) \(behaviour.isPlain ? "plain words" : Self.words[$0 % Self.words.count])"
    }
    let end = behaviour.hasReturns ? "\r\n" : "\n"
    let parts = expected.map { behaviour.reads == .events ? "event: tick\(end)data: \($0)\(end)" : $0 }
    let text = parts.joined(separator: end)
    bytes = Array((text + (behaviour.isLastLineEnded || behaviour.reads == .events ? end : "")).utf8)
  }
}

/// Holds what comes against what is to come, as a value.
struct TextReader {
  private let expected: [String]
  private var next = 0
  private var part = ""
  private(set) var seen = TextSeen()
  /// Elements that came whole and undamaged.
  private(set) var whole = 0

  init(_ expected: [String]) { self.expected = expected }

  /// A line, or an event's data, has come.
  mutating func read(_ text: String) {
    guard next < expected.count else {
      seen.broken += 1
      return
    }
    if text == expected[next], part.isEmpty {
      whole += 1
      next += 1
    } else if text.hasSuffix("\r"), text.dropLast() == expected[next] {
      seen.returnsKept += 1
      next += 1
    } else if text.unicodeScalars.contains("\u{FFFD}") {
      seen.damaged += 1
      next += 1
    } else {
      seen.broken += 1
      part += text
      if !expected[next].unicodeScalars.starts(with: part.unicodeScalars) {
        // Something is missing in between: goes on with the next that begins like this.
        part = ""
        next += 1
      } else if part == expected[next] {
        part = ""
        next += 1
      }
    }
  }

  /// No more comes.
  mutating func finish() {
    seen.missingAtEnd = Int64(expected.count - next)
  }
}
