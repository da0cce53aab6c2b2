internal import SeededDraws

/// The steps of one flow and what they wait for, by place.
struct FlowShape: Sendable, Equatable {
  /// How steps depend on one another.
  enum Kind: String, CaseIterable {
    case none, chain, fan, tree, random
  }

  /// The prerequisites of each step; all stand before it.
  let prerequisites: [[Int]]
  /// Preparations that may run at once; nil where the strategy sets no limit.
  let limit: Int?

  /// Steps.
  var count: Int { prerequisites.count }

  /// The shape of one iteration.
  init(_ kind: Kind, count: Int, limit: Int?, stream: DrawStream, iteration: Int) {
    self.limit = limit
    prerequisites = (0..<count).map { place in
      guard place > 0 else { return [] }
      switch kind {
      case .none: return []
      case .chain: return [place - 1]
      case .fan: return [0]
      case .tree: return [(place - 1) / 2]
      case .random:
        let drawn = (0..<2).map {
          Int(stream.bits(iteration: iteration, slot: place, attempt: $0) % UInt64(place))
        }
        return Set(drawn).sorted()
      }
    }
  }

  /// A shape as given.
  init(prerequisites: [[Int]], limit: Int?) {
    self.prerequisites = prerequisites
    self.limit = limit
  }

  /// The earliest end of a flow that is prepared without a limit and executed one at a time in order, in ns:
  /// no schedule that keeps the promises can be faster.
  func bound(preparing: [Int64], executing: [Int64]) -> Int64 {
    var ready = [Int64](repeating: 0, count: count)
    var end: Int64 = 0
    for place in 0..<count {
      ready[place] = (prerequisites[place].map { ready[$0] }.max() ?? 0) + preparing[place]
      // A step that skipped is waited for all the same.
      end = max(end, ready[place]) + executing[place]
    }
    return end
  }
}
