/// Looks at raw bytes before they reach the YAML library, which stops at a NUL without a word, and takes a
/// time that grows with the square of their length for directives.
enum TextScreening {
  /// The largest scenario that is read, in bytes.
  static let largest = 1 << 18

  /// The text in the bytes, or what is wrong with them.
  static func text(of bytes: [UInt8], file: String) -> Result<String, ScenarioDiagnostic> {
    func fault(_ message: String, at offset: Int) -> Result<String, ScenarioDiagnostic> {
      let before = String(decoding: bytes[..<offset], as: UTF8.self)
      let source = SourceText(name: file, text: before)
      let line = lineCount(before)
      let column = (source.line(line)?.unicodeScalars.count ?? 0) + 1
      return .failure(
        ScenarioDiagnostic(
          file: file, line: line, column: column, message: message, allowed: "a YAML text in UTF-8"))
    }
    guard bytes.count <= largest else {
      return .failure(
        ScenarioDiagnostic(
          file: file, message: "the file is too large for a scenario", allowed: "at most \(largest) bytes"))
    }
    if let offset = bytes.firstIndex(where: { $0 < 32 && $0 != 9 && $0 != 10 && $0 != 13 || $0 == 127 }) {
      return fault("this is no text: byte \(bytes[offset]) is a control character", at: offset)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      return fault("this is no text in UTF-8", at: validPrefix(of: bytes))
    }
    if let offset = directive(in: bytes) {
      return fault("directives (`%`) are not used in scenarios", at: offset)
    }
    return .success(text)
  }

  private static func lineCount(_ text: String) -> Int {
    var count = 1
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      if scalar == "\r" || scalar == "\n" && previous != "\r" { count += 1 }
      previous = scalar
    }
    return count
  }

  /// How many bytes at the start are well-formed UTF-8.
  private static func validPrefix(of bytes: [UInt8]) -> Int {
    var decoder = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var length = 0
    while case .valid(let scalar) = decoder.parseScalar(from: &iterator) { length += scalar.count }
    return length
  }

  /// The offset of a directive: a `%` that begins a line before any content.
  private static func directive(in bytes: [UInt8]) -> Int? {
    var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex { $0 == 10 || $0 == 13 } ?? bytes.count
      let first = bytes[start..<end].firstIndex { $0 != 32 && $0 != 9 }
      if let first {
        if bytes[first] == UInt8(ascii: "%") { return first }
        if bytes[first] != UInt8(ascii: "#") { return nil }
      }
      start = end + 1
    }
    return nil
  }
}
