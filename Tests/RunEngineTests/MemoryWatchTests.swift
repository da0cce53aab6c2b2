import HeapProbe
import Measurement
import Testing

@testable import RunEngine

@Suite("Memory over time", .serialized)
struct MemoryWatchTests {
  private static let block = 16_000_000
  private static var isMeasured: Bool { HeapCounters.snapshot() != nil }

  /// Looks once a second of made-up time, keeping a block more each time.
  private func looks(_ number: Int, keeping: Bool) -> MemoryWatch {
    var watch = MemoryWatch()
    var kept: [[UInt8]] = []
    for second in 0..<number {
      let block = [UInt8](repeating: 1, count: Self.block)
      if keeping { kept.append(block) }
      watch.look(at: Int64(second) * 1_000_000_000, isMeasured: true)
    }
    withExtendedLifetime(kept) {}
    return watch
  }

  @Test("growth is a slope with its error, and the peak is seen", .enabled(if: isMeasured))
  func growth() throws {
    let watch = looks(30, keeping: true)
    let growth = try #require(watch.growth)
    #expect(abs(growth.slope / Double(Self.block) - 1) < 0.1)
    #expect(growth.standardError < 0.1 * growth.slope)
    #expect(watch.peak.bytes > 29 * UInt64(Self.block))
  }

  @Test("what is given back is no growth", .enabled(if: isMeasured))
  func steady() throws {
    let growth = try #require(looks(30, keeping: false).growth)
    #expect(abs(growth.slope) < 0.1 * Double(Self.block))
  }

  @Test("few looks tell no growth, and the warm-up counts for the peak alone", .enabled(if: isMeasured))
  func tooShort() {
    #expect(looks(MemoryWatch.looksNeeded - 1, keeping: true).growth == nil)
    var watch = MemoryWatch()
    for second in 0..<40 { watch.look(at: Int64(second), isMeasured: false) }
    #expect(watch.growth == nil)
    #expect(watch.peak.bytes > 0)
  }
}
