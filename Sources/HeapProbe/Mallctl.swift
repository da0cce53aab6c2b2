#if !WEIR_WITHOUT_JEMALLOC
  internal import CJemalloc
#endif

/// One jemalloc control, looked up once by name and then read by number: a few dozen nanoseconds.
struct Mallctl: Sendable {
  private var path: [Int]

  /// `nil` if this jemalloc has no such control or there is none at all.
  init?(_ name: String) {
    var length = 8
    var path = [Int](repeating: 0, count: length)
    guard mallctlnametomib(name, &path, &length) == 0 else { return nil }
    self.path = Array(path.prefix(length))
  }

  /// The same control for another index in its name, e.g. the size class in `arenas.bin.0.size`.
  func at(_ position: Int, _ index: Int) -> Mallctl {
    var other = self
    other.path[position] = index
    return other
  }

  /// Reads a number of the C type that `Value` stands for; `nil` on any error.
  func read<Value: FixedWidthInteger>(as type: Value.Type = Value.self) -> Value? {
    var value: Value = 0
    var size = MemoryLayout<Value>.size
    let result = path.withUnsafeBufferPointer {
      mallctlbymib($0.baseAddress, $0.count, &value, &size, nil, 0)
    }
    return result == 0 && size == MemoryLayout<Value>.size ? value : nil
  }

  /// Writes a number, for `epoch`.
  func write<Value: FixedWidthInteger>(_ value: Value) {
    var value = value
    _ = path.withUnsafeBufferPointer {
      mallctlbymib($0.baseAddress, $0.count, nil, nil, &value, MemoryLayout<Value>.size)
    }
  }

  /// Calls a control without a value, for `thread.tcache.flush`.
  func call() {
    _ = path.withUnsafeBufferPointer { mallctlbymib($0.baseAddress, $0.count, nil, nil, nil, 0) }
  }
}
