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

  private static let words = [
    "The ", "tide ", "came ", "in ", "over ", "the ", "bar, ", "and ", "with ", "it ", "the ", "first ",
    "of ",
    "the ", "boats. ",
  ]
}
