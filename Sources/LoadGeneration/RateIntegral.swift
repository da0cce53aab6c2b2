package import WorkloadInterface

/// The integral of a load's rate over its stages: how many starts are due up to a time, exactly.
///
/// A rate is a fraction of millionths per so many ns, a ramp is linear, so the integral is a fraction whose
/// denominator is known: everything is counted in `unitsPerStart`ths of a start, in 128-bit integers.
package struct RateIntegral: Sendable, Hashable {
  /// A stage: the rate goes linearly from `first` to `last`, in units per 2 ns.
  struct Stage: Sendable, Hashable {
    let start: Int64
    let duration: Int64
    let first: Int128
    let last: Int128
    /// Units due before it.
    let before: Int128
    /// Units due within it: (first + last) · duration, as rates are per 2 ns.
    var units: Int128 { (first + last) * Int128(duration) }
  }

  let stages: [Stage]
  /// The common denominator.
  package let unitsPerStart: Int128
  /// Units due in all.
  package let total: Int128
  /// The length of all stages in ns.
  package let duration: Int64

  /// Leaves room for one more gap between arrivals.
  private static let mostUnits: Int128 = 1 << 120

  /// The integral over these stages. Throws `LoadPlanError`.
  package init(_ stages: [LoadStage]) throws(LoadPlanError) {
    guard !stages.isEmpty else { throw .noStages }
    let per = try Self.commonTime(stages)
    var made: [Stage] = []
    var start: Int64 = 0
    var before: Int128 = 0
    for (index, stage) in stages.enumerated() {
      let (end, overflow) = start.addingReportingOverflow(stage.duration)
      guard !overflow else { throw .tooLarge(index: index) }
      let first = try Self.units(stage.rate, per: per, index)
      let last = try Self.units(stage.to ?? stage.rate, per: per, index)
      let (once, tooLarge) = (first + last).multipliedReportingOverflow(by: Int128(stage.duration))
      // The search within a ramp multiplies by the length squared.
      let factor = first == last ? 1 : 4 * Int128(stage.duration)
      let (_, stillTooLarge) = once.multipliedReportingOverflow(by: factor)
      guard !tooLarge, !stillTooLarge, once < Self.mostUnits - before else { throw .tooLarge(index: index) }
      made.append(Stage(start: start, duration: stage.duration, first: first, last: last, before: before))
      before += once
      start = end
    }
    self.stages = made
    unitsPerStart = 2_000_000 * per
    total = before
    duration = start
  }

  /// The least common multiple of the times that rates are per.
  private static func commonTime(_ stages: [LoadStage]) throws(LoadPlanError) -> Int128 {
    var common: Int128 = 1
    for (index, stage) in stages.enumerated() {
      for rate in [stage.rate, stage.to ?? stage.rate] {
        guard stage.duration > 0, rate.per > 0, rate.millionths >= 0 else { throw .badStage(index: index) }
        var (a, b) = (common, Int128(rate.per))
        while b != 0 { (a, b) = (b, a % b) }
        common = common / a * Int128(rate.per)
        guard common < 1 << 62 else { throw .tooLarge(index: index) }
      }
    }
    return common
  }

  private static func units(_ rate: Rate, per: Int128, _ index: Int) throws(LoadPlanError) -> Int128 {
    let (units, overflow) = Int128(rate.millionths).multipliedReportingOverflow(by: per / Int128(rate.per))
    guard !overflow, units < 1 << 90 else { throw .tooLarge(index: index) }
    return units
  }

  /// Starts due before the end: those whose integral is below the total.
  package var starts: Int { Int(clamping: (total + unitsPerStart - 1) / unitsPerStart) }

  /// The time in ns at which so many units are due, rounded down. `stage` is where to look first; it is
  /// moved on to the stage found, so ascending calls take constant time.
  func time(of units: Int128, from stage: inout Int) -> Int64 {
    while stage < stages.count - 1, units >= stages[stage].before + stages[stage].units { stage += 1 }
    return stages[stage].start + stages[stage].offset(of: units - stages[stage].before)
  }
}

extension RateIntegral.Stage {
  /// The last ns by which no more than `target` units are due.
  func offset(of target: Int128) -> Int64 {
    if first == last {
      return first == 0 ? duration : Int64(clamping: min(target / (2 * first), Int128(duration)))
    }
    // first·2t + (last − first)·t²/duration = target: an estimate by the quadratic formula, then exact.
    var time = estimate(target)
    let scaled = target * Int128(duration)
    while time > 0, scaledUnits(at: time) > scaled { time -= step(from: time, towards: scaled) }
    while time < duration, scaledUnits(at: time + 1) <= scaled { time += 1 }
    return time
  }

  /// Units due at a time, times the duration.
  private func scaledUnits(at time: Int64) -> Int128 {
    let time = Int128(time)
    return 2 * first * time * Int128(duration) + (last - first) * time * time
  }

  /// One ns, or as many as the rate there says are too many.
  private func step(from time: Int64, towards scaled: Int128) -> Int64 {
    let slope = 2 * (first * Int128(duration) + (last - first) * Int128(time))
    guard slope > 0 else { return 1 }
    return min(time, max(1, Int64(clamping: (scaledUnits(at: time) - scaled) / slope / 2)))
  }

  private func estimate(_ target: Int128) -> Int64 {
    let (a, b) = (Double(first), Double(last - first) / Double(duration))
    // Of the two forms of the root this one loses nothing where b is small.
    let root = Double(target) / (a + max(0, a * a + b * Double(target)).squareRoot())
    return root.isFinite ? min(duration, max(0, Int64(root))) : 0
  }
}
