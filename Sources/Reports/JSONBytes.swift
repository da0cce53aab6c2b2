internal import Foundation

/// Whether JSON text ends before it is whole.
enum JSONEnd {
  /// What is missing, with the byte where the data ends; nil for data whose brackets and quotes are closed.
  static func missing(in data: Data) -> String? {
    var depth = 0
    var isInText = false
    var isEscaped = false
    for byte in data {
      if isInText {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInText = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInText = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
    }
    if data.isEmpty { return "the file is empty" }
    return depth > 0 || isInText ? "it is cut off at byte \(data.count)" : nil
  }
}

/// Puts arrays that hold nothing but numbers on one line: histograms and series are long.
enum NumberArrays {
  static func joined(_ bytes: [UInt8]) -> [UInt8] {
    var joined: [UInt8] = []
    joined.reserveCapacity(bytes.count)
    var index = 0
    var isInText = false
    while index < bytes.count {
      let byte = bytes[index]
      if isInText {
        joined.append(byte)
        if byte == UInt8(ascii: "\\"), index + 1 < bytes.count {
          index += 1
          joined.append(bytes[index])
        } else if byte == UInt8(ascii: "\"") {
          isInText = false
        }
      } else if byte == UInt8(ascii: "["), let end = endOfNumbers(bytes, from: index + 1) {
        for inner in bytes[index...end] where inner != 10 && inner != 32 {
          joined.append(inner)
          if inner == UInt8(ascii: ",") { joined.append(32) }
        }
        index = end
      } else {
        isInText = byte == UInt8(ascii: "\"")
        joined.append(byte)
      }
      index += 1
    }
    return joined
  }

  private static let allowed = Set("0123456789+-.eE, \n".utf8)

  private static func endOfNumbers(_ bytes: [UInt8], from start: Int) -> Int? {
    var index = start
    while index < bytes.count, allowed.contains(bytes[index]) { index += 1 }
    return index < bytes.count && bytes[index] == UInt8(ascii: "]") ? index : nil
  }
}
