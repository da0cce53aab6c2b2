/// A stream of random bits without state: every draw is a pure function of its address
/// (seed, stream name, iteration, slot, attempt, index).
///
/// Draws therefore do not depend on the order in which tasks happen to ask, so two runs that interleave
/// differently meet the same numbers (common random numbers). A draw takes a few nanoseconds, allocates
/// nothing and is the same on every machine.
///
/// The address is folded in word by word, each word followed by the 64-bit finaliser `mix`, a bijection:
/// draws that differ in one word of the address alone are never equal.
public struct DrawStream: Sendable, Hashable {
  @usableFromInline let key: UInt64

  /// The stream of this name under this seed. Hashes the name once: make a stream once, not for each draw.
  public init(seed: UInt64, name: String) {
    // FNV-1a (Fowler, Noll, Vo) of the name's UTF-8, then mixed with the seed.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    key = Self.mix(Self.mix(seed &+ Self.golden) ^ hash)
  }

  @inlinable
  init(key: UInt64) { self.key = key }

  /// A stream of its own for another purpose of the same name, such as `latency` and `failures` of one
  /// provider.
  public func substream(_ name: String) -> DrawStream { DrawStream(seed: key, name: name) }

  /// 64 random bits for an address.
  @inlinable
  public func bits(iteration: Int, slot: Int = 0, attempt: Int = 0, index: Int = 0) -> UInt64 {
    // Slots and attempts share a word, 32 bits each.
    let place = UInt64(truncatingIfNeeded: slot) &<< 32 | UInt64(UInt32(truncatingIfNeeded: attempt))
    let first = Self.mix(key &+ UInt64(truncatingIfNeeded: iteration) &* Self.golden)
    let second = Self.mix(first ^ place)
    return Self.mix(second &+ UInt64(truncatingIfNeeded: index) &* Self.golden)
  }

  /// A uniform number strictly between 0 and 1: an odd multiple of 2⁻⁵³.
  @inlinable
  public func uniform(iteration: Int, slot: Int = 0, attempt: Int = 0, index: Int = 0) -> Double {
    Self.uniform(bits(iteration: iteration, slot: slot, attempt: attempt, index: index))
  }

  /// A generator that starts at an address: for random sources injected into code under test.
  @inlinable
  public func generator(iteration: Int, slot: Int = 0, attempt: Int = 0) -> DrawGenerator {
    DrawGenerator(state: bits(iteration: iteration, slot: slot, attempt: attempt, index: -1))
  }

  /// A number strictly between 0 and 1 from the upper 52 bits. Exact, so the same everywhere.
  @inlinable
  public static func uniform(_ bits: UInt64) -> Double {
    (Double(bits >> 12) + 0.5) * 0x1p-52
  }

  @usableFromInline static let golden: UInt64 = 0x9e37_79b9_7f4a_7c15

  /// The finaliser of SplitMix64: variant 13 of D. Stafford, "Better Bit Mixing" (2011); a bijection.
  @inlinable
  static func mix(_ word: UInt64) -> UInt64 {
    var bits = word
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    return bits ^ (bits >> 31)
  }
}

/// SplitMix64 (Steele, Lea and Flood, 2014) started at a draw's address: the same numbers on every machine.
public struct DrawGenerator: RandomNumberGenerator, Sendable {
  @usableFromInline var state: UInt64

  @inlinable
  init(state: UInt64) { self.state = state }

  /// A generator started from a seed alone.
  public init(seed: UInt64) { state = DrawStream.mix(seed) }

  /// The next 64 bits.
  @inlinable
  public mutating func next() -> UInt64 {
    state &+= DrawStream.golden
    return DrawStream.mix(state)
  }
}
