// In which order ready work runs.

/// In which order ready work runs, and where tasks may be interrupted.
package enum Schedule: String, Sendable, CaseIterable {
  /// First in, first out, on the generic executor: an uncontended hop onto an actor keeps its thread, as in
  /// production. Counts made under this schedule may be compared with real ones.
  case production

  /// Every hop is queued and what runs next is drawn from the seed. For sweeps and searches: counts of fast
  /// and slow switches differ from production, so say so wherever a figure of such a run is shown.
  case everyHop = "every-hop"
}

/// The order drawn under `everyHop`: SplitMix64 (Steele, Lea, Flood 2014), apart from the program's own
/// random stream, so that the program's draws do not change the order and the other way round.
struct OrderDraw {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed ^ 0x5EED_0F0D_E12A_77C1
  }

  /// A number in 0..<bound. The bias, bound / 2^64, does not matter here.
  mutating func next(below bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    return Int(truncatingIfNeeded: mixed.multipliedFullWidth(by: UInt64(bound)).high)
  }
}
