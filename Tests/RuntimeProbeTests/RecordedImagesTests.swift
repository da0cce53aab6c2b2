import Foundation
import Testing

@testable import RuntimeProbe

@Suite("Images of a recorded program")
struct RecordedImagesTests {
  @Test("A maps file becomes one image for each file that has code")
  func reading() {
    let images = RecordedImages(
      maps: """
        00400000-00401000 r--p 00000000 08:01 42    /opt/a program
        00401000-00403000 r-xp 00001000 08:01 42    /opt/a program
        00403000-00404000 rw-p 00003000 08:01 42    /opt/a program
        00500000-00501000 rw-p 00000000 00:00 0
        00600000-00601000 r--p 00000000 08:01 43    /data/file
        00700000-00701000 r-xp 00000000 08:01 44    /gone (deleted)
        7ffe0000-7ffe1000 r-xp 00000000 00:00 0     [vdso]
        nonsense
        """
    ).images
    #expect(images == [.init(path: "/opt/a program", base: 0x40_0000, end: 0x40_3000)])
  }

  @Test("An address of this process is named by its images as told from outside")
  func naming() throws {
    let images = RecordedImages(maps: try String(contentsOfFile: "/proc/self/maps", encoding: .utf8))
    var places = try #require(images.places)
    let addresses = Thread.callStackReturnAddresses.map(\.uint64Value)
    let named = places.place(of: addresses)
    let place = try #require(named)
    #expect(place.function.contains("naming()"))
    #expect(place.file == "RuntimeProbeTests/RecordedImagesTests.swift")
  }

  @Test("Files that are no control files are not read")
  func foreignFiles() throws {
    let prefix = NSTemporaryDirectory() + "weir-recording-\(UUID().uuidString)"
    let files = Recording.Files(prefix: prefix, number: 1)
    #expect(Recording.read(files) == nil)
    defer { unlink(files.control) }
    for bytes in [0, 100, 4096, 1 << 20] {
      try Data(count: bytes).write(to: URL(fileURLWithPath: files.control))
      #expect(Recording.read(files) == nil)
      #expect(!Recording.ask(.stop, files))
    }
  }

  @Test("A value recorded here goes where the probe would have put it")
  func recordedValue() {
    for value: UInt64 in [0, 1, 31, 32, 33, 1_000, 1_500_000_000, 123_456_789_012] {
      var histogram = ProbeHistogram(bucketCount: 1_024)
      histogram.record(value)
      let bucket = histogram.buckets.firstIndex(of: 1)
      #expect(
        bucket.map { ProbeHistogram.values(of: $0).contains(value) } == true, "\(value) in \(bucket ?? -1)")
      #expect(
        (histogram.count, histogram.sum, histogram.minimum, histogram.maximum) == (1, value, value, value))
    }
  }
}
