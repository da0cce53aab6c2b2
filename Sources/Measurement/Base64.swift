/// Base64 (RFC 4648, section 4) without Foundation.
enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0..<4 {
        text.append(place <= group.count ? alphabet[bits >> (18 - 6 * place) & 63] : 61)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes, or `nil` where the text is not padded base64.
  static func decode(_ text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count % 4 == 0 else { return nil }
    let padding = digits.reversed().prefix { $0 == 61 }.count
    guard padding <= 2 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 4 * 3)
    var bits = 0
    for (place, digit) in digits.enumerated() {
      let value: Int
      if place >= digits.count - padding {
        value = 0
      } else {
        guard let known = Self.value(of: digit) else { return nil }
        value = known
      }
      bits = bits << 6 | value
      if place % 4 == 3 {
        bytes += [UInt8(bits >> 16 & 255), UInt8(bits >> 8 & 255), UInt8(bits & 255)]
        bits = 0
      }
    }
    bytes.removeLast(padding)
    return bytes
  }

  private static func value(of digit: UInt8) -> Int? {
    switch digit {
    case 65...90: Int(digit) - 65
    case 97...122: Int(digit) - 71
    case 48...57: Int(digit) + 4
    case 43: 62
    case 47: 63
    default: nil
    }
  }
}
