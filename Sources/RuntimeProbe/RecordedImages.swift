@_spi(Internal) internal import Runtime

/// The images of a process as `/proc/PID/maps` told them, so that its addresses can be named after its end. The files
/// themselves are read then; one that was replaced meanwhile gives wrong names or none.
package struct RecordedImages: Sendable, Hashable {
  /// A file and where its code lay.
  package struct Image: Sendable, Hashable {
    package var path: String
    package var base: UInt64
    package var end: UInt64
  }

  /// In order of their base addresses.
  package private(set) var images: [Image] = []

  /// Reads the text of a `maps` file. Lines that are none are passed over.
  package init(maps text: String) {
    var byPath: [String: Image] = [:]
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: " ", maxSplits: 5)
      let range = fields.first?.split(separator: "-") ?? []
      guard fields.count == 6, range.count == 2, let low = UInt64(range[0], radix: 16),
        let high = UInt64(range[1], radix: 16)
      else { continue }
      let path = String(fields[5].drop { $0 == " " })
      guard path.hasPrefix("/"), !path.hasSuffix(" (deleted)") else { continue }
      var image = byPath[path] ?? Image(path: path, base: low, end: low)
      image.base = min(image.base, low)
      if fields[1].contains("x") { image.end = max(image.end, high) }
      byPath[path] = image
    }
    images = byPath.values.filter { $0.end > $0.base }.sorted { $0.base < $1.base }
  }

  /// Names the places of this process's tasks; `nil` where the toolchain's library does not take the images.
  package var places: CreationPlaces? {
    ImageMap(compactImageMapData: compact).map(CreationPlaces.init(images:))
  }

  /// Compact ImageMap Format, version 0, as the Swift project documents it, with whole addresses and
  /// paths spelt out. What it does not document: the platform's name comes first, behind its length.
  var compact: [UInt8] {
    var bytes: [UInt8] = [0b10]
    let platform = Array("Linux".utf8)
    bytes += Self.number(platform.count) + platform + Self.number(images.count)
    for image in images {
      bytes.append(0b00_111_111)
      bytes += Self.bigEndian(image.base) + Self.bigEndian(image.end - image.base)
      bytes += Self.number(0) + Self.string(image.path)
    }
    return bytes
  }

  private static func bigEndian(_ value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * UInt64($0))) }
  }

  /// Seven bits a byte, the most significant first.
  private static func number(_ value: Int) -> [UInt8] {
    var bytes = [UInt8(value & 0x7F)]
    var rest = value >> 7
    while rest > 0 {
      bytes.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
      rest >>= 7
    }
    return bytes
  }

  private static func string(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let part = rest.prefix(63)
      bytes.append(UInt8(part.count))
      bytes += part
      rest = rest.dropFirst(63)
    }
    return bytes + [0]
  }
}
