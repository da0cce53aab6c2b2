import Synchronization

/// Where candidates get their identity.
public protocol IdentifierSource: Sendable {
  /// The identity for what this call returns. Called once for each successful call, from any task.
  func identifier(for call: ProviderCall) -> CandidateID
}

/// Identities counted from a first number, in the order of asking.
public final class CountingIdentifiers: IdentifierSource {
  private let nextNumber: Atomic<UInt64>

  /// Starts counting at `first`.
  public init(first: UInt64 = 1) { nextNumber = Atomic(first) }

  /// The next number, whatever the call.
  public func identifier(for call: ProviderCall) -> CandidateID {
    CandidateID(nextNumber.wrappingAdd(1, ordering: .relaxed).oldValue)
  }
}

/// Where a stage gets its choices, e.g. of the archetype for a slot.
public protocol ChoiceSource: Sendable {
  /// A number from 0 up to, not including, `count` (at least 1). Called from any task.
  func choice(below count: Int, for call: ProviderCall) -> Int
}

/// Takes each possibility in turn: slot 0 the first, slot 1 the second.
public struct RotatingChoices: ChoiceSource {
  /// The rotation has no state.
  public init() {}

  /// The slot, modulo `count`.
  public func choice(below count: Int, for call: ProviderCall) -> Int { call.slot % count }
}

/// Choices that are a function of a seed and the call, so that they do not depend on the order of asking.
public struct SeededChoices: ChoiceSource {
  /// The seed.
  public let seed: UInt64

  /// Choices for one seed.
  public init(seed: UInt64) { self.seed = seed }

  /// Mixes seed, stage, slot and attempt (SplitMix64's finaliser) and scales by the high half of a product.
  public func choice(below count: Int, for call: ProviderCall) -> Int {
    var bits = seed
    for part in [call.kind.number, UInt64(call.slot), UInt64(call.attempt)] {
      bits = Self.mix(bits &+ 0x9E37_79B9_7F4A_7C15 &+ part)
    }
    return Int(bits.multipliedFullWidth(by: UInt64(count)).high)
  }

  private static func mix(_ input: UInt64) -> UInt64 {
    var bits = input
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}

/// Choices from the system's generator: what an application uses.
public struct SystemChoices: ChoiceSource {
  /// The generator is the system's.
  public init() {}

  /// A uniform draw.
  public func choice(below count: Int, for call: ProviderCall) -> Int { Int.random(in: 0..<count) }
}
