import SeededDraws
package import WorkloadInterface

/// A start that a user of a closed load is to make.
package struct UserStart: Sendable, Hashable {
  /// The user, from 0.
  package let user: Int
  /// The iteration's number within the cell, from 0.
  package let iteration: Int
  /// When to start, in ns from the start of the cell.
  package let time: Int64
}

/// The users of a closed load, as a value whose methods are events.
///
/// User u of n runs the iterations u, u + n, u + 2n, …, and think times are drawn by (user, how many iterations
/// that user has run): neither depends on which user comes first, so strategies meet the same draws.
package struct ClosedLoadPlan: Sendable {
  private let load: ClosedLoad
  private let thinking: DrawStream
  private var runs: [Int]
  /// Iterations given out so far.
  package private(set) var planned = 0

  /// The plan of a load under a seed. Throws `LoadPlanError.badClosedLoad`.
  package init(_ load: ClosedLoad, seed: UInt64) throws(LoadPlanError) {
    guard load.users >= 1 else { throw .badClosedLoad("it needs at least one user") }
    guard load.duration != nil || load.iterations != nil else {
      throw .badClosedLoad("it needs a duration or a number of iterations")
    }
    guard load.ramp >= 0, load.duration ?? 1 > 0, load.iterations ?? 1 > 0 else {
      throw .badClosedLoad("ramp cannot be negative; duration and iterations must be above 0")
    }
    self.load = load
    thinking = DrawStream(seed: seed, name: "load").substream("think")
    runs = [Int](repeating: 0, count: load.users)
  }

  /// The first start of each user, spread evenly over the ramp, in order.
  package mutating func begin() -> [UserStart] {
    (0..<load.users).compactMap { user in
      let share = Int128(load.ramp) * Int128(user) / Int128(load.users)
      return start(user, at: Int64(share))
    }
  }

  /// A user's iteration ended at `time`: the user's next start, or `nil` where the user is done.
  package mutating func finished(_ user: Int, at time: Int64) -> UserStart? {
    runs[user] += 1
    let pause = load.think?.sample(thinking, iteration: user, slot: runs[user]) ?? 0
    return start(user, at: time &+ pause)
  }

  private mutating func start(_ user: Int, at time: Int64) -> UserStart? {
    if let duration = load.duration, time >= duration { return nil }
    let iteration = user + runs[user] * load.users
    if let iterations = load.iterations, iteration >= iterations { return nil }
    planned += 1
    return UserStart(user: user, iteration: iteration, time: time)
  }
}
