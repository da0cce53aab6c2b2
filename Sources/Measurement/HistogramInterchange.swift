extension LatencyHistogram {
  private static let cookie: UInt32 = 0x1c84_9313
  private static let headerLength = 40

  /// The histogram in the HdrHistogram V2 interchange encoding, uncompressed, in base64: readable by the
  /// HdrHistogram libraries. It holds the values in range only.
  ///
  /// Format: hdrhistogram.org, `V2 encoding`: a big-endian header of 40 bytes, then the counts as ZigZag
  /// LEB128 of at most nine bytes, runs of zeros as one negative number.
  public func interchangeBase64() -> String { Base64.encode(interchangeBytes()) }

  /// The bytes of `interchangeBase64()`.
  public func interchangeBytes() -> [UInt8] {
    let payload = interchangePayload()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.headerLength + payload.count)
    func append(_ value: some FixedWidthInteger) {
      withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }
    append(Self.cookie)
    append(UInt32(payload.count))
    append(UInt32(0))  // normalizing index offset
    append(UInt32(layout.digits))
    append(layout.lowest)
    append(layout.highest)
    append(Double(1).bitPattern)  // integer to double conversion ratio
    return bytes + payload
  }

  private func interchangePayload() -> [UInt8] {
    var bytes: [UInt8] = []
    var next = 0
    for (index, count) in filledBuckets {
      let zeros = index - next
      if zeros > 0 { LEB128.append(zeros == 1 ? 0 : Int64(-zeros), to: &bytes) }
      LEB128.append(Int64(clamping: count), to: &bytes)
      next = index + 1
    }
    return bytes
  }

  /// Reads an uncompressed V2 encoding. The exact minimum, maximum and sum are not in it: they are taken
  /// from the buckets (lower end, upper end, middle). Throws `HistogramError`.
  public init(interchangeBase64 text: String) throws(HistogramError) {
    guard let bytes = Base64.decode(text) else { throw .badData("not base64") }
    try self.init(interchangeBytes: bytes)
  }

  /// Reads the bytes of an uncompressed V2 encoding. Throws `HistogramError`.
  public init(interchangeBytes bytes: [UInt8]) throws(HistogramError) {
    guard bytes.count >= Self.headerLength else { throw .badData("shorter than its header") }
    func word(_ offset: Int, _ length: Int) -> UInt64 {
      bytes[offset..<offset + length].reduce(0) { $0 << 8 | UInt64($1) }
    }
    guard word(0, 4) == UInt64(Self.cookie) else { throw .badData("not an uncompressed V2 encoding") }
    guard word(4, 4) == UInt64(bytes.count - Self.headerLength) else { throw .badData("cut short") }
    guard word(8, 4) == 0, word(32, 8) == Double(1).bitPattern else {
      throw .badData("shifted or scaled values")
    }
    let layout = try HistogramLayout(
      lowest: Int64(bitPattern: word(16, 8)), highest: Int64(bitPattern: word(24, 8)),
      digits: Int(word(12, 4)))
    self.init(layout: layout)
    try readPayload(bytes[Self.headerLength...])
  }

  private mutating func readPayload(_ payload: ArraySlice<UInt8>) throws(HistogramError) {
    var position = payload.startIndex
    var index = 0
    while position < payload.endIndex {
      guard let value = LEB128.read(payload, at: &position) else { throw .badData("a count is cut short") }
      if value > 0 {
        try fill(bucket: index, with: UInt64(value))
        let range = layout.values(at: index)
        lowestSeen = min(lowestSeen, range.lowerBound)
        highestSeen = max(highestSeen, min(range.upperBound, layout.highest))
        let middle = UInt64(range.lowerBound + (range.upperBound - range.lowerBound) / 2)
        let (product, overflow) = middle.multipliedReportingOverflow(by: UInt64(value))
        addToSum(overflow ? .max : product)
      }
      let step = value < 0 ? value.magnitude : 1
      guard step <= UInt64(layout.length - index) else { throw .badData("more counts than buckets") }
      index += Int(step)
    }
  }
}

/// ZigZag LEB128 of 64-bit numbers in at most nine bytes: the ninth byte carries eight bits.
enum LEB128 {
  static func append(_ value: Int64, to bytes: inout [UInt8]) {
    var rest = UInt64(bitPattern: (value << 1) ^ (value >> 63))
    for _ in 0..<8 {
      if rest < 0x80 {
        bytes.append(UInt8(rest))
        return
      }
      bytes.append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  static func read(_ bytes: ArraySlice<UInt8>, at position: inout Int) -> Int64? {
    var value: UInt64 = 0
    for step in 0..<9 {
      guard position < bytes.endIndex else { return nil }
      let byte = bytes[position]
      position += 1
      if step == 8 {
        value |= UInt64(byte) << 56
        break
      }
      value |= UInt64(byte & 0x7f) << UInt64(7 * step)
      if byte < 0x80 { break }
    }
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }
}
