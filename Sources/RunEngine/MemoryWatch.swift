internal import HeapProbe
internal import Measurement

/// The bytes in use over a cell on the real clock, looked at now and then: their peak, and how they grow.
struct MemoryWatch: Sendable {
  /// The peak, the warm-up included.
  private(set) var peak = HeapPeak()
  private var times: [Double] = []
  private var bytes: [Double] = []
  private var stride = 1
  private var looks = 0

  /// Growth cannot be told from fewer looks than these.
  static let looksNeeded = 20
  /// As many points are kept as these: beyond, every second one is left out and then every second look.
  private static let pointsKept = 4096

  /// Looks once, at `now` in ns of the cell; about 30 microseconds. Growth is that of the measured window.
  mutating func look(at now: Int64, isMeasured: Bool) {
    guard let snapshot = HeapCounters.snapshot() else { return }
    peak.note(snapshot)
    guard isMeasured else { return }
    defer { looks += 1 }
    guard looks % stride == 0 else { return }
    times.append(Double(now) / 1e9)
    bytes.append(Double(snapshot.live))
    if times.count >= Self.pointsKept {
      times = times.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
      bytes = bytes.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
      stride *= 2
    }
  }

  /// The growth in bytes per second with its standard error, by least squares; `nil` from too few looks.
  var growth: Statistics.Slope? {
    times.count < Self.looksNeeded ? nil : Statistics.slope(x: times, y: bytes)
  }
}
