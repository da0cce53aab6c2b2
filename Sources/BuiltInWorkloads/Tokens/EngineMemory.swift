/// Memory that the engine holds for one generation, and how long it holds it for nobody; as a value.
struct EngineMemory {
  private(set) var held: Int64 = 0
  private var changedAt: Int64 = 0
  private var readerLeftAt: Int64?
  private var byteNanosecondsAfterLeft = 0.0

  /// A token costs so many bytes, until the end.
  mutating func grow(by bytes: Int64, at time: Int64) {
    account(to: time)
    held += bytes
  }

  /// Nobody reads any more.
  mutating func readerLeft(at time: Int64) {
    guard readerLeftAt == nil else { return }
    changedAt = time
    readerLeftAt = time
  }

  /// The engine has ended. Returns the byte-seconds held for nobody.
  mutating func release(at time: Int64) -> Int64 {
    account(to: time)
    held = 0
    return Int64((byteNanosecondsAfterLeft / 1e9).rounded())
  }

  private mutating func account(to time: Int64) {
    if readerLeftAt != nil { byteNanosecondsAfterLeft += Double(held) * Double(time - changedAt) }
    changedAt = time
  }
}
