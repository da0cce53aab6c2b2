import SeededDraws
package import WorkloadInterface

/// A planned start.
package struct PlannedArrival: Sendable, Hashable {
  /// Its number, from 0.
  package let index: Int
  /// When it should start, in ns from the start of the cell.
  package let intended: Int64

  /// Makes a planned start.
  package init(index: Int, intended: Int64) {
    self.index = index
    self.intended = intended
  }
}

/// The intended starts of an open load, as a value: iterating it gives the same starts each time.
///
/// Constant arrivals: number k comes when the integral of the rate reaches k, so the first comes at time 0
/// and a load of 0.4/s is spaced by exactly 2.5 s. Poisson arrivals: the same with a unit Poisson process
/// in place of k (time rescaling, right for ramps too); its gaps are draws by arrival number.
package struct ArrivalPlan: Sendable, Hashable, Sequence {
  /// The rate's integral.
  package let integral: RateIntegral
  private let arrivals: OpenLoad.Arrivals
  private let gaps: DrawStream

  /// The plan of a load under a seed. Throws `LoadPlanError`.
  package init(_ load: OpenLoad, seed: UInt64) throws(LoadPlanError) {
    integral = try RateIntegral(load.stages)
    arrivals = load.arrivals
    gaps = DrawStream(seed: seed, name: "load").substream("arrivals")
  }

  /// The length of the load in ns.
  package var duration: Int64 { integral.duration }

  /// How many starts are planned, exactly. Constant: at once. Poisson: draws them all, 50 ns each.
  package func plannedTotal() -> Int {
    switch arrivals {
    case .constant: integral.starts
    case .poisson: reduce(0) { count, _ in count + 1 }
    }
  }

  /// The starts in order.
  package func makeIterator() -> Iterator {
    Iterator(integral: integral, gaps: arrivals == .poisson ? gaps : nil)
  }

  /// Gives the starts one by one. Allocates nothing.
  package struct Iterator: IteratorProtocol, Sendable {
    private let integral: RateIntegral
    private let gaps: DrawStream?
    private var index = 0
    private var stage = 0
    /// Units due at the next start.
    private var due: Int128 = 0

    /// Gaps are drawn in 2⁻³² of their mean.
    private static let gap = try? Distribution(.exponential(mean: 1 << 32))

    init(integral: RateIntegral, gaps: DrawStream?) {
      self.integral = integral
      self.gaps = gaps
      due = gap(0)
    }

    private func gap(_ index: Int) -> Int128 {
      guard let gaps else { return index == 0 ? 0 : integral.unitsPerStart }
      let drawn = Self.gap?.sample(gaps, iteration: index) ?? 0
      return Int128(drawn) * integral.unitsPerStart >> 32
    }

    /// The next start, or `nil` after the last.
    package mutating func next() -> PlannedArrival? {
      guard due < integral.total else { return nil }
      let arrival = PlannedArrival(index: index, intended: integral.time(of: due, from: &stage))
      index += 1
      due += gap(index)
      return arrival
    }
  }
}
