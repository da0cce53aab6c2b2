import Foundation
import Measurement
import Testing

@Suite("Stored forms of a histogram")
struct HistogramFormTests {
  private var sample: LatencyHistogram {
    var result = LatencyHistogram()
    for step: Int64 in 0..<3_000 { result.record(step * step * 997) }
    result.record(5, count: 1 << 40)
    return result
  }

  @Test("The sparse form survives coding and is the same each time")
  func coding() throws {
    var original = sample
    original.record(-4)
    original.record(4_000_000_000_000)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(original)
    let decoded = try JSONDecoder().decode(LatencyHistogram.self, from: data)
    #expect(decoded == original)
    #expect(try encoder.encode(decoded) == data)
    let empty = try JSONDecoder().decode(LatencyHistogram.self, from: encoder.encode(LatencyHistogram()))
    #expect(empty == LatencyHistogram())
  }

  @Test(
    "Forms that contradict themselves are refused",
    arguments: [
      #""min":1,"max":1,"buckets":[[99999,1]]"#, #""buckets":[[1,1]]"#, #""min":1,"max":1,"buckets":[]"#,
      #""min":1,"max":1,"buckets":[[1,0]]"#, #""min":1,"max":1,"buckets":[[1,1],[1,1]]"#,
      #""min":1,"max":1,"buckets":[[1]]"#, #""min":3,"max":1,"buckets":[[1,1],[3,1]]"#,
      #""min":2,"max":3,"buckets":[[1,1],[3,1]]"#, #""min":1,"max":4,"buckets":[[1,1],[3,1]]"#,
      #""min":1,"max":1,"filled":[99999,1]"#, #""filled":[1,1]"#, #""min":1,"max":1,"filled":[]"#,
      #""min":1,"max":1,"filled":[1,0]"#, #""min":1,"max":1,"filled":[1,1,0,1]"#,
      #""min":1,"max":1,"filled":[1]"#, #""min":1,"max":1,"filled":[1,1,18446744073709551615,1]"#,
      #""min":1,"max":4,"filled":[1,1,2,1]"#,
    ])
  func contradictions(parts: String) {
    let head = #""lowest":1,"highest":3600000000000,"digits":3,"sum":1,"overRange":0,"refusedNegative":0,"#
    #expect(throws: HistogramError.self) {
      try JSONDecoder().decode(LatencyHistogram.self, from: Data("{\(head)\(parts)}".utf8))
    }
  }

  @Test("Filled buckets take a distance and a count each; pairs of index and count are read as well")
  func filled() throws {
    var histogram = LatencyHistogram()
    histogram.record(1, count: 7)
    histogram.record(3)
    let text = String(decoding: try JSONEncoder().encode(histogram), as: UTF8.self)
    #expect(text.contains(#""filled":[1,7,2,1]"#))
    let pairs = text.replacing(#""filled":[1,7,2,1]"#, with: #""buckets":[[1,7],[3,1]]"#)
    #expect(try JSONDecoder().decode(LatencyHistogram.self, from: Data(pairs.utf8)) == histogram)
  }

  @Test("The interchange encoding begins as V2 does and reads back")
  func interchange() throws {
    let text = sample.interchangeBase64()
    #expect(text.hasPrefix("HISTEw"))
    let back = try LatencyHistogram(interchangeBase64: text)
    #expect(back.inRange == sample.inRange)
    #expect(
      back.filledBuckets.map { [UInt64($0.index), $0.count] }
        == sample.filledBuckets.map { [UInt64($0.index), $0.count] })
    #expect(try LatencyHistogram(interchangeBase64: LatencyHistogram().interchangeBase64()).isEmpty)
    for cut in [0, 10, 39, 41] {
      #expect(throws: HistogramError.self) {
        try LatencyHistogram(interchangeBytes: Array(sample.interchangeBytes().prefix(cut)))
      }
    }
    #expect(throws: HistogramError.self) { try LatencyHistogram(interchangeBase64: "!!!!") }
  }

  @Test("Small counts are encoded byte for byte as the format says")
  func bytes() throws {
    var result = LatencyHistogram(layout: try HistogramLayout(highest: 3_600_000_000_000))
    result.record(1, count: 3)
    result.record(300)
    // One zero, 3, 298 zeros as −298 (595 in ZigZag), 1.
    #expect(Array(result.interchangeBytes().dropFirst(40)) == [0, 6, 0xd3, 0x04, 2])
  }

  @Test("The Python library reads what we write, with equal counts and percentiles")
  func python() throws {
    let script = """
      import sys, base64, zlib, struct
      try:
        from hdrh.histogram import HdrHistogram
      except ImportError:
        print('absent'); sys.exit(0)
      plain = base64.b64decode(sys.argv[1])
      packed = zlib.compress(plain)
      wrapped = base64.b64encode(struct.pack('>ii', 0x1c849314, len(packed)) + packed)
      h = HdrHistogram.decode(wrapped)
      print(h.get_total_count(), *[h.get_value_at_percentile(p) for p in (10, 50, 90, 99)])
      again = base64.b64decode(h.encode())
      print(base64.b64encode(zlib.decompress(again[8:])).decode())
      """
    var ours = LatencyHistogram()
    // A round number: the library rounds ranks to the nearest where ours round up.
    for step: Int64 in 1...3_000 { ours.record(step * step * 997) }
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script, ours.interchangeBase64()]
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let lines = output.split(separator: "\n")
    guard lines.count == 2 else {
      print("interchange with Python not checked: python3 with the package `hdrhistogram` is not here")
      return
    }
    let values = ["p10", "p50", "p90", "p99"].map { ours.value(at: Percentile($0)!)! }
    #expect(lines[0] == "3000 " + values.map(String.init).joined(separator: " "))
    let back = try LatencyHistogram(interchangeBase64: String(lines[1]))
    #expect(back.filledBuckets.map(\.count) == ours.filledBuckets.map(\.count))
    #expect(back.filledBuckets.map(\.index) == ours.filledBuckets.map(\.index))
  }
}
