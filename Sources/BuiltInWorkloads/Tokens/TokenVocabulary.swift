internal import TokenStreaming

/// What the scripted engine writes, made once for a cell so that a token costs no allocation.
struct TokenVocabulary: Sendable {
  private let tokens: [[UInt8]]

  /// Tokens are the scripted values, or words where there are none; with `bytes`, the values joined and cut anew.
  init(values: [String], bytes: Int?) {
    let values = values.isEmpty ? Self.words : values
    guard let bytes else {
      tokens = values.map { Array($0.utf8) }
      return
    }
    let text = values.flatMap { Array($0.utf8) }
    tokens = stride(from: 0, to: text.count, by: bytes).map { Array(text[$0..<min($0 + bytes, text.count)]) }
  }

  /// The token at a place of a reply; the text begins again when it is through.
  func token(_ index: Int) -> Token { Token(index: index, utf8: tokens[index % tokens.count]) }

  /// How many of the first `count` tokens of a reply are text that can be shown: the last may end within a character.
  func whole(of count: Int) -> Int {
    // A token whose last byte is ASCII leaves nothing open.
    var whole = count
    while whole > 0, token(whole - 1).utf8.last ?? 0xFF >= 0x80 { whole -= 1 }
    var joiner = GraphemeJoiner()
    for index in whole..<count {
      _ = joiner.append(token(index).utf8)
      if joiner.heldCount == 0 { whole = index + 1 }
    }
    return whole
  }

  private static let words = [
    "The ", "tide ", "came ", "in ", "over ", "the ", "bar, ", "and ", "with ", "it ", "the ", "first ",
    "of ",
    "the ", "boats. ",
  ]
}
