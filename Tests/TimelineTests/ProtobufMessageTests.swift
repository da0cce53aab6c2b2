import Testing

@testable import Timeline

@Suite("Protocol buffers")
struct ProtobufMessageTests {
  @Test(
    "Numbers of every length come back",
    arguments: [
      0, 1, 127, 128, 16_383, 16_384, 1 << 35, UInt64(1) << 63, .max,
    ])
  func numbers(value: UInt64) throws {
    var message = ProtobufMessage()
    message.put(1, value)
    message.put(500, fixed: value)
    message.put(2, packed: [value, 1, value])
    message.put(3, Int64(bitPattern: value))
    let read = try #require(WireReader(message.bytes))
    #expect(read.number(1) == value && read.number(500) == value && read.number(3) == value)
    #expect(read.packed(2) == [value, 1, value])
  }

  @Test("The bytes are those of the format's own example")
  func example() {
    var message = ProtobufMessage()
    message.put(1, UInt64(150))
    message.put(2, "testing")
    #expect(message.bytes == [0x08, 0x96, 0x01, 0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6E, 0x67])
  }
}
