/// Makes lines out of bytes that come in pieces cut anywhere.
public protocol LineSplitting: Sendable {
  /// A piece has come; the lines that are whole with it.
  mutating func append(_ bytes: some Sequence<UInt8>) -> [String]
  /// There is no more; the last line, if it had no end. Called once.
  mutating func finish() -> String?
}

/// Lines end in LF, CR LF or CR. Text is decoded line by line, so a character may lie in two pieces; bytes that
/// are no UTF-8 become U+FFFD.
///
/// A CR at the end of a piece ends its line at once; a LF at the start of the next one belongs to it.
public struct LineSplitter: LineSplitting {
  private var line: [UInt8] = []
  private var endedInReturn = false

  /// No bytes yet.
  public init() {}

  /// Looks at each byte once.
  public mutating func append(_ bytes: some Sequence<UInt8>) -> [String] {
    var lines: [String] = []
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\n") where endedInReturn: endedInReturn = false
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        endedInReturn = byte == UInt8(ascii: "\r")
        lines.append(String(decoding: line, as: UTF8.self))
        line.removeAll(keepingCapacity: true)
      default:
        endedInReturn = false
        line.append(byte)
      }
    }
    return lines
  }

  /// What stands after the last end.
  public mutating func finish() -> String? {
    defer { line = [] }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }
}
