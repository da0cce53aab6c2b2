/// A message of the protocol buffers' wire format while it is being written. Fields go where they are put, so a reader
/// sees them in that order.
package struct ProtobufMessage: Sendable {
  /// The bytes so far.
  package private(set) var bytes: [UInt8] = []

  /// An empty message.
  package init() {}

  private enum WireType: UInt64 {
    case varint = 0
    case fixed64 = 1
    case lengthDelimited = 2
  }

  /// Puts an unsigned number, or one of an enumeration.
  package mutating func put(_ field: Int, _ value: UInt64) {
    key(field, .varint)
    varint(value)
  }

  /// Puts a signed number; a negative one takes ten bytes.
  package mutating func put(_ field: Int, _ value: Int64) { put(field, UInt64(bitPattern: value)) }

  /// Puts a number of eight bytes.
  package mutating func put(_ field: Int, fixed value: UInt64) {
    key(field, .fixed64)
    for shift in stride(from: 0, to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
    }
  }

  /// Puts a text.
  package mutating func put(_ field: Int, _ text: String) {
    key(field, .lengthDelimited)
    varint(UInt64(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  /// Puts a message.
  package mutating func put(_ field: Int, _ message: ProtobufMessage) {
    key(field, .lengthDelimited)
    varint(UInt64(message.bytes.count))
    bytes.append(contentsOf: message.bytes)
  }

  /// Puts a message that is written here.
  package mutating func put(_ field: Int, _ write: (inout ProtobufMessage) -> Void) {
    var message = ProtobufMessage()
    write(&message)
    put(field, message)
  }

  /// Puts repeated numbers in one field; none for no number.
  package mutating func put(_ field: Int, packed values: some Sequence<UInt64>) {
    var message = ProtobufMessage()
    for value in values { message.varint(value) }
    if !message.bytes.isEmpty { put(field, message) }
  }

  private mutating func key(_ field: Int, _ type: WireType) { varint(UInt64(field) << 3 | type.rawValue) }

  /// Seven bits a byte, the least significant first.
  private mutating func varint(_ value: UInt64) {
    var rest = value
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
