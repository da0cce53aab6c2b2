/// Joins tokens to text that never shows the half of a character, as a value.
///
/// Held back until the next token, or the end, are: a UTF-8 sequence that is not whole, a zero-width joiner at the
/// end (another part follows), and the first of two regional indicators (half of a flag). A combining mark that
/// comes in a token of its own still changes the character before it; that one stood alone until then.
/// Adding a token costs time in proportion to what is held and what is added, not to the text so far.
public struct GraphemeJoiner: Sendable {
  private var held: [UInt8] = []

  /// Nothing is held.
  public init() {}

  /// Bytes held back.
  public var heldCount: Int { held.count }

  /// Adds a token; returns the text that may be shown now.
  public mutating func append(_ utf8: [UInt8]) -> String {
    if held.isEmpty, utf8.allSatisfy({ $0 < 0x80 }) { return String(decoding: utf8, as: UTF8.self) }
    held += utf8
    let whole = Self.wholePrefix(of: held)
    defer { held.removeFirst(whole) }
    return String(decoding: held[..<whole], as: UTF8.self)
  }

  /// No more tokens come: what is held, as far as it is text. The beginning of a UTF-8 sequence is not.
  public mutating func finish() -> String {
    defer { held = [] }
    return String(decoding: held[..<Self.wholeSequences(in: held)], as: UTF8.self)
  }

  /// How many bytes end with a character that is not known to go on.
  private static func wholePrefix(of bytes: [UInt8]) -> Int {
    let end = wholeSequences(in: bytes)
    var text = Substring(String(decoding: bytes[..<end], as: UTF8.self))
    // The whole character that a joiner ends waits, and so does the joiner before it whose character was shown.
    var waiting = 0
    while text.unicodeScalars.last == joiner { waiting += text.removeLast().utf8.count }
    if waiting == 0, let last = text.unicodeScalars.last, isRegional(last) {
      let regionals = text.unicodeScalars.reversed().prefix(while: isRegional).count
      if !regionals.isMultiple(of: 2) { waiting = UTF8.width(last) }
    }
    // Bytes that are no UTF-8 are longer as text, so more may seem to wait than there is.
    return max(0, end - waiting)
  }

  /// How many bytes are left when a UTF-8 sequence that has only begun is taken off.
  private static func wholeSequences(in bytes: [UInt8]) -> Int {
    for (back, byte) in bytes.reversed().prefix(4).enumerated() {
      if byte & 0xC0 == 0x80 { continue }
      let length = byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
      return length > back + 1 ? bytes.count - back - 1 : bytes.count
    }
    return bytes.count
  }

  private static let joiner: Unicode.Scalar = "\u{200D}"
  private static func isRegional(_ scalar: Unicode.Scalar) -> Bool {
    (0x1F1E6...0x1F1FF).contains(scalar.value)
  }
}
