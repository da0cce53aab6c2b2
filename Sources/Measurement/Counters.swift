import Synchronization

/// A count that any thread may add to: one relaxed atomic, no lock.
public final class Counter: Sendable {
  private let total = Atomic<Int64>(0)

  /// A counter at zero.
  public init() {}

  /// Adds to the count.
  @inline(__always)
  public func add(_ amount: Int64 = 1) { total.wrappingAdd(amount, ordering: .relaxed) }

  /// Adds to the count and returns what it was before.
  public func next(_ amount: Int64 = 1) -> Int64 {
    total.wrappingAdd(amount, ordering: .relaxed).oldValue
  }

  /// The count so far.
  public var value: Int64 { total.load(ordering: .relaxed) }
}

/// A level that goes up and down, and the highest it ever reached; for any thread, without a lock.
public final class MaxGauge: Sendable {
  private let level = Atomic<Int64>(0)
  private let highest = Atomic<Int64>(0)

  /// A gauge at zero.
  public init() {}

  /// Changes the level by `amount` and returns the new level.
  @discardableResult
  public func add(_ amount: Int64 = 1) -> Int64 {
    let new = level.wrappingAdd(amount, ordering: .relaxed).newValue
    raise(to: new)
    return new
  }

  /// Sets the level.
  public func set(_ value: Int64) {
    level.store(value, ordering: .relaxed)
    raise(to: value)
  }

  private func raise(to value: Int64) {
    if value > highest.load(ordering: .relaxed) { highest.max(value, ordering: .relaxed) }
  }

  /// The level now.
  public var value: Int64 { level.load(ordering: .relaxed) }
  /// The highest level ever reached, 0 at least.
  public var max: Int64 { highest.load(ordering: .relaxed) }
}
